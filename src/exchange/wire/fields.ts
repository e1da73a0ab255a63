import { isRecord, numberSource } from "./exactJson.ts";
import { Decimal, parseWireDecimal, plainText, truncate } from "../../market/numbers/decimal.ts";
import type { Payload } from "./payload.ts";
import type { Side } from "../../market/order.ts";

/**
 * Units of a numeric time, from the finest: the least number that is in this unit, and ms per unit. Each covers the years
 * 1973 to 5138, so a number has one meaning.
 */
const TIME_UNITS = [
  { from: "1e17", ms: "1e-6" },
  { from: "1e14", ms: "1e-3" },
  { from: "1e11", ms: "1" },
  { from: "0", ms: "1000" },
] as const;
const TIME = /^\d{1,20}(?:\.\d{1,9})?$/;
/** Without an offset, the text could mean the exchange's own time zone. */
const ISO_TIME = /^(\d{4}-\d\d-(\d\d))[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)$/;
const LATEST_MS = 1e14;
const NOTHING = new Decimal("0");

/** A number of zero or more, or text of one. */
export function amountOf(value: unknown): Decimal | undefined {
  const amount = signedOf(value);
  return amount?.gte(NOTHING) ? amount : undefined;
}

/** A number of any sign, or text of one. */
export function signedOf(value: unknown): Decimal | undefined {
  return parseWireDecimal(numberSource(value));
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

/**
 * A time as digits in seconds, ms, µs or ns, or as ISO 8601 text with an offset. Returns ms since the epoch, rounded down.
 */
export function timeOf(value: unknown): number | undefined {
  const text = numberSource(value);
  const ms = TIME.test(text) ? numericTime(text) : isoTime(text);
  return ms > 0 && ms < LATEST_MS ? ms : undefined;
}

function numericTime(text: string): number {
  const number = new Decimal(text);
  const unit = TIME_UNITS.find(({ from }) => number.gte(from));
  return unit ? Number(plainText(truncate(number.times(unit.ms), 0))) : Number.NaN;
}

function isoTime(text: string): number {
  const [, date = "", day, time = "", fraction = "", zone = ""] = ISO_TIME.exec(text) ?? [];
  // `Date.parse` takes 30 February for 1 March.
  if (new Date(`${date}T00:00Z`).getUTCDate() !== Number(day)) return Number.NaN;
  const offset = zone.replace(/(\d\d):?(\d\d)$/, "$1:$2");
  return Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, "0")}${offset}`);
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
