import type { Decimal } from "../numbers/decimal.ts";
import type { OrderRules, Side } from "../order.ts";
import type { Pair } from "../pair.ts";

/** What a service says of one of its pairs. A missing figure was not given, or could not be read. */
export interface PairListing {
  readonly pair: Pair;
  /** The number of the pair in the address of its book stream. */
  readonly pairingId: number | undefined;
  /** False: the service has stopped the pair. */
  readonly isTrading: boolean;
  /** In quote. */
  readonly minimumAmount: Decimal | undefined;
  /** Quote per one base, above zero: each rate is a multiple of it. */
  readonly rateStep: Decimal | undefined;
  /** Decimals of a quantity in base. */
  readonly quantityPlaces: number | undefined;
  /** Decimals of an amount in quote. */
  readonly amountPlaces: number | undefined;
  /** How far the rate of a buy may be from the last price, in percent: 20 is 20 %. */
  readonly buyBandPercent: Decimal | undefined;
  /** How far the rate of a sell may be from the last price, in percent. */
  readonly sellBandPercent: Decimal | undefined;
  readonly isBuyFrozen: boolean;
  readonly isSellFrozen: boolean;
  readonly isCancelFrozen: boolean;
}

/** The rules of orders for a pair: what its exchange states, and the usual rule for the rest. */
export function rulesOfListing(listing: PairListing, usual: OrderRules): OrderRules {
  const { minimumAmount, rateStep, quantityPlaces, amountPlaces, buyBandPercent, sellBandPercent } = listing;
  const { isCancelFrozen } = listing;
  const frozenSides = frozenSidesOf(listing);
  const figures = [minimumAmount, rateStep, quantityPlaces, amountPlaces, buyBandPercent, sellBandPercent];
  const isSilent =
    figures.every((figure) => figure === undefined) && frozenSides.length === 0 && !isCancelFrozen;
  if (isSilent) return usual;
  return {
    ...usual,
    minimumAmount: minimumAmount ?? usual.minimumAmount,
    quantityPlaces: quantityPlaces ?? usual.quantityPlaces,
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
