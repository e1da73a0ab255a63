import assert from "node:assert/strict";
import fc from "fast-check";
import type { Candle } from "../../../../../src/market/candle.ts";
import { type Interval, intervals } from "../../../../../src/market/intervals.ts";
import { type StudyId, usualParameters } from "../../../../../src/market/studies.ts";
import { StudyValues, type StudyRow } from "../../../../../src/webview/chart/studies/studyValues.ts";

const START = Date.UTC(2026, 11, 31, 20);
const HOUR = intervals["1h"].ms;

const flat = (close: number, volume: number, index: number): Candle => ({
  time: START + index * HOUR,
  open: close,
  high: close,
  low: close,
  close,
  volume,
});

/** Fifteen closing prices for which Tulip Indicators publishes what its studies give. */
const CLOSES = [
  81.59, 81.06, 82.87, 83, 83.61, 83.15, 82.84, 83.99, 84.55, 84.36, 85.53, 86.54, 86.89, 87.77, 87.29,
];

/** The values of a study that it has for the published closes, in the published decimals. */
function published(id: StudyId, parameters: readonly number[], places: number): string[][] {
  const values = new StudyValues({ id, parameters });
  values.compute(
    CLOSES.map((close, index) => flat(close, 1, index)),
    "1h",
  );
  const columns = values.rows.filter((row) => row.length > 0);
  return (columns[0] ?? []).map((_, line) => columns.map((row) => row[line]?.toFixed(places) ?? ""));
}

describe("the values of a study are the published ones", () => {
  it("of the simple moving average", () => {
    const averages = "82.426 82.738 83.094 83.318 83.628 83.778 84.254 84.994 85.574 86.218 86.804".split(
      " ",
    );
    assert.deepEqual(published("sma", [5], 3), [averages]);
  });

  it("of the exponential moving average", () => {
    const averages = "82.71 82.86 82.85 83.23 83.67 83.90 84.44 85.14 85.73 86.41 86.70".split(" ");
    assert.deepEqual(published("ema", [5], 2), [averages]);
  });

  it("of Bollinger bands", () => {
    assert.deepEqual(published("bollinger", [5, 2], 2), [
      "84.32 84.49 83.65 84.16 84.84 85.12 86.00 86.85 87.61 88.57 88.32".split(" "),
      "82.43 82.74 83.09 83.32 83.63 83.78 84.25 84.99 85.57 86.22 86.80".split(" "),
      "80.53 80.99 82.53 82.47 82.42 82.44 82.51 83.14 83.54 83.87 85.29".split(" "),
    ]);
  });

  it("of the relative strength index", () => {
    const strengths = "72.034 64.927 75.936 79.796 74.713 83.033 87.478 88.755 91.483 78.498".split(" ");
    assert.deepEqual(published("rsi", [5], 3), [strengths]);
  });

  it("of the MACD, whose signal needs nine of its values", () => {
    assert.deepEqual(published("macd", [2, 5, 9], 2), [
      ["0.24", "0.26", "-0.08"],
      ["0.89", "0.98", "0.62"],
      ["0.66", "0.72", "0.70"],
    ]);
  });

  it("of the volume-weighted average price", () => {
    const candles = [flat(9, 100, 0), flat(11, 110, 0), flat(7, 80, 0), flat(10, 120, 0), flat(8, 90, 0)];
    const values = new StudyValues({ id: "vwap", parameters: [] });
    // From midnight on.
    values.compute(
      candles.map((each) => ({ ...each, time: each.time + 4 * HOUR })),
      "1h",
    );
    assert.deepEqual(
      values.rows.map(([average]) => average?.toFixed(2)),
      ["9.00", "10.05", "9.21", "9.44", "9.18"],
    );
  });
});

describe("the volume-weighted average price", () => {
  it("begins with a day that the chart has from its start", () => {
    const values = new StudyValues({ id: "vwap", parameters: [] });
    values.compute(
      Array.from({ length: 6 }, (_, index) => flat(100 + index, 1, index)),
      "1h",
    );
    assert.deepEqual(
      values.rows.map(([average]) => average),
      [undefined, undefined, undefined, undefined, 104, 104.5],
    );
  });
});

type Naive = (candles: readonly Candle[], parameters: readonly number[], interval: Interval) => StudyRow;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const closesOf = (candles: readonly Candle[]): number[] => candles.map(({ close }) => close);

/** An average with a weight for each value of the past, by its definition. */
function weighted(values: readonly number[], period: number): number {
  const alpha = 2 / (period + 1);
  const [first = Number.NaN, ...others] = values;
  return others.reduce((average, value) => alpha * value + (1 - alpha) * average, first);
}

/** The study of the last candle, from the definition in its textbook. */
const naive: Readonly<Record<StudyId, Naive>> = {
  volume: (candles) => [candles.at(-1)?.volume],
  sma: (candles, [period = 0]) => (candles.length < period ? [] : [mean(closesOf(candles.slice(-period)))]),
  ema: (candles, [period = 0]) => (candles.length < period ? [] : [weighted(closesOf(candles), period)]),
  bollinger: (candles, [period = 0, width = 0]) => {
    if (candles.length < period) return [];
    const closes = closesOf(candles.slice(-period));
    const middle = mean(closes);
    const deviation = Math.sqrt(mean(closes.map((close) => (close - middle) ** 2)));
    return [middle + width * deviation, middle, middle - width * deviation];
  },
  vwap: (candles, _parameters, interval) => {
    const periodOf = ({ time }: Candle): string =>
      new Date(time).toISOString().slice(0, interval === "1d" ? 4 : 10);
    const newest = candles.at(-1);
    const period = candles.filter((each) => newest && periodOf(each) === periodOf(newest));
    const [first] = period;
    const isFirst = first === candles[0];
    if (
      first &&
      isFirst &&
      periodOf({ ...first, time: first.time - intervals[interval].ms }) === periodOf(first)
    )
      return [undefined];
    const traded = period.reduce((sum, { volume = 0 }) => sum + volume, 0);
    const paid = period.reduce(
      (sum, { high, low, close, volume = 0 }) => sum + ((high + low + close) / 3) * volume,
      0,
    );
    return [traded > 0 ? paid / traded : undefined];
  },
  rsi: (candles, [period = 0]) => {
    if (candles.length <= period) return [];
    const closes = closesOf(candles);
    const moves = closes.slice(1).map((close, index) => close - (closes[index] ?? close));
    const smoothed = (of: (move: number) => number): number =>
      moves
        .slice(period)
        .reduce(
          (average, move) => (average * (period - 1) + of(move)) / period,
          mean(moves.slice(0, period).map(of)),
        );
    const [gain, loss] = [smoothed((move) => Math.max(0, move)), smoothed((move) => Math.max(0, -move))];
    return [loss === 0 ? 100 : 100 - 100 / (1 + gain / loss)];
  },
  macd: (candles, [fast = 0, slow = 0, signal = 0]) => {
    if (candles.length < slow + signal - 1) return [];
    const closes = closesOf(candles);
    const macds = closes
      .map((_, index) => closes.slice(0, index + 1))
      .slice(slow - 1)
      .map((past) => weighted(past, fast) - weighted(past, slow));
    const [macd = Number.NaN, average] = [macds.at(-1), weighted(macds, signal)];
    return [macd - average, macd, average];
  },
};

function assertClose(actual: StudyRow, expected: StudyRow, what: string): void {
  assert.equal(actual.length, expected.length, what);
  for (const [line, value] of expected.entries()) {
    const found = actual[line];
    if (value === undefined || found === undefined) assert.equal(found, value, what);
    else
      assert.ok(
        Math.abs(found - value) <= 1e-7 * Math.max(1, Math.abs(value)),
        `${what}: ${found}, ${value}`,
      );
  }
}

const price = fc.integer({ min: 100, max: 20_000 }).map((cents) => cents / 100);
const volume = fc.oneof(fc.constant(0), fc.constant(undefined), fc.integer({ min: 1, max: 1000 }));
/** Versions of one candle, oldest first: the newest candle of a chart changes with every price, and its volume grows. */
const versions = fc
  .array(fc.record({ prices: fc.tuple(price, price, price), volume }), { minLength: 1, maxLength: 4 })
  .map((changes) => {
    const volumes = changes.map((change) => change.volume).sort((one = -1, other = -1) => one - other);
    // The language sorts undefined values last.
    const known = volumes.filter((each) => each !== undefined);
    const grown = [...Array.from({ length: changes.length - known.length }, () => undefined), ...known];
    return changes.map((change, index) => ({ ...change, volume: grown[index] }));
  });

function candleOf(
  { prices, volume: traded }: { readonly prices: readonly number[]; readonly volume: number | undefined },
  time: number,
): Candle {
  const [low = 0, close = 0, high = 0] = prices.toSorted((one, other) => one - other);
  return { time, open: close, low, close, high, volume: traded };
}

const period = fc.integer({ min: 2, max: 12 });
const parametersOf: Readonly<Record<StudyId, fc.Arbitrary<readonly number[]>>> = {
  volume: fc.constant([]),
  vwap: fc.constant([]),
  sma: period.map((each) => [each]),
  ema: period.map((each) => [each]),
  rsi: period.map((each) => [each]),
  bollinger: fc.tuple(period, fc.constantFrom(0.5, 1, 2, 3)),
  macd: fc.tuple(period, period, period).map(([one, other, signal]) => [one, one + other, signal]),
};

describe("the values of a study over random candles", () => {
  for (const id of Object.keys(parametersOf) as StudyId[]) {
    it(`are those of a second implementation of ${id}, also while the newest candle changes and others follow`, () => {
      fc.assert(
        fc.property(
          fc.array(versions, { minLength: 2, maxLength: 30 }),
          parametersOf[id],
          fc.nat(29),
          fc.constantFrom<Interval>("1h", "4h", "1d"),
          (series, parameters, past, interval) => {
            const { ms } = intervals[interval];
            const first = Math.floor(START / ms) * ms;
            const last = (index: number): Candle =>
              candleOf(series[index]?.at(-1) ?? assert.fail(), first + index * ms);
            const history = series.slice(0, past).map((_, index) => last(index));
            const values = new StudyValues({ id, parameters });
            values.compute(history, interval);
            const candles = [...history];
            for (const [offset, changes] of series.slice(past).entries()) {
              const index = history.length + offset;
              for (const version of changes) {
                candles[index] = candleOf(version, first + index * ms);
                values.update(candles[index] ?? assert.fail(), candles.length);
              }
            }
            assert.equal(values.rows.length, candles.length);
            for (const [index, row] of values.rows.entries()) {
              const expected = naive[id](candles.slice(0, index + 1), parameters, interval);
              assertClose(row, expected, `${id} ${parameters.join()} at ${index} of ${history.length}`);
            }
          },
        ),
        { numRuns: 1000 },
      );
    });
  }

  it("have no seam: history and live candles give what one history gives", () => {
    const candles = Array.from({ length: 300 }, (_, index) =>
      flat(100 + 9 * Math.sin(index / 7) + (index % 5), 1 + (index % 3), index),
    );
    for (const id of Object.keys(parametersOf) as StudyId[]) {
      const [live, whole] = [1, 2].map(() => new StudyValues({ id, parameters: usualParameters(id) }));
      whole?.compute(candles, "1h");
      live?.compute(candles.slice(0, 200), "1h");
      for (let count = 201; count <= 300; count += 1)
        live?.update(candles[count - 1] ?? assert.fail(), count);
      assert.deepEqual(live?.rows, whole?.rows, id);
    }
  });
});
