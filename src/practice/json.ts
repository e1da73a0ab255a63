/** A number as the client wrote it, because `1000.00` and `1e3` are invalid amounts. */
export class JsonNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** A string of JSON text. Only a key is followed by a colon. */
const STRING = /("(?:[^"\\]|\\.)*")(\s*:)?/g;

/** Parses JSON with numbers as `JsonNumber`. Throws the errors of JSON.parse. */
export function readJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, { source }) =>
    typeof value === "number" ? new JsonNumber(source ?? String(value)) : value,
  );
}

/**
 * A key that valid JSON text has twice: a parser drops one of its values without a word. Bodies are flat, so objects
 * within objects share their names.
 */
export function repeatedKey(text: string): string | undefined {
  const keys = Array.from(text.matchAll(STRING)).flatMap(([, key = "", colon]) =>
    colon === undefined ? [] : [String(JSON.parse(key))],
  );
  return keys.find((key, at) => keys.indexOf(key) !== at);
}

/** The fields of a JSON object; undefined for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === "object" && value !== null;
  return isObject && !Array.isArray(value) && !(value instanceof JsonNumber)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** The digits of a number in JSON or of the text of a query; "" for anything else. */
export function digitsIn(value: unknown): string {
  if (value instanceof JsonNumber) return value.digits;
  return typeof value === "string" ? value.trim() : "";
}
