import { isDeepStrictEqual } from "node:util";
import { orderedAs, type OrderReport } from "../../../market/orderReport.ts";
import type { Payload } from "../payload.ts";
import { fieldsOf, rowsOf, positiveOf, parseSide, timeOf } from "../fields.ts";
import { decodeId, linkedId } from "../orderId.ts";
import { triggerOf } from "./trigger.ts";
import { clientIdOf, isOfOtherPair, type RequestedPair } from "./requested.ts";

export interface OpenOrdersResponse {
  readonly orders: readonly OrderReport[];
  /** Positions of skipped rows. If there are any, no order is proven to be absent. */
  readonly unreadable: readonly string[];
}

/**
 * Decodes open orders of generation A (numbers, upper case, seconds) or B (text, lower case, ms). `amount` is what is
 * spent: quote of a buy, base of a sell; `receive` is what is received. Two different rows with the same id are both
 * skipped. Undefined for another shape, or if none of the rows could be read.
 */
export function decodeOpenOrders(payload: Payload, asked: RequestedPair): OpenOrdersResponse | undefined {
  const rows = rowsOf(payload);
  const { repeated } = payload;
  if (!rows) return undefined;
  const found = new Map<
    string,
    { readonly order: OrderReport; readonly row: unknown; readonly at: string }
  >();
  const ambiguous = new Set<string>();
  const unreadable: string[] = [];
  for (const [index, row] of rows.entries()) {
    const at = `#${index}`;
    const order = repeated?.has(String(index)) ? undefined : decodeOpenOrder(row, asked);
    const before = order && found.get(order.orderId);
    if (!order || ambiguous.has(order.orderId)) unreadable.push(at);
    else if (!before) found.set(order.orderId, { order, row, at });
    else if (!isDeepStrictEqual(row, before.row)) {
      found.delete(order.orderId);
      ambiguous.add(order.orderId);
      unreadable.push(before.at, at);
    }
  }
  if (found.size === 0 && unreadable.length > 0) return undefined;
  return { orders: [...found.values()].map(({ order }) => order), unreadable };
}

function decodeOpenOrder(entry: unknown, { symbol, pair, askedAt }: RequestedPair): OrderReport | undefined {
  const row = fieldsOf(entry);
  const orderId = decodeId(row["id"]);
  const side = parseSide(row["side"] ?? row["sd"]);
  const leaves = positiveOf(row["amount"] ?? row["amt"]);
  if (orderId === undefined || !side || !leaves || isOfOtherPair(row, pair)) return undefined;
  const arrives = positiveOf(row["receive"] ?? row["rec"]);
  const earlierIds = [linkedId(row["parent_id"]), linkedId(row["super_id"])]
    .flatMap((id) => id ?? [])
    .filter((id) => id !== orderId);
  return {
    source: "list",
    orderId,
    ...(earlierIds.length > 0 && { otherIds: [...new Set(earlierIds)] }),
    clientId: clientIdOf(row["client_id"] ?? row["ci"]),
    symbol,
    pair,
    side,
    rate: positiveOf(row["rate"] ?? row["rat"]),
    status: "open",
    trigger: triggerOf(row),
    quantity: arrives,
    ...orderedAs(side, leaves),
    fills: [],
    placedAt: timeOf(row["ts"]),
    askedAt,
  };
}
