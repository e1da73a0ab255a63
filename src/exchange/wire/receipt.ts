import { Decimal, decimalsOf, parseWireDecimal, plainText, truncate } from "../../market/numbers/decimal.ts";
import type { OrderReceipt, LimitOrder, ReceiptDifference } from "../../market/order.ts";
import { redact } from "../../http/redact.ts";
import type { Payload } from "./payload.ts";
import { isRecord, numberSource } from "./exactJson.ts";
import { isNameOf, symbolPattern } from "../../market/pair.ts";
import { isBareOrder, orderIdOf } from "./orderId.ts";
import { clientIdOf } from "./orders/requested.ts";

/**
 * Decodes the id of an accepted order, and the differences between receipt and sent order. An envelope that reports success
 * is an acceptance, with or without a result. A bare response is one only if it is an order.
 */
export function decodeReceipt({ content, enveloped }: Payload, sent: LimitOrder): OrderReceipt | undefined {
  if (!enveloped && !isBareOrder(content)) return undefined;
  const differences = isRecord(content) ? differencesOf(content, sent) : [];
  const clientId = isRecord(content) ? clientIdOf(content["ci"] ?? content["client_id"]) : undefined;
  return {
    orderId: orderIdOf(content),
    ...(clientId !== undefined && { clientId }),
    ...(differences.length > 0 && { differences }),
  };
}

const SIDE_WORDS = { buy: /^(?:buy|bid)$/i, sell: /^(?:sell|ask)$/i } as const;
/** Above any fee of this family. A receipt that deducts more is about something else. */
const MAX_FEE_SHARE = new Decimal("0.02");
/** An order filled at a better price than its limit receives at most this many times its value. */
const MAX_GAIN = "2";

/**
 * Reads the short names of place-bid and place-ask, and the long names of order lists. A missing field, or one of another
 * type, is no difference.
 */
function differencesOf(order: Readonly<Record<string, unknown>>, sent: LimitOrder): ReceiptDifference[] {
  const { side, symbol, pair, amount, rate } = sent;
  const field = (short: string, long: string): unknown => order[short] ?? order[long];
  return [
    figureDifference("amount", amount, field("amt", "amount")),
    figureDifference("rate", rate, field("rat", "rate")),
    wordDifference("symbol", symbol, field("sym", "symbol"), (word) => isNameOf(word, pair)),
    receivedDifference(sent, field("rec", "receive")),
    wordDifference("side", side, field("sd", "side"), (word) => SIDE_WORDS[side].test(word)),
    wordDifference("type", "limit", field("typ", "type"), (word) => /^limit$/i.test(word)),
  ].flatMap((difference) => difference ?? []);
}

function figureDifference(
  field: "amount" | "rate",
  sent: Decimal,
  value: unknown,
): ReceiptDifference | undefined {
  const received = parseWireDecimal(numberSource(value));
  return !received || received.eq(sent)
    ? undefined
    : { field, sent: plainText(sent), returned: plainText(received) };
}

/**
 * The amount received: base of a buy, quote of a sell, after the fee, truncated to any number of decimals, and more if a
 * better offer was available. More than twice the value, or far below it, belongs to the other asset or another order.
 */
function receivedDifference(
  { side, amount, rate, quantity }: LimitOrder,
  value: unknown,
): ReceiptDifference | undefined {
  const received = parseWireDecimal(numberSource(value) ?? "");
  if (!received) return undefined;
  const full = side === "buy" ? amount.div(rate) : amount.times(rate);
  const least = truncate(full.minus(full.times(MAX_FEE_SHARE)), decimalsOf(plainText(received)));
  if (received.gte(least) && received.lte(full.times(MAX_GAIN))) return undefined;
  return { field: "quantity", sent: plainText(quantity), returned: plainText(received) };
}

function wordDifference(
  field: "symbol" | "side" | "type",
  sent: string,
  received: unknown,
  isSame: (received: string) => boolean,
): ReceiptDifference | undefined {
  if (typeof received !== "string" || received === "" || isSame(received)) return undefined;
  return {
    field,
    sent,
    returned: field === "symbol" && symbolPattern.test(received) ? received : redact(received),
  };
}
