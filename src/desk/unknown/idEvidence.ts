import { knownBalance, type Wallet } from "../../market/balance.ts";
import { type Decimal, plainText } from "../../market/numbers/decimal.ts";
import { assetsOf } from "../../market/order.ts";
import type { OrderReport } from "../../market/orderReport.ts";
import type { OrderIntent } from "../../storage/orders/records.ts";
import type { Evidence, List, OrderListing } from "./evidence.ts";

/** The data needed to search for an order by its client id. */
export type SearchedOrder = Pick<
  OrderIntent,
  "side" | "quote" | "base" | "availableBefore" | "at" | "exchangeAt" | "clientId" | "reservedBefore"
>;

/** The exchange's time, as far as known. All in ms. */
export interface ServiceTime {
  /** The exchange rejects signed requests older than this; undefined if it does not state a limit. */
  readonly windowMs: number | undefined;
  /** Offset to add to the local clock. */
  readonly offsetMs: number;
}

/** Margin for inexact clocks, network delays and lists that lag. */
const MARGIN_MS = 10_000;

/**
 * Searches an exchange's lists for an order by its client id. A row with the id proves that the order was placed.
 *
 * Absence proves the opposite only if the exchange rejects requests as old as this one, both lists were read completely
 * after that time, neither has a row that may be this order, and neither the available nor the reserved balance has
 * changed. An order that was cancelled before it was seen also counts as absent, because it is neither open nor filled.
 * The balance alone never decides: an unrelated change may have exactly the order's amount.
 */
export function weighById(
  order: SearchedOrder,
  listing: Omit<OrderListing, "isComplete">,
  wallet: Wallet,
  time: ServiceTime,
): Evidence {
  const asset = assetsOf(order.side, order).amount;
  const balance = knownBalance(wallet, asset);
  const now = balance && plainText(balance.available);
  const isIt = ({ clientId }: OrderReport): boolean => clientId === order.clientId;
  const open = listing.open?.orders.find(isIt);
  const row = open ?? listing.history?.orders.find(isIt);
  if (row) {
    const where = open ? "the open orders" : "the order history";
    return { state: "accepted", orderId: row.orderId, now, text: `found in ${where} by its client id` };
  }
  const isUnchanged =
    balance !== undefined &&
    isSame(order.availableBefore, balance.available) &&
    isSame(order.reservedBefore, balance.reserved);
  const seen = [
    `open orders: ${listText(listing.open)}`,
    `order history: ${listText(listing.history)}`,
    `${asset} ${isUnchanged ? "unchanged" : `before ${order.availableBefore ?? "unknown"}, now ${now ?? "unknown"}`}`,
  ].join("; ");
  const offset = Math.abs(time.offsetMs);
  const waitMs = (time.windowMs ?? Number.POSITIVE_INFINITY) + MARGIN_MS;
  const provesFrom = order.at + waitMs + offset;
  // The local clock may have been set since, so the time of sending by the exchange's clock is checked too.
  const { exchangeAt = order.at + time.offsetMs } = order;
  const oldest = Math.min(order.at - offset, exchangeAt) - MARGIN_MS;
  const isAbsent = [listing.open, listing.history].every(
    (list) =>
      list?.isWhole === true &&
      list.askedAt >= provesFrom &&
      list.askedAt + time.offsetMs >= exchangeAt + waitMs &&
      !list.orders.some((each) => mayHaveLostItsId(each, order, oldest)),
  );
  return isAbsent && isUnchanged
    ? {
        state: "notPlaced",
        now,
        text: `${seen}; the exchange refuses a request as old as this, so no such order is open or filled`,
      }
    : { state: "unknown", now, text: seen, ...(listing.isRateLimited && { isRateLimited: true }) };
}

/**
 * Some exchanges drop client ids, so a row without one may be this order, unless all its dates are before `oldest` (ms,
 * by the exchange's clock, which dates the rows).
 */
function mayHaveLostItsId(
  { clientId, side, placedAt, fills }: OrderReport,
  order: SearchedOrder,
  oldest: number,
): boolean {
  const times = placedAt === undefined ? fills.map(({ at }) => at) : [placedAt];
  const isOlder = times.length > 0 && times.every((at) => at < oldest);
  return clientId === undefined && side === order.side && !isOlder;
}

function isSame(before: string | undefined, now: Decimal): boolean {
  return before !== undefined && now.eq(before);
}

function listText(list: List | undefined): string {
  if (!list) return "not read";
  return `${list.orders.length} without its client id${list.isWhole ? "" : ", not all readable"}`;
}
