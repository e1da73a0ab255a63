import type { Capabilities } from "../../exchange/capabilities.ts";
import type { ClockSample } from "../../exchange/signing/serverClock.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import type { OrderReport } from "../../market/orderReport.ts";
import type { NamedPair, Pair } from "../../market/pair.ts";
import type { OrderIntent } from "../../storage/orders/records.ts";

/** The order queries of an exchange. Those it does not offer are missing. */
export type OrderReads = {
  readonly [Name in "openOrders" | "orderInfo" | "orderHistory"]?: Capabilities[Name] | undefined;
};

/** The same queries, whose history is decoded with what known buys may spend, in quote. */
export function withOrderedAmounts(
  { openOrders, orderInfo, orderHistory }: OrderReads,
  orderedOf: (pair: Pair, orderId: string) => Decimal | undefined,
): OrderReads {
  if (!orderHistory) return { openOrders, orderInfo };
  return {
    openOrders,
    orderInfo,
    orderHistory: (query, gate) =>
      orderHistory({ ...query, orderedOf: (orderId) => orderedOf(query.pair, orderId) }, gate),
  };
}

type HistoryPage = Awaited<ReturnType<NonNullable<OrderReads["orderHistory"]>>>;

/** Maximum pages per read: 20 pages are some thousand matches of one pair. */
const MAX_PAGES = 20;

/** The history is read from this long before the order, because it may lag and clocks differ. */
const BEFORE_MS = 60_000;

/**
 * The start of a history query that must contain the matches of an order placed at `placedAt` by the local clock; all
 * in ms. The exchange dates matches by its own clock, and the local clock may be ahead or may have been set back. If
 * the offset is unknown, the history is read from its beginning (0).
 */
export function historyFrom(placedAt: number, clock: ClockSample | undefined, now: number): number {
  if (!clock || placedAt > now) return 0;
  return Math.max(0, placedAt + Math.min(0, clock.offset) - BEFORE_MS);
}

/**
 * The same for an order without a response, sent at `at` by the local clock of that time. The clock may have been set
 * since, so the time of sending by the exchange's clock counts too. If that is unknown, the history is read from its
 * beginning (0).
 */
export function searchFrom(
  { at, exchangeAt }: Pick<OrderIntent, "at" | "exchangeAt">,
  clock: ClockSample | undefined,
  now: number,
): number {
  if (exchangeAt === undefined) return 0;
  return Math.max(0, Math.min(exchangeAt - BEFORE_MS, historyFrom(at, clock, now)));
}

/** The matched orders of a pair since `from` (ms). `isWhole` is false if rows or pages are missing. */
export async function readHistory(
  { orderHistory }: OrderReads,
  named: NamedPair,
  from: number,
): Promise<{ readonly orders: readonly OrderReport[]; readonly isWhole: boolean } | undefined> {
  if (!orderHistory) return undefined;
  const orders: OrderReport[] = [];
  let position: HistoryPage["next"];
  let isWhole = true;
  for (let page = 0; page < MAX_PAGES; page++) {
    const read: HistoryPage = await orderHistory({ ...named, from, position });
    orders.push(...read.orders);
    isWhole &&= read.unreadable.length === 0;
    position = read.next;
    if (!position) return { orders, isWhole };
  }
  return { orders, isWhole: false };
}
