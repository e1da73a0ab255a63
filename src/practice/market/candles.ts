import type { Candle } from "../../market/candle.ts";

/** One pair's prices over an interval, rounded to the tick size, and the base traded. */
export type PracticeCandle = Omit<Candle, "time" | "volume"> & { readonly volume: number };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A day's high and low are computed from samples at this interval, and from the last price. */
export const SAMPLE_MS = 5 * MINUTE;

/**
 * Sampling interval for a candle's high and low: at most 24 samples per candle, so that a long history stays cheap.
 * Each interval is a multiple of the smaller ones, so short candles include every high and low of a long one.
 */
function candleStep(length: number): number {
  if (length <= 5 * MINUTE) return 20 * SECOND;
  return length <= HOUR ? 5 * MINUTE : HOUR;
}

/** Samples a price path from `from` to before `to` (ms). */
export function sampleCandle(
  lastAt: (at: number) => number,
  from: number,
  to: number,
): Omit<PracticeCandle, "volume"> {
  const [open, close] = [lastAt(from), lastAt(to)];
  let [high, low] = [Math.max(open, close), Math.min(open, close)];
  const step = candleStep(to - from);
  for (let at = (Math.floor(from / step) + 1) * step; at < to; at += step) {
    const last = lastAt(at);
    if (last > high) high = last;
    if (last < low) low = last;
  }
  return { open, high, low, close };
}
