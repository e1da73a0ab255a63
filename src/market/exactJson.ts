/** A JSON number as its digits in the text, so that 2^53 + 1 and 18 decimals stay exact. */
export class NumberText {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * JSON with every number as `NumberText`. Throws the errors of JSON.parse, and RangeError if the nesting is too deep.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === "number" ? new NumberText(source ?? String(value)) : value,
  );
}

/** A JSON object: not null, not an array, and not a `NumberText`. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  );
}

/** The digits of a number, or of a text that contains one; "" for anything else. */
export function numberSource(value: unknown): string {
  if (value instanceof NumberText) return value.source;
  return typeof value === "string" ? value.trim() : "";
}
