import type { Decimal } from "../numbers/decimal.ts";
import type { OrderRules, Side } from "../order.ts";
import type { Pair } from "../pair.ts";

/** A service's listing of one pair. Figures are undefined if missing or unreadable. */
export interface PairListing {
  readonly pair: Pair;
  /** The coin's name as the service writes it, such as `Bitcoin`. Only searched, never shown. */
  readonly name?: string | undefined;
  /** The pair's number in the address of its book stream. */
  readonly pairingId: number | undefined;
  /** False: the service has suspended the pair. */
  readonly isTrading: boolean;
  /** In quote. */
  readonly minimumAmount: Decimal | undefined;
  /** Tick size, quote per base, above zero. */
  readonly rateStep: Decimal | undefined;
  /** Decimals of a quantity in base. */
  readonly quantityPlaces: number | undefined;
  /** Decimals of an amount in quote. */
  readonly amountPlaces: number | undefined;
  /** Maximum distance of a buy's rate from the last price, in percent: 20 is 20 %. */
  readonly buyBandPercent: Decimal | undefined;
  /** Maximum distance of a sell's rate from the last price, in percent. */
  readonly sellBandPercent: Decimal | undefined;
  readonly isBuyFrozen: boolean;
  readonly isSellFrozen: boolean;
  readonly isCancelFrozen: boolean;
}

/** Order rules for a pair: as stated by its exchange, with `defaults` for the rest. */
export function rulesOfListing(listing: PairListing, defaults: OrderRules): OrderRules {
  const { minimumAmount, rateStep, quantityPlaces, amountPlaces, buyBandPercent, sellBandPercent } = listing;
  const { isCancelFrozen } = listing;
  const frozenSides = frozenSidesOf(listing);
  const figures = [minimumAmount, rateStep, quantityPlaces, amountPlaces, buyBandPercent, sellBandPercent];
  const isSilent =
    figures.every((figure) => figure === undefined) && frozenSides.length === 0 && !isCancelFrozen;
  if (isSilent) return defaults;
  return {
    ...defaults,
    minimumAmount: minimumAmount ?? defaults.minimumAmount,
    quantityPlaces: quantityPlaces ?? defaults.quantityPlaces,
    amountPlaces,
    rateStep,
    bandPercent: { buy: buyBandPercent, sell: sellBandPercent },
    frozenSides,
    isCancelFrozen,
    isOfExchange: true,
  };
}

function frozenSidesOf({ isTrading, isBuyFrozen, isSellFrozen }: PairListing): readonly Side[] {
  if (!isTrading) return ["buy", "sell"];
  return [...(isBuyFrozen ? (["buy"] as const) : []), ...(isSellFrozen ? (["sell"] as const) : [])];
}
