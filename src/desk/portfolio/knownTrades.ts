import { recentFeeShare } from "../../market/holdings/feeShare.ts";
import { averageCostRate, costWithin, unrealisedResult } from "../../market/holdings/cost.ts";
import type { Portfolio } from "../../market/holdings/portfolio.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { type Pair, pairName } from "../../market/pair.ts";
import type { PairTrades } from "../../storage/orders/tradeBook.ts";
import { isSameAccount } from "../../market/order.ts";
import type { Orders } from "../orders/orders.ts";
import type { SignedIn } from "../venue.ts";

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

/** What the account's holding of the pair's base cost on average, in quote per base, of `places` decimals; undefined if unknown. */
export function knownCost(
  { trades }: Pick<Orders, "trades">,
  signedIn: SignedIn | undefined,
  pair: Pair,
  places: number,
): Decimal | undefined {
  const known = signedIn && trades?.get(signedIn.ref, pair);
  return known && averageCostRate(known.average, places);
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
