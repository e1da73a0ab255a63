import { isNameOf, type Pair } from "../../../market/pair.ts";

/** What was asked for: an answer says less than the question, and is read with it. */
export interface AskedPair {
  /** The wire symbol of the tickers, which names the pair in the reports. */
  readonly symbol: string;
  readonly pair: Pair;
  /** The local time right before the request, ms. */
  readonly askedAt: number;
}

/** Whether a row names another pair. A row without a symbol belongs to the asked one. */
export function isOfOtherPair(row: Readonly<Record<string, unknown>>, pair: Pair): boolean {
  const told = row["sym"] ?? row["symbol"];
  if (told === undefined || told === null || told === "") return false;
  return typeof told !== "string" || !isNameOf(told, pair);
}

const CLIENT_ID = /^[\x21-\x7e]{1,64}$/;

/** The client's id of an order; undefined for the words for none: `null`, `""`, `"0"`. */
export function clientIdOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "0" && CLIENT_ID.test(value) ? value : undefined;
}
