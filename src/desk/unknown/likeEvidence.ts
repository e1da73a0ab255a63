import type { Wallet } from "../../market/balance.ts";
import type { OrderReport } from "../../market/orderReport.ts";
import { isOwn } from "../../storage/orders/order.ts";
import type { OrderIntent } from "../../storage/orders/records.ts";
import { isAlike, isOfTime } from "../tracking/likeOrders.ts";
import { nameIn } from "../tracking/orderRecorder.ts";
import type { SignedIn } from "../venue.ts";
import { balanceEvidence, type Evidence, type List, type OrderListing } from "./evidence.ts";
import { isOfAccount, type Orders } from "../orders/orders.ts";

/**
 * Searches an exchange's lists for an order without a client id, by its figures. It was placed if the complete lists
 * have exactly one order of its side, price and amount that belongs to no other order, and that one is new.
 *
 * - An order like it from before proves nothing: another program may place one such order after the other.
 * - Neither does one beside another own order of the same figures without an id: it may be either.
 */
export function weighByLikeness(
  order: OrderIntent,
  listing: OrderListing | undefined,
  wallet: Wallet,
  orders: Orders,
  venue: SignedIn,
): Evidence {
  const balance = balanceEvidence(order, wallet);
  if (!listing) return { ...balance, state: "unknown" };
  const { open, history, isComplete, isRateLimited } = listing;
  const known = (row: OrderReport) => orders.get(nameIn(row, venue));
  const rows = new Map<string, OrderReport>();
  for (const row of [...(history?.orders ?? []), ...(open?.orders ?? [])]) {
    const of = known(row);
    if (isAlike(order, row) && !(of && isOwn(of))) rows.set(row.orderId, row);
  }
  const alike = [...rows.values()];
  const text = [
    `open orders: ${listText(open)}`,
    `order history: ${listText(history)}`,
    `orders like it: ${alike.length}`,
    balance.text,
  ].join("; ");
  const [only] = alike;
  const isFound =
    isComplete &&
    only !== undefined &&
    alike.length === 1 &&
    isOfTime(order, only, venue) &&
    (known(only)?.at ?? order.at) >= order.at &&
    !hasRival(order, orders.own, venue);
  return isFound
    ? { now: balance.now, state: "accepted", orderId: only.orderId, text }
    : { now: balance.now, state: "unknown", text, ...(isRateLimited && { isRateLimited }) };
}

/** Whether another own order of the same figures has no id either. */
function hasRival(order: OrderIntent, own: Orders["own"], venue: SignedIn): boolean {
  return own.some(
    (other) =>
      other.orderId === undefined &&
      other.accountResetAt === undefined &&
      other.state !== "rejected" &&
      other.state !== "notSent" &&
      isOfAccount(other, venue) &&
      other.intent.id !== order.id &&
      other.intent.symbol === order.symbol &&
      other.intent.side === order.side &&
      other.intent.rate === order.rate &&
      other.intent.amount === order.amount,
  );
}

function listText(list: List | undefined): string {
  if (!list) return "not read";
  return `${list.orders.length}${list.isWhole ? "" : ", not all readable"}`;
}
