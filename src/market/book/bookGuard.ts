import type { LimitOrder, OrderLimits, OrderProblem, OrderRules } from "../order.ts";
import type { Book } from "./book.ts";
import { fillFromBook, type BookFill } from "./bookFill.ts";

/**
 * What a validated order would fill immediately from its book. Undefined without a book, and for a post-only order,
 * which must not fill immediately.
 */
export function bookFillOf(
  order: LimitOrder,
  book: Book | undefined,
  { feeShare }: OrderRules,
): BookFill | "nothing" | undefined {
  return book && !order.postOnly ? fillFromBook(order, book, feeShare) : undefined;
}

/**
 * Checks an order's average fill rate against the best offer. Returns the order, with the distance set if it needs
 * confirmation, or the problem that blocks it. The limits are those for distance from the last price. Without a book
 * the order is returned unchanged.
 */
export function guardByBook(
  order: LimitOrder,
  book: Book | undefined,
  { limits, rules }: { readonly limits: OrderLimits; readonly rules: OrderRules },
): LimitOrder | OrderProblem[] {
  const { confirmBeyondPercent, refuseBeyondPercent } = limits;
  const bookFill = bookFillOf(order, book, rules);
  const slippage = bookFill === "nothing" ? undefined : bookFill?.slippagePercent;
  if (slippage?.gt(refuseBeyondPercent))
    return [{ field: "rate", code: "farFromBook", limit: refuseBeyondPercent }];
  return slippage?.gt(confirmBeyondPercent) ? { ...order, beyondBookPercent: slippage } : order;
}
