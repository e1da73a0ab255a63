const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/**
 * The intervals of a chart, shortest first: length in ms, name in the UDF format of price histories, number of candles that a chart
 * starts with, and the interval from which it is aggregated if an exchange does not serve it. No exchange of this family serves
 * weeks, and those that do disagree on their first day. The texts are in `src/ui/chart/chartHtml.ts`.
 */
export const intervals = {
  "1m": { ms: MINUTE_MS, resolution: "1", count: 1440, finer: undefined },
  "5m": { ms: 5 * MINUTE_MS, resolution: "5", count: 576, finer: "1m" },
  "15m": { ms: 15 * MINUTE_MS, resolution: "15", count: 672, finer: "5m" },
  "1h": { ms: 60 * MINUTE_MS, resolution: "60", count: 720, finer: "15m" },
  "4h": { ms: 240 * MINUTE_MS, resolution: "240", count: 540, finer: "1h" },
  "1d": { ms: DAY_MS, resolution: "1D", count: 365, finer: "1h" },
  "1w": { ms: 7 * DAY_MS, resolution: undefined, count: 104, finer: "1d" },
} as const;

export type Interval = keyof typeof intervals;

/** An interval that an exchange may serve. */
export type ServedInterval = Exclude<Interval, "1w">;

export const intervalNames = Object.keys(intervals) as readonly Interval[];

/** Whether candles of the interval begin on a date rather than at a time of day. */
export function isDated(interval: Interval): boolean {
  return intervals[interval].ms >= DAY_MS;
}

/** Midnight of the first Monday since the epoch, in UTC: a start of every interval. */
const FIRST_MONDAY = 4 * DAY_MS;

/** Start of the interval of `ms` length that contains `at`, in UTC; weeks begin on Monday. */
export function startOf(at: number, ms: number): number {
  return Math.floor((at - FIRST_MONDAY) / ms) * ms + FIRST_MONDAY;
}

/**
 * A moment whose UTC date is that of a candle: the date in which most of its first day lies. An exchange's day begins at
 * midnight of its own time zone, which is less than 12 hours from UTC almost everywhere.
 */
export function middleOfDay(time: number): number {
  return time + DAY_MS / 2;
}

/** Start of the exchange's week, which begins on Monday, from the start of one of its days. */
export function weekOfDay(day: number): number {
  const middle = middleOfDay(day);
  return day - (startOf(middle, DAY_MS) - startOf(middle, intervals["1w"].ms));
}
