import type { PublicTrade } from "../../market/book/publicTrade.ts";
import type { Payload } from "./envelope.ts";
import { rowsOf, positiveOf, parseSide, timeOf } from "./fields.ts";

/** Trades, newest first, and how many were skipped. */
export interface TradesResponse {
  readonly trades: readonly PublicTrade[];
  readonly unreadable: number;
}

/**
 * Decodes rows of `[time, rate, size, side]`, with times in seconds (A) or ms (B). Undefined for another shape, or if none
 * could be read.
 */
export function decodeTrades(payload: Payload): TradesResponse | undefined {
  const rows = rowsOf(payload);
  if (!rows) return undefined;
  const trades = rows.flatMap((row) => decodeTrade(row) ?? []);
  const unreadable = rows.length - trades.length;
  if (unreadable > 0 && trades.length === 0) return undefined;
  return { trades: trades.sort((a, b) => b.at - a.at), unreadable };
}

function decodeTrade(row: unknown): PublicTrade | undefined {
  const [first, second, third, fourth] = Array.isArray(row) ? (row as unknown[]) : [];
  const [at, rate, size, side] = [timeOf(first), positiveOf(second), positiveOf(third), parseSide(fourth)];
  return at === undefined || !rate || !size || !side ? undefined : { at, rate, size, side };
}
