import type { Candle } from "../../market/candle.ts";

/** Index of the candle that contains a time, or of the newest one before it; -1 before the first candle. */
function indexOfCandleAt(candles: readonly Candle[], at: number): number {
  let [low, high] = [0, candles.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((candles[middle]?.time ?? at) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The candle that contains a time, or the newest one before it; undefined before the first candle. */
export function candleAt(candles: readonly Candle[], at: number): Candle | undefined {
  return candles[indexOfCandleAt(candles, at)];
}

/** The index of a time, with a fraction between the starts of two candles. Beyond the candles, others of `ms` are assumed. */
export function indexAt(candles: readonly Candle[], ms: number, at: number): number {
  const index = indexOfCandleAt(candles, at);
  const [candle, next] = [candles[index], candles[index + 1]];
  if (candle && next) return index + (at - candle.time) / (next.time - candle.time);
  if (candle) return index + (at - candle.time) / ms;
  return next ? (at - next.time) / ms : 0;
}

/** The start of the candle with an index, ms. Beyond the candles, others of `ms` are assumed. */
export function timeAt(candles: readonly Candle[], ms: number, index: number): number {
  const candle = candles[index];
  if (candle) return candle.time;
  const last = candles.length - 1;
  return index < 0 ? (candles[0]?.time ?? 0) + index * ms : (candles[last]?.time ?? 0) + (index - last) * ms;
}
