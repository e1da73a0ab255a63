/** A JSON number as source text, so that 2^53 + 1 and 18 decimals stay exact. */
export class NumberText {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * Parses JSON with every number as `NumberText`. Throws the errors of JSON.parse, and RangeError if nested too deeply.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === "number" ? new NumberText(source ?? String(value)) : value,
  );
}

/** Whether the value is a JSON object: not null, an array or a `NumberText`. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  );
}

/** The digits of a number or of text; "" for anything else. */
export function numberSource(value: unknown): string {
  if (value instanceof NumberText) return value.source;
  return typeof value === "string" ? value.trim() : "";
}
