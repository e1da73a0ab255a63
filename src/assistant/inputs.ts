import * as z from "zod/mini";
import { intervalNames } from "../market/intervals.ts";
import { plainOf } from "../market/numbers/typedDecimal.ts";
import type { ToolName } from "./access.ts";

// These schemas match the JSON schemas in package.json, which also describe each field. Money is passed as text, because a JSON
// number may lose digits.

/** `BTC/THB`, or the exchange's symbol. */
const pair = z.string().check(z.minLength(1), z.maxLength(64));
const decimal = z.string().check(z.minLength(1), z.maxLength(60));
const count = (most: number) => z.optional(z.int().check(z.minimum(1), z.maximum(most)));

export const inputs = {
  bidside_markets: z.strictObject({
    pair: z.optional(pair),
    filter: z.optional(z.string().check(z.maxLength(40))),
    sort: z.optional(z.enum(["volume", "rise", "fall", "move", "name"])),
    limit: count(50),
  }),
  bidside_candles: z.strictObject({
    pair,
    interval: z.enum(intervalNames),
    limit: count(200),
  }),
  bidside_book: z.strictObject({ pair, levels: count(50) }),
  bidside_alerts: z.strictObject({
    add: z.optional(
      z.strictObject({
        pair,
        kind: z.enum(["above", "below", "change"]),
        price: z.optional(decimal),
        percent: z.optional(decimal),
        minutes: z.optional(z.int().check(z.minimum(1), z.maximum(1440))),
        repeats: z.optional(z.boolean()),
      }),
    ),
  }),
  bidside_account: z.strictObject({}),
  bidside_orders: z.strictObject({ pair: z.optional(pair), limit: count(50) }),
  bidside_prepareOrder: z.strictObject({
    side: z.enum(["buy", "sell"]),
    pair,
    amount: z.optional(decimal),
    quantity: z.optional(decimal),
    rate: decimal,
    postOnly: z.optional(z.boolean()),
  }),
} as const satisfies Record<ToolName, z.ZodMiniType>;

export type Input<Name extends ToolName> = z.infer<(typeof inputs)[Name]>;

/** A checked input, or what was expected of it, without the text that was given. */
export type InputReading = { readonly input: unknown } | { readonly expected: string };

/**
 * Reads what models write for the schema's values, if it means exactly one: null or "" for a field left out, `"5"` for 5,
 * `2990000` for "2990000", `"BUY"` for "buy".
 */
export function readInput(name: ToolName, given: unknown): InputReading {
  const read = inputs[name].safeParse(normalized(given));
  if (read.success) return { input: read.data };
  return { expected: [...new Set(read.error.issues.map(expectation))].slice(0, 5).join("; ") };
}

const COUNTS: ReadonlySet<string> = new Set(["limit", "levels", "minutes"]);
const DECIMALS: ReadonlySet<string> = new Set(["price", "percent", "amount", "quantity", "rate"]);
const FLAGS: ReadonlySet<string> = new Set(["repeats", "postOnly"]);
const WORDS: ReadonlySet<string> = new Set(["side", "kind", "sort"]);
/** A JSON number with more digits may have been rounded. */
const EXACT_DIGITS = 15;

function normalized(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given ?? {};
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null && value !== undefined && value !== "")
      .map(([field, value]) => [field, field === "add" ? normalized(value) : fieldValue(field, value)]),
  );
}

function fieldValue(field: string, value: unknown): unknown {
  if (typeof value === "number") return DECIMALS.has(field) ? exactText(value) : value;
  if (typeof value !== "string") return value;
  if (DECIMALS.has(field)) return plainOf(value);
  const word = value.trim();
  if (COUNTS.has(field) && /^\d{1,4}$/.test(word)) return Number(word);
  if (FLAGS.has(field) && /^(?:true|false)$/i.test(word)) return word.toLowerCase() === "true";
  return WORDS.has(field) ? word.toLowerCase() : value;
}

function exactText(value: number): string | number {
  const text = String(value);
  return /^[\d.]+$/.test(text) && text.replace(".", "").length <= EXACT_DIGITS ? text : value;
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return "no other fields";
  const field = issue.path.filter((part) => /^[A-Za-z]+$/.test(String(part))).join(".") || "input";
  const last = String(issue.path.at(-1));
  if (issue.code === "invalid_value") return `${field} must be one of ${issue.values.join(", ")}`;
  if (COUNTS.has(last)) {
    if (issue.code === "too_big") return `${field} must be at most ${issue.maximum}`;
    if (issue.code === "too_small") return `${field} must be at least ${issue.minimum}`;
    return `${field} must be a whole number`;
  }
  if (DECIMALS.has(last)) return `${field} must be decimal text such as "0.25"`;
  if (FLAGS.has(last)) return `${field} must be true or false`;
  if (last === "pair") return `${field} must be a pair such as "BTC/THB"`;
  if (last === "filter") return `${field} must be a text of at most 40 characters`;
  return `${field} must be an object`;
}
