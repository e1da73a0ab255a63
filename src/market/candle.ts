import type { Ticker } from "./ticker.ts";

/**
 * The prices of one pair over one interval, quote per one base; display values, so plain numbers.
 * `low` ≤ `open`, `close` ≤ `high`, all finite and above zero.
 */
export interface Candle {
  /** Start of the interval, ms since the epoch. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /**
   * Base asset known to have been traded in it. An exchange's own candles have the whole volume. A candle made of
   * ticker readings has the rises of the rolling 24-hour figure: at least that much was traded, because the volume
   * that left the 24 hours at the same time is unknown. Undefined if nothing is known.
   */
  readonly volume: number | undefined;
}

const MINUTE_MS = 60_000;

/** Length of every interval a chart has, in ms. */
export const intervalMs = {
  "1m": MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "1h": 60 * MINUTE_MS,
  "1d": 1440 * MINUTE_MS,
} as const;

export type Interval = keyof typeof intervalMs;

/** One reading of a pair's ticker. */
export interface PriceSample {
  /** ms since the epoch. */
  readonly at: number;
  readonly last: number;
  /** Base traded in the 24 hours before; undefined if the exchange does not say. */
  readonly baseVolume: number | undefined;
}

/** The chart's point of a ticker that was read at `at` ms; undefined if the pair is frozen or has no price. */
export function readingOf({ last, baseVolume, frozen }: Ticker, at: number): PriceSample | undefined {
  return !frozen && last !== undefined && last > 0 && last < Infinity ? { at, last, baseVolume } : undefined;
}

/** Start of the interval of `ms` length that contains a moment, counted from the epoch in UTC. */
export function startOf(at: number, ms: number): number {
  return Math.floor(at / ms) * ms;
}

/**
 * The least base volume traded between two readings: the rise of the rolling figure, 0 if it fell. Undefined without
 * a figure, and for readings more than a minute apart, because the time of the trades is then unknown.
 */
export function tradedBetween(before: PriceSample | undefined, after: PriceSample): number | undefined {
  if (before?.baseVolume === undefined || after.baseVolume === undefined) return undefined;
  const elapsed = after.at - before.at;
  if (elapsed < 0 || elapsed > MINUTE_MS) return undefined;
  return rounded(Math.max(0, after.baseVolume - before.baseVolume));
}

/** A candle of one price. */
function candleAt(time: number, price: number, volume: number | undefined): Candle {
  return { time, open: price, high: price, low: price, close: price, volume };
}

/**
 * Joins two candles, the first before the second; the result starts with the first. With `sum`, the volumes are
 * added. Without, both contain some of the same trades, so the larger volume is used.
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
 * Adds a reading to the newest candle of a chart; returns a new candle if the reading is after its end. Later candles
 * start whole intervals after the given one, which need not start at a whole interval of UTC.
 */
export function addReading(
  newest: Candle | undefined,
  reading: PriceSample,
  traded: number | undefined,
  ms: number,
): Candle {
  if (!newest) return candleAt(startOf(reading.at, ms), reading.last, traded);
  const skipped = Math.floor((reading.at - newest.time) / ms);
  const candle = candleAt(newest.time + skipped * ms, reading.last, traded);
  return skipped >= 1 ? candle : joinCandles(newest, candle, "sum");
}

/** Joins candles, ordered by time, into candles of a longer interval in UTC. */
export function foldCandles(candles: Iterable<Candle>, ms: number): Candle[] {
  const folded: Candle[] = [];
  for (const candle of candles) {
    const time = startOf(candle.time, ms);
    const last = folded.at(-1);
    if (last?.time === time) folded[folded.length - 1] = joinCandles(last, candle, "sum");
    else folded.push({ ...candle, time });
  }
  return folded;
}

/** Sums of amounts of at most 8 decimals, without the noise of binary fractions. */
function rounded(amount: number): number {
  return Number(amount.toFixed(8));
}
