import type { LimitOrder, OrderLimits, OrderProblem, OrderRules } from "../order.ts";
import type { Book } from "./book.ts";
import { takingOf, type Taking } from "./taking.ts";

/** What a checked order takes from its book; undefined without a book, and for a post-only order, which may take nothing. */
export function takingOfOrder(
  order: LimitOrder,
  book: Book | undefined,
  { feeShare }: OrderRules,
): Taking | "nothing" | undefined {
  return book && !order.postOnly ? takingOf(order, book, feeShare) : undefined;
}

/**
 * The order, with the distance of its average rate from the best offer if the person must confirm it, or the problem that
 * stops it. The limits are those of a rate's distance from the last price. Without a book the order stays as it is.
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
