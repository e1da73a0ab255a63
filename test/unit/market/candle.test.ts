import assert from "node:assert/strict";
import fc from "fast-check";
import {
  addSample,
  foldCandles,
  joinCandles,
  tradedBetween,
  type Candle,
  type PriceSample,
} from "../../../src/market/candle.ts";
import { intervals, startOf, type Interval } from "../../../src/market/intervals.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = intervals["1m"].ms;

const price = fc.integer({ min: 1, max: 400_000_000 }).map((cents) => cents / 100);
const volume = fc.integer({ min: 0, max: 1e9 }).map((units) => units / 1e4);

/** Samples of a watcher: sorted by time, mostly a few seconds apart, sometimes after a long pause. */
const samples = fc
  .array(
    fc.record({
      pause: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 60_001, max: 3 * 86_400_000 }) },
      ),
      last: price,
      baseVolume: fc.option(volume, { nil: undefined }),
    }),
    { minLength: 1, maxLength: 200 },
  )
  .map((steps): PriceSample[] => {
    let at = NOON;
    return steps.map(({ pause, last, baseVolume }) => ({ at: (at += pause), last, baseVolume }));
  });

/** Candles of a pair, built from its samples one by one. */
function candlesOf(all: readonly PriceSample[], ms: number): Candle[] {
  const candles: Candle[] = [];
  for (const [index, sample] of all.entries()) {
    const newest = candles.at(-1);
    const candle = addSample(newest, sample, tradedBetween(all[index - 1], sample), ms);
    if (candle.time === newest?.time) candles[candles.length - 1] = candle;
    else candles.push(candle);
  }
  return candles;
}

/** Walks back from a moment to the last start of the interval, by the calendar for weeks. */
function naiveStart(at: number, ms: number): number {
  if (ms < intervals["1w"].ms) return at - (at % ms);
  const day = new Date(at);
  day.setUTCHours(0, 0, 0, 0);
  while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1);
  return day.getTime();
}

/** The same candles, built the simple way: group the samples by interval, then fold each group. */
function naiveCandles(all: readonly PriceSample[], ms: number): Candle[] {
  const groups = Map.groupBy(all, ({ at }) => naiveStart(at, ms));
  return [...groups].map(([time, group]) => {
    const lasts = group.map(({ last }) => last);
    const rises = group.flatMap((sample) => {
      const before = all[all.indexOf(sample) - 1];
      if (before?.baseVolume === undefined || sample.baseVolume === undefined) return [];
      if (sample.at - before.at > 60_000) return [];
      return [Math.max(0, Math.round((sample.baseVolume - before.baseVolume) * 1e8))];
    });
    return {
      time,
      open: lasts[0] ?? Number.NaN,
      high: Math.max(...lasts),
      low: Math.min(...lasts),
      close: lasts.at(-1) ?? Number.NaN,
      volume: rises.length === 0 ? undefined : rises.reduce((sum, rise) => sum + rise, 0) / 1e8,
    };
  });
}

/** Compares candles exactly, and volumes to a hundred-millionth of the largest sum. */
function assertSame(actual: readonly Candle[], expected: readonly Candle[]): void {
  const withoutVolume = (candles: readonly Candle[]) => candles.map((each) => ({ ...each, volume: 0 }));
  assert.deepEqual(withoutVolume(actual), withoutVolume(expected));
  for (const [index, { volume }] of expected.entries()) {
    const found = actual[index]?.volume;
    if (volume === undefined || found === undefined) assert.equal(found, volume);
    else assert.ok(Math.abs(found - volume) <= 1e-8 * Math.max(1, volume), `${found} is not ${volume}`);
  }
}

describe("candles built from polls", () => {
  for (const interval of Object.keys(intervals) as Interval[]) {
    it(`of ${interval} equal those made from each whole interval`, () => {
      fc.assert(
        fc.property(samples, (all) => {
          assertSame(candlesOf(all, intervals[interval].ms), naiveCandles(all, intervals[interval].ms));
        }),
      );
    });

    it(`of one minute, folded to ${interval}, equal those made from the polls directly`, () => {
      fc.assert(
        fc.property(samples, (all) => {
          const ms = intervals[interval].ms;
          assertSame(foldCandles(candlesOf(all, MINUTE), ms), naiveCandles(all, ms));
        }),
      );
    });
  }

  it("continue after a candle that does not start at a whole interval of UTC", () => {
    const localDay: Candle = {
      time: Date.UTC(2026, 10, 20, 17),
      open: 1,
      high: 3,
      low: 1,
      close: 2,
      volume: 5,
    };
    const sample = { at: Date.UTC(2026, 10, 23, 16, 59), last: 4, baseVolume: undefined };
    const next = addSample(localDay, sample, undefined, intervals["1d"].ms);
    assert.equal(next.time, Date.UTC(2026, 10, 22, 17));
    const same = addSample(next, { ...sample, last: 5 }, 7, intervals["1d"].ms);
    assert.deepEqual(same, { time: next.time, open: 4, high: 5, low: 4, close: 5, volume: 7 });
  });

  it("include a sample from before the newest candle, because clocks differ", () => {
    const newest = { time: NOON, open: 10, high: 10, low: 10, close: 10, volume: undefined };
    const next = addSample(newest, { at: NOON - 500, last: 12, baseVolume: 1 }, undefined, MINUTE);
    assert.deepEqual(next, { ...newest, high: 12, close: 12 });
  });
});

describe("the traded volume between two samples", () => {
  const before = { at: NOON, last: 1, baseVolume: 100.1 };

  it("is at least the rise of the 24-hour volume, without binary noise", () => {
    assert.equal(tradedBetween(before, { at: NOON + 5000, last: 1, baseVolume: 100.3 }), 0.2);
  });

  it("is at least zero if the 24-hour volume fell", () => {
    assert.equal(tradedBetween(before, { at: NOON + 5000, last: 1, baseVolume: 90 }), 0);
  });

  it("is unknown without a 24-hour volume, without an earlier poll, and over more than a minute", () => {
    const after = { at: NOON + 5000, last: 1, baseVolume: 200 };
    assert.equal(tradedBetween(undefined, after), undefined);
    assert.equal(tradedBetween({ ...before, baseVolume: undefined }, after), undefined);
    assert.equal(tradedBetween(before, { ...after, baseVolume: undefined }), undefined);
    assert.equal(tradedBetween(before, { ...after, at: NOON + 60_001 }), undefined);
    assert.equal(tradedBetween(before, { ...after, at: NOON - 1 }), undefined);
  });
});

describe("two merged candles", () => {
  const first = { time: NOON, open: 2, high: 5, low: 1, close: 3, volume: 10 };
  const second = { time: NOON + MINUTE, open: 3, high: 4, low: 0.5, close: 4, volume: 2.5 };

  it("open with the first, close with the second, and span both", () => {
    const joined = { time: NOON, open: 2, high: 5, low: 0.5, close: 4 };
    assert.deepEqual(joinCandles(first, second, "sum"), { ...joined, volume: 12.5 });
    assert.deepEqual(joinCandles(first, second, "largest"), { ...joined, volume: 10 });
  });

  it("have the known volume if only one volume is known", () => {
    for (const how of ["sum", "largest"] as const) {
      assert.equal(joinCandles({ ...first, volume: undefined }, second, how).volume, 2.5);
      assert.equal(joinCandles(first, { ...second, volume: undefined }, how).volume, 10);
    }
  });
});

describe("the start of an interval", () => {
  it("is the latest whole interval of UTC that is not in the future", () => {
    assert.equal(startOf(NOON + 59_999, MINUTE), NOON);
    assert.equal(startOf(NOON, intervals["1d"].ms), Date.UTC(2026, 10, 21));
    assert.equal(startOf(-1, MINUTE), -MINUTE);
  });

  it("of weeks is a Monday", () => {
    const monday = Date.UTC(2026, 10, 16);
    assert.equal(startOf(NOON, intervals["1w"].ms), monday);
    assert.equal(startOf(monday, intervals["1w"].ms), monday);
    assert.equal(startOf(monday - 1, intervals["1w"].ms), Date.UTC(2026, 10, 9));
  });
});
