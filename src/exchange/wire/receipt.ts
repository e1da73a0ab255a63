import { parseWireDecimal, plainText, type Decimal } from "../../market/numbers/decimal.ts";
import type { OrderReceipt, LimitOrder, ReceiptDifference } from "../../market/order.ts";
import { redact } from "../redact.ts";
import type { Payload } from "./envelope.ts";
import { isRecord, numberSource } from "../../market/exactJson.ts";
import { isBareOrder, orderIdOf } from "./orderId.ts";

/**
 * The id of an accepted order, and the differences between the receipt and the sent order. An envelope that reports
 * success accepts, with or without a result. A bare answer accepts only if it is an order.
 */
export function decodeReceipt({ content, enveloped }: Payload, sent: LimitOrder): OrderReceipt | undefined {
  if (!enveloped && !isBareOrder(content)) return undefined;
  const differences = isRecord(content) ? differencesOf(content, sent) : [];
  return { orderId: orderIdOf(content), ...(differences.length > 0 && { differences }) };
}

/**
 * By the short names of place-bid and the long names of order lists. A missing field, or a value of another kind, is
 * no difference.
 */
function differencesOf(order: Readonly<Record<string, unknown>>, sent: LimitOrder): ReceiptDifference[] {
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
 * One exchange may name a pair in both orders and cases: `THB_BTC` in one endpoint, `btc_thb` in another. No exchange lists
 * a pair and its mirror, so the order tells nothing.
 */
function isSamePair(sent: string, told: string): boolean {
  return assetsOf(sent) === assetsOf(told);
}

function assetsOf(symbol: string): string {
  return symbol.toUpperCase().split("_").sort().join("_");
}
