import type { Capabilities, NamedPair } from "../../exchange/capabilities.ts";
import type { ClockSample } from "../../exchange/signing/serverClock.ts";
import type { OrderReport } from "../../market/orderReport.ts";
import type { OrderIntent } from "../../storage/orders/records.ts";

/** What an exchange may offer about orders. A missing method is not offered. */
export type OrderReads = {
  readonly [Name in "openOrders" | "orderInfo" | "orderHistory"]?: Capabilities[Name] | undefined;
};

type HistoryPage = Awaited<ReturnType<NonNullable<OrderReads["orderHistory"]>>>;

/** More pages are never read at once: 20 pages are some thousand matches of one pair. */
const MOST_PAGES = 20;

/** A history may lag, and clocks are not exact: it is read from this time before the order. */
const BEFORE_MS = 60_000;

/**
 * From when a history has the matches of an order that was placed at `placedAt` by this computer's clock; all in ms. The
 * exchange dates matches by its own clock, and this computer's may be ahead, or was and has been set back: without a
 * measured clock, a history is read from its beginning (0).
 */
export function historyFrom(placedAt: number, clock: ClockSample | undefined, now: number): number {
  if (!clock || placedAt > now) return 0;
  return Math.max(0, placedAt + Math.min(0, clock.offset) - BEFORE_MS);
}

/**
 * From when a history has the matches of an unanswered order, which was sent `at` by this computer's clock then. That clock
 * may have been set since, so the time by the exchange's clock counts too. Where that was not known, a history is read
 * from its beginning (0).
 */
export function searchFrom(
  { at, exchangeAt }: Pick<OrderIntent, "at" | "exchangeAt">,
  clock: ClockSample | undefined,
  now: number,
): number {
  if (exchangeAt === undefined) return 0;
  return Math.max(0, Math.min(exchangeAt - BEFORE_MS, historyFrom(at, clock, now)));
}

/** The matched orders of a pair since `from` (ms). `isWhole` is false if a row or a page was left out. */
export async function readHistory(
  { orderHistory }: OrderReads,
  named: NamedPair,
  from: number,
): Promise<{ readonly orders: readonly OrderReport[]; readonly isWhole: boolean } | undefined> {
  if (!orderHistory) return undefined;
  const orders: OrderReport[] = [];
  let position: HistoryPage["next"];
  let isWhole = true;
  for (let page = 0; page < MOST_PAGES; page++) {
    const read: HistoryPage = await orderHistory(named, { from, position });
    orders.push(...read.orders);
    isWhole &&= read.unreadable.length === 0;
    position = read.next;
    if (!position) return { orders, isWhole };
  }
  return { orders, isWhole: false };
}
