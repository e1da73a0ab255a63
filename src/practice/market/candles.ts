import type { Candle } from "../../market/candle.ts";

/** One pair's prices over an interval, on the price step, and the base traded in it. */
export type PracticeCandle = Omit<Candle, "time" | "volume"> & { readonly volume: number };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** High and low of a day are taken from samples at this distance, and from the last price. */
export const SAMPLE_MS = 5 * MINUTE;

/**
 * The distance of the samples for a candle's high and low: at most 24 samples for each candle, so that a long history does
 * not keep the process busy. A larger distance is a multiple of every smaller one, so the short candles contain every
 * high and low of a long one.
 */
function candleStep(length: number): number {
  if (length <= 5 * MINUTE) return 20 * SECOND;
  return length <= HOUR ? 5 * MINUTE : HOUR;
}

/** Prices from `from` to before `to` (ms), of a path of last prices. */
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
