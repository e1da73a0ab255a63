import { parseWireDecimal, plainText, type Decimal } from "../../market/numbers/decimal.ts";
import type { BidReceipt, LimitBid, ReceiptDifference } from "../../market/order.ts";
import { redact } from "../redact.ts";
import type { Payload } from "./envelope.ts";
import { isRecord, numberSource, NumberText } from "./exactJson.ts";

/**
 * The id of an accepted bid, and the differences between the receipt and what was sent. An envelope that reports
 * success accepts, with or without a result. A bare answer accepts only if it is an order.
 */
export function decodeReceipt({ content, enveloped }: Payload, sent: LimitBid): BidReceipt | undefined {
  if (!enveloped && !isBareOrder(content)) return undefined;
  const differences = isRecord(content) ? differencesOf(content, sent) : [];
  return { orderId: orderIdOf(content), ...(differences.length > 0 && { differences }) };
}

/** It must have an id and echo a field of the bid, because a gateway's error may have an `id` too. */
export function isBareOrder(content: unknown): boolean {
  const order = isRecord(content) ? content : {};
  return orderIdOf(order) !== undefined && ["typ", "amt", "rat"].some((field) => order[field] !== undefined);
}

/** The id of an order as text; undefined without an id that can be kept. */
export function orderIdOf(content: unknown): string | undefined {
  return isRecord(content) ? decodeId(content["id"]) : undefined;
}

/** Printable ASCII, like every known order id. Integers keep their digits. */
function decodeId(id: unknown): string | undefined {
  if (id instanceof NumberText) return /^\d{1,40}$/.test(id.source) ? id.source : undefined;
  return typeof id === "string" && /^[\x21-\x7e]{1,128}$/.test(id) ? id : undefined;
}

/**
 * By the short names of place-bid and the long names of order lists. A missing field, or a value of another kind, is
 * no difference.
 */
function differencesOf(order: Readonly<Record<string, unknown>>, sent: LimitBid): ReceiptDifference[] {
  const { symbol, amount, rate } = sent;
  const told = (short: string, long: string): unknown => order[short] ?? order[long];
  return [
    figureDifference("amount", amount, told("amt", "amount")),
    figureDifference("rate", rate, told("rat", "rate")),
    wordDifference("symbol", symbol, told("sym", "symbol"), isSamePair),
    wordDifference("side", "buy", told("sd", "side"), (_, side) => /^(?:buy|bid)$/i.test(side)),
    wordDifference("type", "limit", told("typ", "type"), (_, type) => /^limit$/i.test(type)),
  ].flatMap((difference) => difference ?? []);
}

function figureDifference(
  field: "amount" | "rate",
  sent: Decimal,
  value: unknown,
): ReceiptDifference | undefined {
  const told = parseWireDecimal(numberSource(value) ?? "");
  return !told || told.eq(sent) ? undefined : { field, sent: plainText(sent), told: plainText(told) };
}

const SYMBOL = /^[A-Za-z0-9.-]{1,24}_[A-Za-z0-9.-]{1,24}$/;

function wordDifference(
  field: "symbol" | "side" | "type",
  sent: string,
  told: unknown,
  isSame: (sent: string, told: string) => boolean,
): ReceiptDifference | undefined {
  if (typeof told !== "string" || told === "" || isSame(sent, told)) return undefined;
  return { field, sent, told: field === "symbol" && SYMBOL.test(told) ? told : redact(told) };
}

/**
 * Exchanges name a pair in either case. The sent symbol is in the symbol order of the profile, and in that order the
 * mirrored symbol is another pair, with base and quote exchanged.
 */
function isSamePair(sent: string, told: string): boolean {
  return sent.toUpperCase() === told.toUpperCase();
}
