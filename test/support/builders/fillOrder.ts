import type { Decimal } from "../../../src/market/numbers/decimal.ts";
import type { Exchange } from "../../../src/practice/account/exchange.ts";
import { lastFill, partOf } from "../../../src/practice/account/matching.ts";

/**
 * Fills `amount` (quote of a bid, base of an ask) of an open order at its own rate, or all that remains, whatever the
 * market's price. Returns false if no such order is open.
 */
export function fillOrder(account: Exchange, orderId: string, amount: Decimal, at: number): boolean {
  const id = Number(orderId);
  const order = account.orders.get(id);
  if (!order || order.closed) return false;
  account.record(
    amount.lt(order.left)
      ? { kind: "partFilled", id, at, fill: partOf(order, amount) }
      : { kind: "filled", id, at, fill: lastFill(order) },
  );
  return true;
}
