import { compareOrderIds, type NamedOrder, type Side } from "../../../market/order.ts";
import type { Fill, OrderReport, OrderStatus } from "../../../market/orderReport.ts";
import type { Payload } from "../payload.ts";
import { amountOf, fieldsOf, flagOf, listOf, positiveOf, parseSide, timeOf } from "../fields.ts";
import { decodeId, linkedId } from "../orderId.ts";
import { Decimal } from "../../../market/numbers/decimal.ts";
import { clientIdOf, isOfOtherPair, type RequestedPair } from "./requested.ts";
import { figuresOfMatch, type AmountOfBuys } from "./fillFigures.ts";

export type RequestedOrder = NamedOrder & RequestedPair;

const NOTHING = new Decimal("0");

/**
 * Decodes an order's details. Undefined for another shape, another order, or a duplicate key. A match that cannot be read,
 * or whose amount fits neither unit, is not a fill but counted in `unclearFills`.
 */
export function decodeOrderInfo(
  { content, repeated }: Payload,
  asked: RequestedOrder,
  amountOfBuys: AmountOfBuys,
): OrderReport | undefined {
  const order = fieldsOf(content);
  const { orderId, symbol, pair, side, askedAt } = asked;
  const ids = [decodeId(order["id"]), ...["first", "parent", "last"].map((key) => linkedId(order[key]))];
  const known = [...new Set(ids.flatMap((id) => id ?? []))];
  const reportedSide = parseSide(order["side"] ?? order["sd"]) ?? side;
  if (repeated || !known.includes(orderId) || reportedSide !== side || isOfOtherPair(order, pair))
    return undefined;
  const matches = listOf(order["history"] ?? null);
  if (!matches) return undefined;
  const { fills, unclear } = fillsOf(matches, side, amountOfBuys);
  const total = positiveOf(order["amount"]) ?? positiveOf(order["total"]);
  const status = statusOf(order, fills.length + unclear > 0);
  // For closed orders, some services report what is still reserved: zero, even if nothing was filled.
  const remaining = side === "sell" && status === "open" ? amountOf(order["remaining"]) : undefined;
  const last = linkedId(order["last"]);
  // Only `last` names a later id of the same order.
  const otherIds = known.filter((id) => (id === last ? id !== orderId : compareOrderIds(id, orderId) < 0));
  return {
    orderId,
    ...(otherIds.length > 0 && { otherIds }),
    clientId: clientIdOf(order["client_id"] ?? order["ci"]),
    symbol,
    pair,
    side,
    rate: positiveOf(order["rate"]),
    status,
    ...(side === "sell" ? { quantity: total } : { amount: total }),
    ...(remaining && { remaining }),
    fills,
    ...(unclear > 0 && { unclearFills: unclear }),
    askedAt,
  };
}

/** Status values; the fills decide whether `cancelled` was preceded by a partial fill. */
const STATUS_WORDS: ReadonlyMap<unknown, OrderStatus> = new Map<string, OrderStatus>([
  ["filled", "filled"],
  ["unfilled", "open"],
  ["open", "open"],
  ["new", "open"],
  ["partial_filled", "open"],
  ["cancelled", "cancelled"],
  ["canceled", "cancelled"],
  ["partial_filled_canceled", "cancelled"],
  ["rejected", "rejected"],
]);

/** Undefined for unknown values. */
function statusOf(order: Readonly<Record<string, unknown>>, hasFills: boolean): OrderStatus | undefined {
  const { status: word, partial_filled: isPartlyFilled, filled } = order;
  const status = STATUS_WORDS.get(typeof word === "string" ? word.toLowerCase() : word);
  const isPart = hasFills || flagOf(isPartlyFilled) === true || positiveOf(filled) !== undefined;
  return status === "cancelled" && isPart ? "partlyFilledCancelled" : status;
}

/** Each match once. Different matches with the same id count as one unclear match. */
function fillsOf(
  matches: readonly unknown[],
  side: Side,
  amountOfBuys: AmountOfBuys,
): { readonly fills: readonly Fill[]; readonly unclear: number } {
  const fills = new Map<string, Fill>();
  const unclearIds = new Set<string>();
  let unclear = 0;
  for (const entry of matches) {
    const id = decodeId(fieldsOf(entry)["txn_id"]);
    if (id === undefined) {
      unclear += 1;
      continue;
    }
    const fill = decodeFill(id, entry, side, amountOfBuys);
    const before = fills.get(id);
    if (!fill || (before && !isSameMatch(before, fill))) unclearIds.add(id);
    else fills.set(id, fill);
  }
  for (const id of unclearIds) fills.delete(id);
  return { fills: [...fills.values()], unclear: unclear + unclearIds.size };
}

/** A match of an order's details or of the order history. */
export function decodeFill(
  id: string,
  entry: unknown,
  side: Side,
  amountOfBuys: AmountOfBuys,
): Fill | undefined {
  const row = fieldsOf(entry);
  const [amount, rate] = [positiveOf(row["amount"]), positiveOf(row["rate"])];
  const [fee, credit] = [amountOf(row["fee"]), amountOf(row["credit"]) ?? NOTHING];
  const at = timeOf(row["timestamp"] ?? row["ts"]);
  if (!amount || !rate || !fee || at === undefined) return undefined;
  const figures = figuresOfMatch({ side, amount, rate, fee, credit }, amountOfBuys);
  return figures && { id, at, rate, ...figures, isMaker: flagOf(row["is_maker"]) };
}

/** Whether two rows with the same id describe the same match. */
export function isSameMatch(a: Fill, b: Fill): boolean {
  return a.at === b.at && a.rate.eq(b.rate) && a.quantity.eq(b.quantity) && a.fee.eq(b.fee);
}
