const MINUTE_MS = 60_000;

/**
 * The intervals of a chart, shortest first: length in ms, name in the UDF format of price histories, and number of
 * candles that a chart starts with. Their texts are in `src/ui/chart/chartHtml.ts`.
 */
export const intervals = {
  "1m": { ms: MINUTE_MS, resolution: "1", count: 720 },
  "5m": { ms: 5 * MINUTE_MS, resolution: "5", count: 576 },
  "1h": { ms: 60 * MINUTE_MS, resolution: "60", count: 720 },
  "1d": { ms: 1440 * MINUTE_MS, resolution: "1D", count: 365 },
} as const;

export type Interval = keyof typeof intervals;

export const intervalNames = Object.keys(intervals) as readonly Interval[];
