import type { Endpoint } from "../../../src/exchange/endpoints.ts";
import type { Generation } from "../../../src/exchange/endpoints.ts";
import { readResponse } from "../../../src/exchange/wire/envelope.ts";
import type { Payload } from "../../../src/exchange/wire/payload.ts";
import { plainText, type Decimal } from "../../../src/market/numbers/decimal.ts";

/** A response with HTTP 200, parsed as by the client. */
export function answerRead(
  body: string | Buffer,
  endpoint: Endpoint = "openOrders",
  generation?: Generation,
): Payload {
  const answer = { status: 200, retryAfter: undefined, date: undefined, body: Buffer.from(body) };
  return readResponse(answer, { endpoint, generation, now: 0, serverNow: undefined });
}

/** Wraps content in a generation's envelope. */
export function inEnvelope(content: unknown, generation: Generation, beside: object = {}): string {
  return JSON.stringify(
    generation === "C"
      ? { code: "0", message: "success", data: content, ...beside }
      : { error: 0, result: content, ...beside },
  );
}

/** Converts decimals to plain text, for comparison. */
export function withPlainDecimals(value: unknown): unknown {
  if (isDecimal(value)) return plainText(value);
  if (Array.isArray(value)) return value.map(withPlainDecimals);
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(parts.map(([key, part]) => [key, withPlainDecimals(part)]));
}

function isDecimal(value: unknown): value is Decimal {
  return typeof value === "object" && value !== null && "toFixed" in value;
}
