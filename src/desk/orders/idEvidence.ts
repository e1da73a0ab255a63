import { knownBalance, type Wallet } from "../../market/balance.ts";
import { type Decimal, plainText } from "../../market/numbers/decimal.ts";
import { assetsOf, sideOf } from "../../market/order.ts";
import type { OrderReport } from "../../market/orderReport.ts";
import type { OrderIntent } from "../../storage/orders/records.ts";
import type { Evidence, WeighedOrder } from "./balanceEvidence.ts";

/** The data needed to search for an order by its client id. */
export type SearchedOrder = WeighedOrder &
  Pick<OrderIntent, "at" | "exchangeAt" | "clientId" | "reservedBefore">;

/** One list of an exchange. */
interface List {
  readonly orders: readonly OrderReport[];
  /** Whether all rows were readable. */
  readonly isWhole: boolean;
  /** The local time right before its request. */
  readonly askedAt: number;
}

/** The lists of the order's pair; undefined: not offered, or not read. */
export interface OrderListing {
  readonly open: List | undefined;
  readonly history: List | undefined;
  /** A list could not be read because of a rate limit, which ends. */
  readonly isRateLimited?: boolean | undefined;
}

/** The exchange's time, as far as known. All in ms. */
export interface ServiceTime {
  /** The exchange rejects signed requests older than this; undefined if it does not state a limit. */
  readonly windowMs: number | undefined;
  /** Offset to add to the local clock. */
  readonly offsetMs: number;
}

/** Clocks and networks are not exact to the ms, and a list may lag a little. */
const MARGIN_MS = 10_000;

/**
 * The evidence of an exchange that takes client order ids. A row with the order's id proves that the order was placed.
 * Absence proves nothing, with one exception: the exchange states that it refuses old requests, that time is over, both
 * lists are whole and do not have the id, and neither the available nor the reserved balance has changed. The balance
 * alone never decides: a stranger's change may have exactly the amount of the order. An order that somebody cancelled
 * before it was seen looks absent too: it is neither open nor filled.
 */
export function weighById(
  order: SearchedOrder,
  listing: OrderListing,
  wallet: Wallet,
  time: ServiceTime,
): Evidence {
  const asset = assetsOf(sideOf(order), order).amount;
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
  // The local clock may have been set since, so the exchange's time of sending counts too.
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
 * Some exchanges drop client ids: a row without one may be the order, unless all that it dates is before `oldest`. The
 * exchange dates rows by its own clock.
 */
function mayHaveLostItsId(
  { clientId, side, placedAt, fills }: OrderReport,
  order: SearchedOrder,
  oldest: number,
): boolean {
  const times = placedAt === undefined ? fills.map(({ at }) => at) : [placedAt];
  const isOlder = times.length > 0 && times.every((at) => at < oldest);
  return clientId === undefined && side === sideOf(order) && !isOlder;
}

function isSame(before: string | undefined, now: Decimal): boolean {
  return before !== undefined && now.eq(before);
}

function listText(list: List | undefined): string {
  if (!list) return "not read";
  return `${list.orders.length} without its client id${list.isWhole ? "" : ", not all readable"}`;
}
