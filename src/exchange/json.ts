/** A JSON number as its digits stand in the text: 2^53 + 1 and 18 decimals survive. */
export class NumberText {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** JSON with every number as `NumberText`. Throws what JSON.parse throws, and RangeError where it is nested too deep. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === "number" ? new NumberText(source ?? String(value)) : value,
  );
}

/** A JSON object: neither null, nor an array, nor a number's text. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  );
}

/** The digits of a number, or of a text that holds one; undefined for anything else. */
export function numberSource(value: unknown): string | undefined {
  if (value instanceof NumberText) return value.source;
  return typeof value === "string" ? value.trim() : undefined;
}
