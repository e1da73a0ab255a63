import type { LimitOrder, OrderLimits, OrderProblem, OrderRules } from "../order.ts";
import type { Book } from "./book.ts";
import { takingOf, type Taking } from "./taking.ts";

/**
 * What a validated order would take from its book; undefined without a book, and for a post-only order, which must not take
 * anything.
 */
export function takingOfOrder(
  order: LimitOrder,
  book: Book | undefined,
  { feeShare }: OrderRules,
): Taking | "nothing" | undefined {
  return book && !order.postOnly ? takingOf(order, book, feeShare) : undefined;
}

/**
 * Checks an order's average fill rate against the best offer. Returns the order, with the distance set if it needs
 * confirmation, or the problem that blocks it. The limits are those for distance from the last price. Without a book the
 * order is returned unchanged.
 */
export function guardByBook(
  order: LimitOrder,
  book: Book | undefined,
  { limits, rules }: { readonly limits: OrderLimits; readonly rules: OrderRules },
): LimitOrder | OrderProblem[] {
  const { confirmBeyondPercent, refuseBeyondPercent } = limits;
  const taking = takingOfOrder(order, book, rules);
  const slippage = taking === "nothing" ? undefined : taking?.slippagePercent;
  if (slippage?.gt(refuseBeyondPercent))
    return [{ field: "rate", code: "farFromBook", limit: refuseBeyondPercent }];
  return slippage?.gt(confirmBeyondPercent) ? { ...order, beyondBookPercent: slippage } : order;
}
