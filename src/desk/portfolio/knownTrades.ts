import { recentFeeShare } from "../../market/holdings/feeShare.ts";
import { averageCostRate, costWithin, unrealisedResult } from "../../market/holdings/cost.ts";
import type { Portfolio } from "../../market/holdings/portfolio.ts";
import { Decimal, priceText } from "../../market/numbers/decimal.ts";
import type { Pair } from "../../market/pair.ts";
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
