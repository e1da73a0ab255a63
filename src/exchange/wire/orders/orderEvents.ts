import { numberSource, parseExact } from "../exactJson.ts";
import { amountDecimals } from "../../../market/numbers/amountDecimals.ts";
import { Decimal } from "../../../market/numbers/decimal.ts";
import type { Side } from "../../../market/order.ts";
import type { Fill, OrderReport, OrderStatus } from "../../../market/orderReport.ts";
import { repeatedKeys } from "../repeatedKeys.ts";
import { amountOf, fieldsOf, flagOf, positiveOf, parseSide, signedOf, timeOf } from "../fields.ts";
import { decodeId } from "../orderId.ts";
import { isWaiting, waitingTriggerOf } from "./trigger.ts";
import { clientIdOf, type RequestedPair } from "./requested.ts";

/** An order update from the private stream. */
export interface OrderUpdate {
  readonly report: OrderReport;
  /** Total spent so far, including a buy's fee: quote of a buy, base of a sell. Undefined in match events. */
  readonly executed: Decimal | undefined;
}

/** A message of the private stream. */
export type PrivateMessage =
  /** Response to a request of the client; `code` as the service wrote it. */
  | { readonly kind: "response"; readonly to: "auth" | "subscribe" | "ping"; readonly code: string }
  | { readonly kind: "order"; readonly event: OrderUpdate }
  /** An order of the pair changed, but the message does not reveal how: the pair's orders must be polled. */
  | { readonly kind: "unclear"; readonly named: Pick<RequestedPair, "symbol" | "pair"> }
  | { readonly kind: "other" };

/** Resolves the stream's name for a pair; undefined if it is unknown. */
export type NameOf = (symbol: string) => Pick<RequestedPair, "symbol" | "pair"> | undefined;

const OTHER: PrivateMessage = { kind: "other" };
const ANSWERS: ReadonlySet<unknown> = new Set(["auth", "subscribe", "ping"]);
const NOTHING = new Decimal("0");
/** Quantities are truncated to 8 decimals. */
const QUANTITY_SLACK = new Decimal("2e-8");

/**
 * Decodes a text frame received at `at` (local time, ms). Never throws: an unknown message is `other`. A message with a
 * duplicate key is ambiguous, so none of it is used.
 */
export function decodePrivateMessage(text: string, nameOf: NameOf, at: number): PrivateMessage {
  const value = parsed(text);
  const message = fieldsOf(value);
  const isAmbiguous = value !== undefined && repeatedKeys(text).length > 0;
  const kind = message["event"];
  const channel = kind === "order_update" || kind === "match_update" ? kind : message["channel"];
  if (ANSWERS.has(kind)) {
    if (isAmbiguous) return OTHER;
    return { kind: "response", to: kind as "auth", code: numberSource(message["code"]) };
  }
  if (channel !== "order_update" && channel !== "match_update") return OTHER;
  const data = fieldsOf(message["data"]);
  const named = typeof data["symbol"] === "string" ? nameOf(data["symbol"]) : undefined;
  if (!named) return OTHER;
  if (isAmbiguous) return { kind: "unclear", named };
  const asked = { ...named, askedAt: at };
  const event = channel === "order_update" ? decodeOrder(data, asked) : decodeMatch(data, asked);
  return event ? { kind: "order", event } : { kind: "unclear", named };
}

/** Status values. An untriggered stop order is still open. */
const STATUS_WORDS: ReadonlyMap<unknown, OrderStatus> = new Map<string, OrderStatus>([
  ["new", "open"],
  ["open", "open"],
  ["untriggered", "open"],
  ["partial_filled", "open"],
  ["filled", "filled"],
  ["canceled", "cancelled"],
  ["cancelled", "cancelled"],
  ["partial_filled_canceled", "partlyFilledCancelled"],
  ["rejected", "rejected"],
]);

function decodeOrder(data: Readonly<Record<string, unknown>>, asked: RequestedPair): OrderUpdate | undefined {
  const base = baseOf(data, asked);
  const word = data["status"];
  const status = STATUS_WORDS.get(typeof word === "string" ? word.toLowerCase() : word);
  if (!base || !status) return undefined;
  const ordered = positiveOf(data["order_amount"]);
  const executed = amountOf(data["executed_amount"]);
  const isPart = status === "cancelled" && executed?.gt(NOTHING) === true;
  // A market order may give its amount in the other asset.
  const isInBase = isAsset(data["order_currency"], asked.pair.base, base.side === "sell");
  return {
    report: {
      ...base,
      rate: positiveOf(data["price"]),
      status: isPart ? "partlyFilledCancelled" : status,
      // The type stays after the trigger; the status tells.
      trigger: isWaiting(data) ? waitingTriggerOf(data) : "none",
      ...(ordered && (isInBase ? { quantity: ordered } : base.side === "buy" && { amount: ordered })),
      fills: [],
      placedAt: timeOf(data["order_created_at"]),
    },
    executed,
  };
}

/** A match with contradictory figures is rejected: it must not be summed. */
function decodeMatch(data: Readonly<Record<string, unknown>>, asked: RequestedPair): OrderUpdate | undefined {
  const base = baseOf(data, asked);
  const id = decodeId(data["txn_id"]);
  const at = timeOf(data["txn_ts"]);
  const figures = base && figuresOf(data, base.side, asked.pair.quote);
  if (!base || id === undefined || at === undefined || !figures) return undefined;
  const fill: Fill = { id, at, ...figures, isMaker: flagOf(data["is_maker"]) };
  return { report: { ...base, fills: [fill] }, executed: undefined };
}

function baseOf(
  data: Readonly<Record<string, unknown>>,
  { symbol, pair, askedAt }: RequestedPair,
): Pick<OrderReport, "source" | "orderId" | "clientId" | "symbol" | "pair" | "side" | "askedAt"> | undefined {
  const orderId = decodeId(data["order_id"]);
  const side = parseSide(data["side"]);
  if (orderId === undefined || !side) return undefined;
  return {
    source: "push",
    orderId,
    clientId: clientIdOf(data["client_id"]),
    symbol,
    pair,
    side,
    askedAt,
  };
}

/**
 * A buy's fee is included in what was spent; a sell's is deducted from what was received. If credits paid the fee, the
 * amounts exclude it and nothing was charged.
 */
function figuresOf(
  data: Readonly<Record<string, unknown>>,
  side: Side,
  quote: string,
): Pick<Fill, "rate" | "quantity" | "value" | "fee"> | undefined {
  const [rate, executed, received] = [data["price"], data["executed_amount"], data["received_amount"]].map(
    positiveOf,
  );
  const reportedFee = signedOf(data["total_fee"]);
  if (!rate || !executed || !received || !reportedFee) return undefined;
  const isBuy = side === "buy";
  const quantity = isBuy ? received : executed;
  const whole = quantity.times(rate);
  const slack = rate.times(QUANTITY_SLACK).plus(`2e-${amountDecimals(quote)}`);
  const fits = (fee: Decimal): boolean => {
    const expected = isBuy ? executed.minus(fee) : received.plus(fee);
    return whole.minus(expected).abs().lte(slack);
  };
  // A fee barely above the slack is no evidence: an order's last match also includes what truncation left of the
  // others.
  const isPaidByCredits = !fits(reportedFee) && fits(NOTHING) && reportedFee.gt(slack.times("2"));
  if (!fits(reportedFee) && !isPaidByCredits) return undefined;
  const fee = isPaidByCredits ? NOTHING : reportedFee;
  // Received amounts are reported to the last digit. Computed values are not, because exchanges truncate money.
  return { rate, quantity, value: isBuy ? executed.minus(fee) : received.plus(fee), fee };
}

function isAsset(reported: unknown, asset: string, usual: boolean): boolean {
  return typeof reported === "string" && reported !== "" ? reported.toUpperCase() === asset : usual;
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
