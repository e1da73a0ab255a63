import type { PublicTrade } from "../../market/book/publicTrade.ts";
import type { Payload } from "./payload.ts";
import { rowsOf, positiveOf, parseSide, timeOf } from "./fields.ts";

/**
 * Decodes rows of `[time, rate, size, side]`, with times in seconds (A) or ms (B). Returns the newest first, without
 * unreadable rows; undefined for another shape, or if no row is readable.
 */
export function decodeTrades(payload: Payload): readonly PublicTrade[] | undefined {
  const rows = rowsOf(payload);
  if (!rows) return undefined;
  const trades = rows.flatMap((row) => decodeTrade(row) ?? []);
  return trades.length === 0 && rows.length > 0 ? undefined : trades.sort((a, b) => b.at - a.at);
}

function decodeTrade(row: unknown): PublicTrade | undefined {
  const [first, second, third, fourth] = Array.isArray(row) ? (row as unknown[]) : [];
  const [at, rate, size, side] = [timeOf(first), positiveOf(second), positiveOf(third), parseSide(fourth)];
  return at === undefined || !rate || !size || !side ? undefined : { at, rate, size, side };
}
