import { Decimal } from "../../../src/market/numbers/decimal.ts";
import {
  defaultLimits,
  defaultRules,
  type OrderContext,
  type OrderLimits,
} from "../../../src/market/order.ts";
import type { Ticker } from "../../../src/market/ticker.ts";

/** THB_BTC at 15,000 THB; everything else is unknown. */
export const ticker: Ticker = {
  symbol: "THB_BTC",
  pair: { quote: "THB", base: "BTC" },
  last: 15000,
  bestBid: undefined,
  bestAsk: undefined,
  high: undefined,
  low: undefined,
  baseVolume: undefined,
  quoteVolume: undefined,
  percentChange: undefined,
  frozen: false,
};

/** Validation context: 1,000 THB and fresh prices, on an exchange without asks. */
export const context: OrderContext = {
  ticker,
  available: new Decimal("1000"),
  offersAsks: false,
  rules: defaultRules,
  limits: defaultLimits,
  priceAgeMs: 0,
  pricesAreStale: false,
};

/** The default limits with some changes. */
export function limits(changes: Partial<OrderLimits>): Partial<OrderContext> {
  return { limits: { ...defaultLimits, ...changes } };
}
