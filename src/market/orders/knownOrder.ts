import { Decimal } from "../numbers/decimal.ts";
import type { NamedOrder } from "../order.ts";
import { sumFills } from "../orderReport.ts";
import { pairKey } from "../pair.ts";
import { isEnd, type OrderState } from "./orderState.ts";

/** The state of an order at its exchange, under the id to request and cancel it by. */
export interface KnownOrder extends OrderState, NamedOrder {
  /** In quote, fee included: the most a buy may spend, as far as it is known. */
  readonly amount: Decimal | undefined;
}

const ZERO = new Decimal("0");
const ONE = new Decimal("1");

export function knownOrder(state: OrderState, orderId: string): KnownOrder {
  const { pair, side, ordered, listedAmount, quantity, currentId } = state;
  const leaves = ordered ?? listedAmount;
  return {
    ...state,
    orderId: currentId ?? orderId,
    symbol: pairKey(pair),
    ...(side === "buy" ? { amount: leaves } : { amount: undefined, quantity: leaves ?? quantity }),
  };
}

/** Whether the order has ended or was never placed. */
export function hasEnded({ status }: OrderState): boolean {
  return isEnd(status);
}

/** Whether it left the open orders and nothing explains why: it may have ended or still be open. */
export function isUnlisted({ status }: OrderState): boolean {
  return status === "notListed";
}

/**
 * Filled share, 0 to 1, truncated to 4 places so that 1 means all; undefined if the ordered amount is unknown. A buy is
 * measured by what it spent, because a better price yields more than the ordered quantity.
 */
export function filledShare(known: OrderState): Decimal | undefined {
  const { status, ordered, listedAmount, filled, left, fills, quantity, remaining } = known;
  if (status === "filled") return ONE;
  const share = (part: Decimal, whole: Decimal | undefined): Decimal[] =>
    whole?.gt(ZERO) ? [part.div(whole)] : [];
  const whole = ordered ?? listedAmount;
  const shares = [
    ...(whole ? share(filled, whole) : share(sumFills(fills).quantity, quantity)),
    ...(ordered && left ? share(ordered.minus(left), ordered) : []),
    ...(remaining && quantity ? share(quantity.minus(remaining), quantity) : []),
  ];
  if (shares.length === 0) return undefined;
  const found = shares.reduce((most, each) => (each.gt(most) ? each : most), ZERO);
  return (found.gt(ONE) ? ONE : found).round(4, Decimal.roundDown);
}

/** Unfilled quantity of an open order in base: the minimum according to reports and fills. Undefined if unknown. */
export function openQuantity({ quantity, remaining, fills }: OrderState): Decimal | undefined {
  const left = quantity?.minus(sumFills(fills).quantity);
  if (!left?.gte(ZERO)) return remaining;
  return remaining?.lt(left) ? remaining : left;
}
