import type { Capabilities, NamedPair } from "../../exchange/capabilities.ts";
import type { OrderReport } from "../../market/orderReport.ts";

/** What an exchange may offer about orders. A missing method is not offered. */
export type OrderReads = {
  readonly [Name in "openOrders" | "orderInfo" | "orderHistory"]?: Capabilities[Name] | undefined;
};

type HistoryPage = Awaited<ReturnType<NonNullable<OrderReads["orderHistory"]>>>;

/** More pages are never read at once: 20 pages are some thousand matches of one pair. */
const MOST_PAGES = 20;

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
