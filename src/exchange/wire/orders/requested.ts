import { isNameOf, type NamedPair, type Pair } from "../../../market/pair.ts";

/** The requested pair. Responses may omit it, so they are decoded with it. */
export interface RequestedPair extends NamedPair {
  /** Local time right before the request, ms. */
  readonly askedAt: number;
}

/** Whether a row names another pair. A row without a symbol belongs to the requested one. */
export function isOfOtherPair(row: Readonly<Record<string, unknown>>, pair: Pair): boolean {
  const symbol = row["sym"] ?? row["symbol"];
  if (symbol === undefined || symbol === null || symbol === "") return false;
  return typeof symbol !== "string" || !isNameOf(symbol, pair);
}

const CLIENT_ID = /^[\x21-\x7e]{1,64}$/;

/** An order's client id; undefined for `null`, `""` and `"0"`, which mean none. */
export function clientIdOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "0" && CLIENT_ID.test(value) ? value : undefined;
}
