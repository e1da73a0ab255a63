import { recentFeeShare } from "../../market/holdings/feeShare.ts";
import { averageCostRate, costWithin, unrealisedResult } from "../../market/holdings/cost.ts";
import type { Portfolio } from "../../market/holdings/portfolio.ts";
import { Decimal, priceText } from "../../market/numbers/decimal.ts";
import type { Pair } from "../../market/pair.ts";
import type { PairTrades } from "../../storage/orders/tradeBook.ts";
import { isSameAccount } from "../../market/order.ts";
import type { Orders } from "../orders/orders.ts";
import type { SignedIn } from "../venue.ts";
import type { HeldElsewhereList } from "./heldElsewhereList.ts";

/** The known purchases and sales of the signed-in account. */
export interface KnownTrades {
  /** Whether the exchange reports fills. If not, the interface does not mention a missing cost. */
  readonly areReported: boolean;
  readonly of: (asset: string, quote: string) => PairTrades | undefined;
  /** For all assets, including those no longer held. */
  readonly all: readonly PairTrades[];
}

/** The total result of a portfolio in its quote asset, including assets that were sold. */
interface TotalResult {
  readonly unrealised: Decimal;
  /** The known cost of what is held. */
  readonly paid: Decimal;
  readonly realised: Decimal;
  /** The time of the first known trade, ms. */
  readonly since: number | undefined;
}

const NOTHING = new Decimal("0");

const sumOf = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((sum, amount) => sum.plus(amount), NOTHING);

/** The trades of the account that this computer has recorded. */
export function knownTrades({ trades: book }: Orders, signedIn: SignedIn | undefined): KnownTrades {
  if (!signedIn) return { areReported: false, of: () => undefined, all: [] };
  const { ref, profile } = signedIn;
  const { orderInfo, orderHistory } = profile.features;
  return {
    areReported: (orderInfo ?? orderHistory) !== undefined,
    of: (base, quote) => book?.get(ref, { base, quote }),
    all: (book?.all() ?? []).filter(({ account }) => isSameAccount(account, ref)),
  };
}

/** The fee of the account's last trades of a pair, as a share of the amount; undefined if no trade shows it. */
export function knownFeeShare(
  { trades }: Orders,
  signedIn: SignedIn | undefined,
  pair: Pair,
): Decimal | undefined {
  const known = signedIn && trades?.get(signedIn.ref, pair);
  return known && recentFeeShare(known.trades, pair.quote);
}

interface CostSources {
  readonly venue: { readonly signedIn: SignedIn | undefined };
  readonly orders: Pick<Orders, "trades">;
  readonly elsewhere: Pick<HeldElsewhereList, "list">;
}

/**
 * What the pair's base cost on average: the account's holding, or else what the user entered as held elsewhere. In quote per base, of
 * `places` decimals; undefined if unknown or nothing was paid.
 */
export function knownCost(
  { venue: { signedIn }, orders, elsewhere }: CostSources,
  pair: Pair,
  places: number,
): Decimal | undefined {
  const trades = signedIn && orders.trades?.get(signedIn.ref, pair);
  const entered = elsewhere.list.flatMap(({ asset, quantity, cost }) =>
    asset === pair.base && cost?.asset === pair.quote ? { quantity, cost: cost.amount } : [],
  );
  const rate =
    (trades && averageCostRate(trades.average, places)) ??
    averageCostRate(
      { held: sumOf(entered.map(({ quantity }) => quantity)), cost: sumOf(entered.map(({ cost }) => cost)) },
      places,
    );
  return rate?.gt("0") ? rate : undefined;
}

/** The total result at last prices; undefined if no trade or entered cost in the portfolio's quote asset is known. */
export function totalResult(
  { holdings, elsewhere, quote }: Portfolio,
  trades: KnownTrades,
): TotalResult | undefined {
  const known = trades.all.filter(({ pair }) => pair.quote === quote);
  const paidElsewhere = elsewhere.filter(({ entry }) => entry.cost?.asset === quote);
  if (known.length + paidElsewhere.length === 0) return undefined;
  let unrealised = NOTHING;
  let paid = NOTHING;
  for (const { asset, amount, ticker } of holdings) {
    if (ticker?.pair.quote !== quote) continue;
    const of = trades.of(asset, quote);
    if (!of || ticker.last === undefined) continue;
    const cost = costWithin(of.average, amount);
    unrealised = unrealised.plus(unrealisedResult(cost, new Decimal(priceText(ticker.last))));
    paid = paid.plus(cost.cost);
  }
  for (const { value, entry } of paidElsewhere) {
    if (!value || !entry.cost) continue;
    unrealised = unrealised.plus(value.minus(entry.cost.amount));
    paid = paid.plus(entry.cost.amount);
  }
  const realised = known.reduce((sum, { average }) => sum.plus(average.realised), NOTHING);
  const times = known.flatMap(({ average }) => average.since ?? []);
  return { unrealised, paid, realised, since: times.length > 0 ? Math.min(...times) : undefined };
}
