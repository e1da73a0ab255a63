import { Decimal } from "../../../src/market/numbers/decimal.ts";
import type { LimitOrder } from "../../../src/market/order.ts";
import type { Fill, OrderReport } from "../../../src/market/orderReport.ts";
import { type KnownOrder, knownOrder } from "../../../src/market/orders/knownOrder.ts";
import { type Observation, observationsIn } from "../../../src/market/orders/observation.ts";
import { orderState } from "../../../src/market/orders/orderState.ts";

/** The journal takes no time after its own, so a report is by default as new as possible, and so is a fill. */
const JUST_NOW = 2_000_000_000_000;

/** A match of `quantity` base at `rate`, with its exact value and a fee of 0.25 %. */
export function testFill(id: string, quantity: string, rate = "100", at = JUST_NOW): Fill {
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
    askedAt: JUST_NOW,
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

/** What these reports tell of one order. */
export function knownFrom(reports: readonly OrderReport[], ...also: readonly Observation[]): KnownOrder {
  const state = orderState([...reports.flatMap((report) => observationsIn(report)), ...also]);
  return knownOrder(state, reports[0]?.orderId ?? "");
}

/** The same of reports of the order of `testReport`, and of what else was observed. */
export function testKnown(
  reports: readonly Partial<OrderReport>[],
  ...also: readonly Observation[]
): KnownOrder {
  return knownFrom(reports.map(testReport), ...also);
}
