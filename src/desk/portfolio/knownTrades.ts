import { recentFeeShare } from "../../market/holdings/feeShare.ts";
import { averageCostRate, costWithin, unrealisedResult } from "../../market/holdings/cost.ts";
import type { Portfolio } from "../../market/holdings/portfolio.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { type Pair, pairName } from "../../market/pair.ts";
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
  /** Names of pairs whose results are in another asset (BTC/USDT), or unknown for lack of a price. */
  readonly leftOut: { readonly unrealised: readonly string[]; readonly realised: readonly string[] };
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

/**
 * The total result at last prices of what was paid in the portfolio's quote asset; undefined if no trade or entered cost
 * in it is known.
 */
export function totalResult(
  { holdings, elsewhere, quote }: Portfolio,
  trades: KnownTrades,
): TotalResult | undefined {
  const known = trades.all.filter(({ pair }) => pair.quote === quote);
  const entries = elsewhere.flatMap(({ asset, value, entry: { cost } }) =>
    cost ? { asset, value, cost } : [],
  );
  const inOther = trades.all.filter((each) => !known.includes(each)).map(({ pair }) => pairName(pair));
  const leftOut = [...inOther];
  if (known.length === 0 && entries.every(({ cost }) => cost.asset !== quote)) return undefined;
  let unrealised = NOTHING;
  let paid = NOTHING;
  for (const { asset, amount, price } of holdings) {
    const of = trades.of(asset, quote);
    if (!of) continue;
    const cost = costWithin(of.average, amount);
    if (cost.held.eq(NOTHING)) continue;
    if (!price) {
      leftOut.push(pairName({ base: asset, quote }));
      continue;
    }
    unrealised = unrealised.plus(unrealisedResult(cost, price));
    paid = paid.plus(cost.cost);
  }
  for (const { asset, value, cost } of entries) {
    if (!value || cost.asset !== quote) {
      leftOut.push(pairName({ base: asset, quote: cost.asset }));
      continue;
    }
    unrealised = unrealised.plus(value.minus(cost.amount));
    paid = paid.plus(cost.amount);
  }
  const realised = known.reduce((sum, { average }) => sum.plus(average.realised), NOTHING);
  const times = known.flatMap(({ average }) => average.since ?? []);
  return {
    unrealised,
    paid,
    realised,
    since: times.length > 0 ? Math.min(...times) : undefined,
    leftOut: { unrealised: [...new Set(leftOut)], realised: inOther },
  };
}
