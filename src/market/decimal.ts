import { Big } from "big.js";

/**
 * The number money is kept in. Strict: it refuses a JavaScript number, so no float can slip in.
 * Division truncates at 40 places, so a quotient truncated again to fewer places is exact.
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
 * The digits of a JSON number (or of a string holding one), exactly: `1.044e-05` and 2^53 + 1 survive.
 * An exponent of more than three digits or more than 60 digits is refused: it could be made to fill memory.
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

/** A ticker's price as plain decimal text, without exponent: 1e-8 is "0.00000001". Shortest text that reads back the same. */
export function priceText(price: number): string {
  return new Decimal(String(price)).toFixed();
}

/** Cuts off, never rounds up: what an exchange does to the quantity a buyer receives. */
export function truncate(value: Decimal, places: number): Decimal {
  return value.round(places, Decimal.roundDown);
}
