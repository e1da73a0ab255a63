import { Decimal } from "../../../src/market/numbers/decimal.ts";
import type { LimitOrder } from "../../../src/market/order.ts";
import type { Fill, OrderReport } from "../../../src/market/orderReport.ts";

/** A match of `quantity` base at `rate`, with its exact value and a fee of 0.25 %. */
export function testFill(id: string, quantity: string, rate = "100", at = 1000): Fill {
  const value = new Decimal(quantity).times(rate);
  return {
    id,
    at,
    rate: new Decimal(rate),
    quantity: new Decimal(quantity),
    value,
    fee: value.times("0.0025"),
  };
}

/** A report of an order to sell 10 BTC at 100 THB. */
export function testReport(changes: Partial<OrderReport> = {}): OrderReport {
  return {
    source: "info",
    orderId: "7",
    symbol: "THB_BTC",
    pair: { quote: "THB", base: "BTC" },
    side: "sell",
    rate: new Decimal("100"),
    quantity: new Decimal("10"),
    fills: [],
    askedAt: 1000,
    ...changes,
  };
}

/** A row of the open orders with the figures of a sent order, placed at `at` (ms). */
export function likeReport(
  { symbol, pair, side, rate, amount }: LimitOrder,
  orderId: string,
  at: number,
): OrderReport {
  const size = side === "buy" ? { amount, quantity: undefined } : { quantity: amount };
  return testReport({
    source: "list",
    orderId,
    symbol,
    pair,
    side,
    rate,
    ...size,
    status: "open",
    placedAt: at,
    askedAt: at,
  });
}
