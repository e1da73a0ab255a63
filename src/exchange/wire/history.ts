import type { Candle } from "../../market/candle.ts";
import { intervals, type ServedInterval } from "../../market/intervals.ts";
import type { Pair } from "../../market/pair.ts";
import type { Payload } from "./payload.ts";
import { isRecord } from "./exactJson.ts";
import { timeOf } from "./fields.ts";
import { price, volume } from "./tickers.ts";

/** Range of a price history: candles that begin between `from` and `to`, ms since the epoch. */
export interface HistoryRequest {
  readonly pair: Pair;
  readonly interval: ServedInterval;
  readonly from: number;
  readonly to: number;
}

/** Candles sorted by time, and the positions of those skipped as unreadable. */
export interface HistoryResponse {
  readonly candles: readonly Candle[];
  readonly unreadable: readonly string[];
  /** If there are no candles: the start of the last one before the range, ms since the epoch. */
  readonly earlier?: number | undefined;
}

/**
 * Decodes a history in the open UDF format: arrays of times, prices and volumes, as numbers or text, with times as
 * in \`timeOf\`. Candles outside the requested range are dropped, unreadable ones are skipped and counted, and of two with the same
 * time the later entry wins. Undefined for another shape, or if none of the candles could be read.
 */
export function decodeHistory({ content }: Payload, request: HistoryRequest): HistoryResponse | undefined {
  if (!isRecord(content)) return undefined;
  const { s, t, o, h, l, c, v, nextTime } = content;
  const earlier = timeIn(nextTime) ?? request.from;
  const none = { candles: [], unreadable: [], ...(earlier < request.from && { earlier }) };
  if (s === "no_data") return none;
  if (s !== "ok" || ![t, o, h, l, c].every((list) => Array.isArray(list))) return undefined;
  const [times, opens, highs, lows, closes, volumes] = [t, o, h, l, c, v].map(listOf);
  const found = new Map<number, Candle>();
  const unreadable: string[] = [];
  for (const [index, time] of (times ?? []).entries()) {
    const candle = candleOf(time, [opens?.[index], highs?.[index], lows?.[index], closes?.[index]]);
    if (!candle) unreadable.push(`#${index}`);
    else if (candle.time >= request.from && candle.time < request.to + intervals[request.interval].ms)
      found.set(candle.time, { ...candle, volume: volume(volumes?.[index]) });
  }
  if (unreadable.length > 0 && unreadable.length === times?.length) return undefined;
  if (found.size === 0) return { ...none, unreadable };
  return { candles: [...found.values()].sort((a, b) => a.time - b.time), unreadable };
}

/** A history is parsed with plain numbers. */
function timeIn(value: unknown): number | undefined {
  return timeOf(typeof value === "number" ? String(value) : value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Prices are open, high, low and close. Some histories report an open or close outside of high and low. */
function candleOf(time: unknown, prices: readonly unknown[]): Candle | undefined {
  const at = timeIn(time);
  const [open, high, low, close] = prices.map(price);
  if (at === undefined || at % 1000 !== 0) return undefined;
  if (open === undefined || high === undefined || low === undefined || close === undefined) return undefined;
  return {
    time: at,
    open,
    high: Math.max(open, high, low, close),
    low: Math.min(open, high, low, close),
    close,
    volume: undefined,
  };
}
