import type { NamedOrder } from "../../../market/order.ts";
import { orderedAs, type OrderReport, type OrderStatus } from "../../../market/orderReport.ts";
import type { Payload } from "../payload.ts";
import { amountOf, fieldsOf, flagOf, listOf, positiveOf, parseSide } from "../fields.ts";
import { decodeId, linkedId } from "../orderId.ts";
import type { Decimal } from "../../../market/numbers/decimal.ts";
import { clientIdOf, isOfOtherPair, type RequestedPair } from "./requested.ts";
import type { UnitHints } from "./fillFigures.ts";
import { isWaiting, triggerOf, waitingTriggerOf } from "./trigger.ts";
import { decodeMatches, fillsOfOrders } from "./matches.ts";

export type RequestedOrder = NamedOrder & RequestedPair;

/**
 * Decodes an order's details. Undefined for another shape, another order, or a duplicate key. A match that cannot be read,
 * or whose figures stay unclear, is not a fill but counted in `unclearFills`.
 */
export function decodeOrderInfo(
  { content, repeated }: Payload,
  asked: RequestedOrder,
  hints: UnitHints,
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
  const total = positiveOf(order["amount"]) ?? positiveOf(order["total"]);
  const status = statusOf(order, matches.length > 0);
  // For closed orders, some services report what is still reserved: zero, even if nothing was filled.
  const remaining = side === "sell" && status === "open" ? amountOf(order["remaining"]) : undefined;
  // The order may answer to an earlier id than the one it has now.
  const last = linkedId(order["last"]) ?? decodeId(order["id"]);
  const laterId = last === orderId ? undefined : last;
  const otherIds = known.filter((id) => id !== orderId);
  const [read] = fillsOfOrders(
    [
      {
        side,
        quote: pair.quote,
        ...decodeMatches(matches),
        ordered: total,
        executed: status === "filled" ? total : executedOf(order, total),
      },
    ],
    hints,
  );
  return {
    source: "info",
    orderId,
    ...(otherIds.length > 0 && { otherIds }),
    laterId,
    clientId: clientIdOf(order["client_id"] ?? order["ci"]),
    symbol,
    pair,
    side,
    rate: positiveOf(order["rate"]),
    status,
    trigger: isWaiting(order) ? waitingTriggerOf(order) : triggerOf(order),
    ...orderedAs(side, total),
    ...(remaining && { remaining }),
    fills: [],
    ...read,
    askedAt,
  };
}

/** Status values; the fills decide whether `cancelled` was preceded by a partial fill. */
const STATUS_WORDS: ReadonlyMap<unknown, OrderStatus> = new Map<string, OrderStatus>([
  ["filled", "filled"],
  ["unfilled", "open"],
  ["open", "open"],
  ["new", "open"],
  ["untriggered", "open"],
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

/** The part of a buy that is filled, if the rest adds up to the order: else its unit is unknown. */
function executedOf(
  order: Readonly<Record<string, unknown>>,
  total: Decimal | undefined,
): Decimal | undefined {
  const [filled, rest] = [positiveOf(order["filled"]), positiveOf(order["remaining"])];
  return total && filled && rest && filled.plus(rest).eq(total) ? filled : undefined;
}
