import { Big } from "big.js";

/**
 * The number type for money. It is strict: it refuses a JavaScript number, so no float can get in. Division truncates
 * at 40 places, so a quotient truncated again to fewer places is exact.
 */
export const Decimal = Big();
Decimal.strict = true;
Decimal.DP = 40;
Decimal.RM = Decimal.roundDown;

export type Decimal = Big;

const CANONICAL = /^(?:0|[1-9]\d{0,29})(?:\.\d{1,30})?$/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const MAX_WIRE_DIGITS = 60;

/** Decimal text as a person types it: ASCII digits, at most one point. No sign, exponent, comma or space. */
export function parseDecimal(text: string): Decimal | undefined {
  return CANONICAL.test(text) ? new Decimal(text) : undefined;
}

/**
 * The exact digits of a JSON number (or of a string with one), including `1.044e-05` and 2^53 + 1. More than 60
 * digits, or an exponent of more than three digits, is refused, because it could fill the memory.
 */
export function parseWireDecimal(source: string): Decimal | undefined {
  if (source.length > MAX_WIRE_DIGITS || !JSON_NUMBER.test(source)) return undefined;
  const value = new Decimal(source);
  return Math.abs(value.e) > MAX_WIRE_DIGITS ? undefined : value;
}

/** Exact digits with no exponent and no trailing zeros: what is signed, sent, logged and confirmed. */
export function plainText(value: Decimal): string {
  return value.toFixed();
}

/** A text without sign and exponent. */
const PLAIN = /^\d+(?:\.\d+)?$/;

/** A ticker's price as plain decimal text, without exponent: 1e-8 is "0.00000001". Shortest text that reads back the same. */
export function priceText(price: number): string {
  const text = String(price);
  return PLAIN.test(text) ? text : new Decimal(text).toFixed();
}

/** Significant digits that a binary fraction keeps exactly. A price with more of them contains noise of arithmetic. */
const EXACT_DIGITS = 15;
/** Significant digits kept of a price with noise. No exchange of this family quotes more. */
const QUOTED_DIGITS = 12;

/** A ticker's price as its exchange quotes it, as plain decimal text: 0.000030000000000000004 is "0.00003". */
export function quotedPrice(price: number): string {
  const exact = priceText(price);
  if (exact.length <= EXACT_DIGITS) return exact;
  const digits = exact.replace(".", "").replace(/^0+/, "");
  return digits.length > EXACT_DIGITS ? priceText(Number(price.toPrecision(QUOTED_DIGITS))) : exact;
}

/** The same for a price that may be unknown. */
export function quotedIfKnown(price: number | undefined): string | undefined {
  return price === undefined ? undefined : quotedPrice(price);
}

/** How many decimals a plain decimal text has. */
export function decimalsOf(text: string): number {
  return text.split(".")[1]?.length ?? 0;
}

/** Truncates, never rounds up, like an exchange does with the quantity that a buyer receives. */
export function truncate(value: Decimal, places: number): Decimal {
  return value.round(places, Decimal.roundDown);
}
