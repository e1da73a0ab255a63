import { middleOfDay, intervals, startOf, weekOfDay } from "./intervals.ts";
import type { Ticker } from "./ticker.ts";

/**
 * Prices of one pair over one interval, quote per base; plain numbers, for display. `low` ≤ `open`, `close` ≤ `high`,
 * all finite and above zero.
 */
export interface Candle {
  /** Start of the interval, ms since the epoch. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /**
   * Known traded volume in base. For an exchange's own candles it is complete. A candle built from tickers sums the
   * rises of the rolling 24-hour volume, a lower bound, because the volume that left the window meanwhile is unknown.
   * Undefined if nothing is known.
   */
  readonly volume: number | undefined;
}

const MINUTE_MS = intervals["1m"].ms;

/** A price observed in a ticker. */
export interface PriceSample {
  /** ms since the epoch. */
  readonly at: number;
  readonly last: number;
  /** Base volume of the previous 24 hours; undefined if not reported. */
  readonly baseVolume: number | undefined;
}

/** Converts a ticker received at `at` (ms); undefined if the pair is frozen or has no price. */
export function sampleOf({ last, baseVolume, frozen }: Ticker, at: number): PriceSample | undefined {
  return !frozen && last !== undefined && last > 0 && last < Infinity ? { at, last, baseVolume } : undefined;
}

/**
 * Lower bound of the base volume traded between two samples: the rise of the rolling volume, 0 if it fell. Undefined
 * without volumes, and for samples more than a minute apart, because the time of the trades is then unknown.
 */
export function tradedBetween(before: PriceSample | undefined, after: PriceSample): number | undefined {
  if (before?.baseVolume === undefined || after.baseVolume === undefined) return undefined;
  const elapsed = after.at - before.at;
  if (elapsed < 0 || elapsed > MINUTE_MS) return undefined;
  return rounded(Math.max(0, after.baseVolume - before.baseVolume));
}

function candleAt(time: number, price: number, volume: number | undefined): Candle {
  return { time, open: price, high: price, low: price, close: price, volume };
}

/**
 * Merges two candles; the result starts with the first. "sum" adds the volumes. "largest" is for candles that share
 * trades.
 */
export function joinCandles(first: Candle, second: Candle, volumes: "sum" | "largest"): Candle {
  return {
    time: first.time,
    open: first.open,
    high: Math.max(first.high, second.high),
    low: Math.min(first.low, second.low),
    close: second.close,
    volume: joinVolumes(first.volume, second.volume, volumes),
  };
}

function joinVolumes(
  first: number | undefined,
  second: number | undefined,
  volumes: "sum" | "largest",
): number | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return volumes === "sum" ? rounded(first + second) : Math.max(first, second);
}

/**
 * Adds a sample to the newest candle of a chart; returns a new candle if the sample is after its end. New candles start
 * whole intervals after the given one, which need not be aligned to UTC.
 */
export function addSample(
  newest: Candle | undefined,
  sample: PriceSample,
  traded: number | undefined,
  ms: number,
): Candle {
  if (!newest) return candleAt(startOf(sample.at, ms), sample.last, traded);
  const skipped = Math.floor((sample.at - newest.time) / ms);
  const candle = candleAt(newest.time + skipped * ms, sample.last, traded);
  return skipped >= 1 ? candle : joinCandles(newest, candle, "sum");
}

/** Merges candles, sorted by time, into candles of a longer interval in UTC. */
export function foldCandles(candles: Iterable<Candle>, ms: number): Candle[] {
  const start = (time: number): number => startOf(time, ms);
  return fold(candles, start, start);
}

/**
 * Merges an exchange's daily candles, sorted by time, into weeks, which begin on Monday of its days. Its days may begin at another
 * hour of UTC in summer.
 */
export function foldDays(days: Iterable<Candle>): Candle[] {
  return fold(days, (time) => startOf(middleOfDay(time), intervals["1w"].ms), weekOfDay);
}

function fold(
  candles: Iterable<Candle>,
  groupOf: (time: number) => number,
  startIn: (time: number) => number,
): Candle[] {
  const folded: Candle[] = [];
  let group: number | undefined;
  for (const candle of candles) {
    const last = folded.at(-1);
    const next = groupOf(candle.time);
    if (last && next === group) folded[folded.length - 1] = joinCandles(last, candle, "sum");
    else folded.push({ ...candle, time: startIn(candle.time) });
    group = next;
  }
  return folded;
}

/** Removes floating-point noise from sums of amounts with at most 8 decimals. */
function rounded(amount: number): number {
  return Number(amount.toFixed(8));
}
