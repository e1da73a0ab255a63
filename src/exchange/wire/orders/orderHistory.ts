import type { Side } from "../../../market/order.ts";
import type { Decimal } from "../../../market/numbers/decimal.ts";
import type { OrderReport } from "../../../market/orderReport.ts";
import type { Payload } from "../payload.ts";
import { countOf, fieldsOf, flagOf, rowsOf, parseSide, timeOf } from "../fields.ts";
import { decodeId } from "../orderId.ts";
import { clientIdOf, isOfOtherPair, type RequestedPair } from "./requested.ts";
import type { UnitHints } from "./fillFigures.ts";
import { decodeMatches, fillsOfOrders } from "./matches.ts";

/** Position of the next page: a cursor or a page number, depending on the service. */
interface HistoryPosition {
  readonly cursor?: string | undefined;
  readonly page?: number | undefined;
}

/** Range of the order history. Times in ms since the epoch. */
export interface HistoryQuery {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Maximum matches per page. */
  readonly limit?: number | undefined;
  /** The previous page's `next`. */
  readonly position?: HistoryPosition | undefined;
  /** What a known buy may spend, in quote: evidence of the unit of its matches. */
  readonly orderedOf?: ((orderId: string) => Decimal | undefined) | undefined;
}

/** The query of a page. The oldest generation uses page numbers and seconds, the others cursors and ms. */
export function historyParameters(
  { from, to, limit, position }: HistoryQuery,
  isOldest: boolean,
): Readonly<Record<string, string | number | undefined>> {
  const time = (ms: number | undefined, round: (value: number) => number): number | undefined =>
    ms === undefined ? undefined : round(isOldest ? ms / 1000 : ms);
  const page = position?.page ?? (isOldest && !position ? 1 : undefined);
  return {
    p: page,
    lmt: limit,
    start: time(from, Math.floor),
    end: time(to, Math.ceil),
    ...(page === undefined && { pagination_type: "keyset" }),
    cursor: position?.cursor,
  };
}

/** One page of a pair's matched orders. Rejected orders, and those cancelled without a match, never appear. */
export interface OrderHistoryPage {
  /** One report per order, with this page's matches: another page may have more of the same order. */
  readonly orders: readonly OrderReport[];
  /** Positions of skipped rows. */
  readonly unreadable: readonly string[];
  /** The next page; undefined on the last one. */
  readonly next?: HistoryPosition | undefined;
}

interface Group {
  readonly orderId: string;
  readonly side: Side;
  readonly rows: unknown[];
  clientId?: string | undefined;
  closedAt?: number | undefined;
}

/**
 * Decodes a page of generation A or B, grouped by order. A match whose figures stay unclear is not a fill but counted
 * in its order's `unclearFills`. `orderedOf`: what a known buy may spend, in quote. Undefined for another shape, or if none of the rows could be read.
 */
export function decodeOrderHistory(
  payload: Payload,
  asked: RequestedPair,
  hints: UnitHints,
  orderedOf: (orderId: string) => Decimal | undefined = () => undefined,
): OrderHistoryPage | undefined {
  const { repeated, pagination } = payload;
  const rows = rowsOf(payload);
  if (!rows) return undefined;
  const groups = new Map<string, Group>();
  const unreadable: string[] = [];
  for (const [index, row] of rows.entries()) {
    const isRead = !repeated?.has(String(index)) && addRow(groups, row, asked);
    if (!isRead) unreadable.push(`#${index}`);
  }
  if (groups.size === 0 && unreadable.length > 0) return undefined;
  const found = [...groups.values()];
  const fills = fillsOfOrders(
    found.map((group) => matchedOrderOf(group, asked, orderedOf)),
    hints,
  );
  const next = nextPage(pagination);
  return {
    orders: found.map((group, index) => ({ ...reportOf(group, asked), ...fills[index] })),
    unreadable,
    ...(next && { next }),
  };
}

function addRow(groups: Map<string, Group>, entry: unknown, { pair }: RequestedPair): boolean {
  const row = fieldsOf(entry);
  const [orderId, txnId] = [decodeId(row["order_id"]), decodeId(row["txn_id"])];
  const side = parseSide(row["side"] ?? row["sd"]);
  if (orderId === undefined || txnId === undefined || !side || isOfOtherPair(row, pair)) return false;
  const group: Group = groups.get(orderId) ?? { orderId, side, rows: [] };
  if (group.side !== side) return false;
  groups.set(orderId, group);
  group.clientId ??= clientIdOf(row["client_id"] ?? row["ci"]);
  group.closedAt ??= timeOf(row["order_closed_at"]);
  group.rows.push(row);
  return true;
}

function matchedOrderOf(
  { orderId, side, rows, closedAt }: Group,
  { pair }: RequestedPair,
  orderedOf: (orderId: string) => Decimal | undefined,
): Parameters<typeof fillsOfOrders>[0][number] {
  const ordered = orderedOf(orderId);
  const found = decodeMatches(rows);
  // A closed order may have been cancelled half filled. Without fees, that half could equal the order in the other unit.
  const isTelling = closedAt !== undefined && found.matches.every(({ fee }) => !fee.eq("0"));
  return { side, quote: pair.quote, ...found, ordered, executed: isTelling ? ordered : undefined };
}

function reportOf({ orderId, side, clientId, closedAt }: Group, asked: RequestedPair): OrderReport {
  const { symbol, pair, askedAt } = asked;
  return { source: "history", orderId, clientId, symbol, pair, side, fills: [], closedAt, askedAt };
}

const CURSOR = /^[\x21-\x7e]{1,1024}$/;
const MAX_PAGES = 100_000;

/** By cursor (`has_next`) or by page number. */
function nextPage(pagination: unknown): HistoryPosition | undefined {
  const { cursor, has_next: hasNext, next } = fieldsOf(pagination);
  if (typeof cursor === "string" && cursor !== "")
    return flagOf(hasNext) === true && CURSOR.test(cursor) ? { cursor } : undefined;
  const page = countOf(next, MAX_PAGES);
  return page === undefined || page === 0 ? undefined : { page };
}
