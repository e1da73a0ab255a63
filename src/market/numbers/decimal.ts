import { Big } from "big.js";

/**
 * The number type for money. Strict mode rejects JavaScript numbers, so no float can get in. Division truncates at 40
 * places, so truncating a quotient again to fewer places is exact.
 */
export const Decimal = Big();
Decimal.strict = true;
Decimal.DP = 40;
Decimal.RM = Decimal.roundDown;

export type Decimal = Big;

const CANONICAL = /^(?:0|[1-9]\d{0,29})(?:\.\d{1,30})?$/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const MAX_WIRE_DIGITS = 60;

/** Parses decimal text as a user types it: ASCII digits and at most one point; no sign, exponent, comma or space. */
export function parseDecimal(text: string): Decimal | undefined {
  return CANONICAL.test(text) ? new Decimal(text) : undefined;
}

/**
 * Parses the source text of a JSON number, or a string with one, exactly, including `1.044e-05` and 2^53 + 1. Rejects
 * more than 60 digits or an exponent of more than three digits, which could exhaust memory.
 */
export function parseWireDecimal(source: string): Decimal | undefined {
  if (source.length > MAX_WIRE_DIGITS || !JSON_NUMBER.test(source)) return undefined;
  const value = new Decimal(source);
  return Math.abs(value.e) > MAX_WIRE_DIGITS ? undefined : value;
}

/** Exact digits without exponent or trailing zeros: the form that is signed, sent, logged and confirmed. */
export function plainText(value: Decimal): string {
  return value.toFixed();
}

const PLAIN = /^\d+(?:\.\d+)?$/;

/** A ticker's price as plain decimal text: 1e-8 is "0.00000001". The shortest text that parses to the same number. */
export function priceText(price: number): string {
  const text = String(price);
  return PLAIN.test(text) ? text : new Decimal(text).toFixed();
}

/** Significant digits that a double represents exactly. A price with more contains floating-point noise. */
const EXACT_DIGITS = 15;
/** Significant digits kept of a price with noise. No exchange of this family quotes more. */
const QUOTED_DIGITS = 12;

/** A ticker's price as quoted by the exchange, as plain decimal text: 0.000030000000000000004 is "0.00003". */
export function quotedPrice(price: number): string {
  const exact = priceText(price);
  if (exact.length <= EXACT_DIGITS) return exact;
  const digits = exact.replace(".", "").replace(/^0+/, "");
  return digits.length > EXACT_DIGITS ? priceText(Number(price.toPrecision(QUOTED_DIGITS))) : exact;
}

export function quotedIfKnown(price: number | undefined): string | undefined {
  return price === undefined ? undefined : quotedPrice(price);
}

/** Number of decimals of plain decimal text. */
export function decimalsOf(text: string): number {
  return text.split(".")[1]?.length ?? 0;
}

/** Truncates like an exchange does with the quantity a buyer receives; never rounds up. */
export function truncate(value: Decimal, places: number): Decimal {
  return value.round(places, Decimal.roundDown);
}
