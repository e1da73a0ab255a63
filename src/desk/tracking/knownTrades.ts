import { costWithin, unrealisedResult } from "../../market/holdings/cost.ts";
import type { Portfolio } from "../../market/holdings/portfolio.ts";
import { Decimal, priceText } from "../../market/numbers/decimal.ts";
import type { PairTrades } from "../../storage/orders/tradeBook.ts";
import { isSameAccount } from "../../market/order.ts";
import type { Desk } from "../desk.ts";
import { accountOf } from "../venue.ts";

/** What is known of purchases and sales in the account that is signed in. */
export interface KnownTrades {
  /** Whether the exchange tells fills. Otherwise an asset without a known cost is not worth a word. */
  readonly areReported: boolean;
  readonly of: (asset: string, quote: string) => PairTrades | undefined;
  /** Of all assets, also of those that are not held any more. */
  readonly all: readonly PairTrades[];
}

/** The results of all assets of a portfolio together, in its quote asset, also of those that were sold. */
interface TotalResult {
  readonly unrealised: Decimal;
  /** The known cost of what is held. */
  readonly paid: Decimal;
  readonly realised: Decimal;
  /** The time of the first known trade, ms. */
  readonly since: number | undefined;
}

const NOTHING = new Decimal("0");

/** The trades of the account that this computer knows. */
export function knownTrades({ venue: { venue }, orders }: Pick<Desk, "venue" | "orders">): KnownTrades {
  const book = orders.trades;
  if (!venue) return { areReported: false, of: () => undefined, all: [] };
  const { orderInfo, orderHistory } = venue.profile.features;
  const account = accountOf(venue);
  return {
    areReported: (orderInfo ?? orderHistory) !== undefined,
    of: (base, quote) => book?.get(account, { base, quote }),
    all: (book?.all() ?? []).filter(({ account: place }) => isSameAccount(place, account)),
  };
}

/** The sum of all results at the last prices; undefined without a known trade in the portfolio's quote asset. */
export function totalResult({ holdings, quote }: Portfolio, trades: KnownTrades): TotalResult | undefined {
  const known = trades.all.filter(({ pair }) => pair.quote === quote);
  if (known.length === 0) return undefined;
  let unrealised = NOTHING;
  let paid = NOTHING;
  for (const { asset, amount, ticker } of holdings) {
    const of = ticker && trades.of(asset, quote);
    if (!of || ticker.last === undefined) continue;
    const cost = costWithin(of.average, amount);
    unrealised = unrealised.plus(unrealisedResult(cost, new Decimal(priceText(ticker.last))));
    paid = paid.plus(cost.cost);
  }
  const realised = known.reduce((sum, { average }) => sum.plus(average.realised), NOTHING);
  const times = known.flatMap(({ average }) => average.since ?? []);
  return { unrealised, paid, realised, since: times.length > 0 ? Math.min(...times) : undefined };
}
