import { isRecord, numberSource } from "./exactJson.ts";
import { Decimal, parseWireDecimal } from "../../market/numbers/decimal.ts";
import type { Payload } from "./payload.ts";
import type { Side } from "../../market/order.ts";

/** Times below this are in seconds: as ms it would be a day in 1973. */
export const SECONDS_BELOW = 1e11;
const LATEST_MS = 1e14;
const NOTHING = new Decimal("0");

/** A number of zero or more, or text of one. */
export function amountOf(value: unknown): Decimal | undefined {
  const amount = parseWireDecimal(numberSource(value));
  return amount?.gte(NOTHING) ? amount : undefined;
}

/** A number above zero, or text of one. */
export function positiveOf(value: unknown): Decimal | undefined {
  const amount = amountOf(value);
  return amount?.gt(NOTHING) ? amount : undefined;
}

/** An integer from 0 to `most`, or text of one. */
export function countOf(value: unknown, most: number): number | undefined {
  const count = /^\d{1,9}$/.test(numberSource(value)) ? Number(numberSource(value)) : most + 1;
  return count <= most ? count : undefined;
}

/** A time in seconds or ms, as a number or digits. Returns ms since the epoch. */
export function timeOf(value: unknown): number | undefined {
  const text = numberSource(value);
  if (!/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) return undefined;
  const given = Number(text);
  const ms = Math.round(given < SECONDS_BELOW ? given * 1000 : given);
  return ms > 0 && ms < LATEST_MS ? ms : undefined;
}

/** An order side, in any wording and case used in this family. */
export function parseSide(value: unknown): Side | undefined {
  if (typeof value !== "string") return undefined;
  if (/^(?:buy|bid)$/i.test(value)) return "buy";
  return /^(?:sell|ask)$/i.test(value) ? "sell" : undefined;
}

/** A boolean, also as 0 and 1 or text; undefined for anything else. */
export function flagOf(value: unknown): boolean | undefined {
  const text = typeof value === "boolean" ? String(value) : numberSource(value);
  if (/^(?:1|true)$/i.test(text)) return true;
  return /^(?:0|false)$/i.test(text) ? false : undefined;
}

/** A list of a response. Some services write `null` for an empty one; undefined for another shape. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  if (value === null) return [];
  return Array.isArray(value) ? value : undefined;
}

/** The rows of a response that is a list. `null` means empty only inside an envelope: a bare `null` proves nothing. */
export function rowsOf({ content, enveloped }: Payload): readonly unknown[] | undefined {
  return content === null && !enveloped ? undefined : listOf(content);
}

/** The entry's fields; empty if it is not an object. */
export function fieldsOf(entry: unknown): Readonly<Record<string, unknown>> {
  return isRecord(entry) ? entry : {};
}
