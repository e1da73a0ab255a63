import { BollingerBands, EMA, MACD, RSI, SMA, VWAP } from "trading-signals";
import type { Candle } from "../../../market/candle.ts";
import { type Interval, intervals, isDated, middleOfDay, startOf } from "../../../market/intervals.ts";
import type { StudyId } from "../../../market/studies.ts";
import type { ColourToken, LinePattern, SeriesUnit } from "../series.ts";

/** One of the values of a study, drawn as a series. */
interface StudySeries {
  readonly kind: "line" | "histogram";
  readonly colour: ColourToken;
  /** Tells lines apart without their colours; default solid. */
  readonly pattern?: LinePattern;
  /** The colour of one value; default that of the series. */
  readonly colourOf?: (value: number, candle: Candle) => ColourToken;
}

/**
 * Takes the candles of a chart one by one. `isUpdate`: the candle replaces the previous one, which has changed. Returns a value
 * for each series of the study, undefined while there is none.
 */
export type StudySteps = (candle: Candle, isUpdate: boolean) => readonly (number | undefined)[];

/** What a chart computes from its candles and draws over or below them. */
export interface Study {
  /** Whether it is drawn over the prices, or in a pane of its own below. */
  readonly pane: "prices" | "own";
  readonly unit: SeriesUnit;
  readonly series: readonly StudySeries[];
  /** The whole range of its scale, if it has one, and the levels drawn across it. */
  readonly range?: { readonly from: number; readonly to: number; readonly levels: readonly number[] };
  /** Number of candles before the first one with a value. */
  readonly warmUp: (parameters: readonly number[]) => number;
  readonly begin: (parameters: readonly number[], interval: Interval) => StudySteps;
}

/** Steps of one of the library's indicators of closing prices. */
function ofCloses<Result>(
  indicator: {
    add(price: number): Result | null;
    replace(price: number): Result | null;
  },
  valuesOf: (result: Result) => readonly (number | undefined)[],
): StudySteps {
  return ({ close }, isUpdate) => {
    const result = isUpdate ? indicator.replace(close) : indicator.add(close);
    return result === null ? [] : valuesOf(result);
  };
}

const single = (value: number): readonly number[] => [value];

/**
 * The volume-weighted average price since the start of the day in UTC; of days and weeks, since the start of
 * the year. None for a first period of which the chart may have only a part. The library has one without end, and cannot replace a candle without volume.
 */
function vwapSteps(interval: Interval): StudySteps {
  const periodOf = (time: number): number =>
    isDated(interval) ? new Date(middleOfDay(time)).getUTCFullYear() : startOf(time, intervals["1d"].ms);
  let period: number | undefined;
  let isWhole = false;
  let average = new VWAP();
  let isCounted = false;
  return ({ volume = 0, ...candle }, isUpdate) => {
    const { time } = candle;
    if (periodOf(time) !== period) {
      average = new VWAP();
      // Of the first period, the chart may have only a part.
      isWhole = period !== undefined || periodOf(time - intervals[interval].ms) !== periodOf(time);
    }
    period = periodOf(time);
    if (!isUpdate) isCounted = false;
    if (volume > 0) {
      const counted = { ...candle, volume };
      if (isCounted) average.replace(counted);
      else average.add(counted);
      isCounted = true;
    }
    return [isWhole ? (average.getResult() ?? undefined) : undefined];
  };
}

const signColour = (value: number): ColourToken => (value < 0 ? "volumeDown" : "volumeUp");

export const registry: Readonly<Record<StudyId, Study>> = {
  sma: {
    pane: "prices",
    unit: "price",
    series: [{ kind: "line", colour: "blue" }],
    warmUp: ([period = 0]) => period - 1,
    begin: ([period = 0]) => ofCloses(new SMA(period), single),
  },
  ema: {
    pane: "prices",
    unit: "price",
    series: [{ kind: "line", colour: "yellow", pattern: "dashed" }],
    warmUp: ([period = 0]) => period - 1,
    begin: ([period = 0]) => ofCloses(new EMA(period), single),
  },
  bollinger: {
    pane: "prices",
    unit: "price",
    series: [
      { kind: "line", colour: "purple", pattern: "dotted" },
      { kind: "line", colour: "purple", pattern: "sparse" },
      { kind: "line", colour: "purple", pattern: "dotted" },
    ],
    warmUp: ([period = 0]) => period - 1,
    begin: ([period = 0, width]) =>
      ofCloses(new BollingerBands(period, width), ({ upper, middle, lower }) => [upper, middle, lower]),
  },
  vwap: {
    pane: "prices",
    unit: "price",
    series: [{ kind: "line", colour: "text", pattern: "longDashed" }],
    warmUp: () => 0,
    begin: (_parameters, interval) => vwapSteps(interval),
  },
  volume: {
    pane: "own",
    unit: "volume",
    series: [
      {
        kind: "histogram",
        colour: "volumeUp",
        colourOf: (_volume, { open, close }) => (close < open ? "volumeDown" : "volumeUp"),
      },
    ],
    warmUp: () => 0,
    begin:
      () =>
      ({ volume }) => [volume],
  },
  rsi: {
    pane: "own",
    unit: "index",
    series: [{ kind: "line", colour: "blue" }],
    range: { from: 0, to: 100, levels: [30, 70] },
    warmUp: ([period = 0]) => period,
    begin: ([period = 0]) => ofCloses(new RSI(period), single),
  },
  macd: {
    pane: "own",
    unit: "difference",
    series: [
      { kind: "histogram", colour: "volumeUp", colourOf: signColour },
      { kind: "line", colour: "blue" },
      { kind: "line", colour: "yellow", pattern: "dashed" },
    ],
    warmUp: ([, slow = 0, signal = 0]) => slow + signal - 2,
    begin: ([fast = 0, slow = 0, signal = 0]) =>
      ofCloses(
        new MACD(new EMA(fast), new EMA(slow), new EMA(signal)),
        ({ histogram, macd, signal: average }) => [histogram, macd, average],
      ),
  },
};
