import assert from "node:assert/strict";
import fc from "fast-check";
import { NoResponseError, RefusedError } from "../../../src/exchange/errors.ts";
import { HistoryReader } from "../../../src/exchange/historyReader.ts";
import type { HistoryRequest } from "../../../src/exchange/wire/history.ts";
import type { Candle } from "../../../src/market/candle.ts";
import { intervals, type Interval, type ServedInterval } from "../../../src/market/intervals.ts";

const pair = { quote: "THB", base: "BTC" };
const SUNDAY = Date.UTC(2026, 10, 22);
const DAY = intervals["1d"].ms;
const HOUR = intervals["1h"].ms;

/** What an exchange serves: its candles by interval, the newest `most` in an answer. It refuses all other intervals. */
type Served = Partial<Record<ServedInterval, readonly Candle[]>>;

function open(served: Served, most = Number.POSITIVE_INFINITY) {
  const asked: HistoryRequest[] = [];
  const reader = new HistoryReader((request) => {
    asked.push(request);
    const candles = served[request.interval];
    if (!candles) return Promise.reject(new RefusedError("history", { code: "UDF", httpStatus: 200 }));
    const found = candles.filter(({ time }) => time >= request.from && time <= request.to);
    const earlier = candles.findLast(({ time }) => time < request.from)?.time;
    const newest = found.slice(-Math.min(most, found.length || 1));
    return Promise.resolve({ candles: newest, unreadable: [], ...(found.length === 0 && { earlier }) });
  });
  return { reader, asked, names: () => asked.map(({ interval }) => interval) };
}

/** Random prices for candles that begin at these times, without those that nobody traded in. */
const candlesAt = (times: readonly number[]) =>
  fc
    .array(
      fc.record({
        prices: fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 1, max: 100_000 }))),
        volume: fc.option(fc.integer({ min: 0, max: 1e6 }), { nil: undefined, freq: 8 }),
        isTraded: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.boolean()),
      }),
      { minLength: times.length, maxLength: times.length },
    )
    .map((rows) =>
      rows.flatMap(({ prices, volume, isTraded }, index): Candle[] => {
        const sorted = prices.toSorted((one, other) => one - other);
        const [low = 1, open = 1, close = 1, high = 1] = sorted;
        return isTraded ? [{ time: times[index] ?? 0, low, open, close, high, volume }] : [];
      }),
    );

/** The candles of the parts that begin in each interval, found one interval at a time. */
function naive(starts: readonly number[], parts: readonly Candle[]): Candle[] {
  return starts.slice(0, -1).flatMap((time, index): Candle[] => {
    const within = parts.filter((part) => part.time >= time && part.time < (starts[index + 1] ?? 0));
    const [first, last] = [within[0], within.at(-1)];
    if (!first || !last) return [];
    const volumes = within.flatMap(({ volume }) => volume ?? []);
    return [
      {
        time,
        open: first.open,
        high: Math.max(...within.map(({ high }) => high)),
        low: Math.min(...within.map(({ low }) => low)),
        close: last.close,
        volume: volumes.length > 0 ? volumes.reduce((sum, each) => sum + each, 0) : undefined,
      },
    ];
  });
}

/** Midnights of a time zone, from a Monday on, by the calendar. */
function midnights(offsets: (day: number) => number, days: number): number[] {
  return Array.from({ length: days }, (_, index) => {
    const day = Date.UTC(2026, 9, 5) + index * DAY;
    return day - offsets(day) * HOUR;
  });
}

describe("the reader of a price history", () => {
  for (const [name, offsets] of [
    ["of UTC", () => 0],
    ["of Bangkok", () => 7],
    ["of New York, in a winter that begins", (day: number) => (day <= Date.UTC(2026, 10, 1) ? -4 : -5)],
    ["of Berlin, in a winter that begins", (day: number) => (day <= Date.UTC(2026, 9, 25) ? 2 : 1)],
  ] as const) {
    it(`aggregates weeks from days, from Monday to Sunday ${name}`, async () => {
      const times = midnights(offsets, 8 * 7 + 1);
      const mondays = times.filter((_, index) => index % 7 === 0);
      await fc.assert(
        fc.asyncProperty(candlesAt(times.slice(0, -1)), fc.nat(7), async (days, skipped) => {
          const from = mondays[skipped] ?? 0;
          const weeks = await open({ "1d": days }).reader.read({
            pair,
            interval: "1w",
            from,
            to: (mondays.at(-2) ?? 0) + HOUR,
          });
          assert.deepEqual(weeks, naive(mondays.slice(skipped), days));
        }),
      );
    });
  }

  for (const [interval, finer] of [
    ["5m", "1m"],
    ["15m", "5m"],
    ["15m", "1m"],
    ["1h", "15m"],
    ["4h", "1h"],
    ["1d", "1h"],
  ] as const) {
    it(`aggregates ${interval} from ${finer} if the exchange refuses ${interval}`, async () => {
      const [long, short] = [intervals[interval].ms, intervals[finer].ms];
      const starts = Array.from({ length: 7 }, (_, index) => SUNDAY + index * long);
      const times = Array.from({ length: (6 * long) / short }, (_, index) => SUNDAY + index * short);
      await fc.assert(
        fc.asyncProperty(candlesAt(times), fc.nat(5), fc.nat(5), async (parts, one, other) => {
          const [first, last] = [Math.min(one, other), Math.max(one, other)];
          const range = { pair, interval, from: starts[first] ?? 0, to: (starts[last] ?? 0) + 1 };
          const wanted = naive(starts.slice(first, last + 2), parts);
          for (const most of [Number.POSITIVE_INFINITY, Math.ceil(times.length / 10)])
            assert.deepEqual(await open({ [finer]: parts }, most).reader.read(range), wanted);
        }),
        { numRuns: 20 },
      );
    });
  }

  const flat = (time: number): Candle => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 1 });
  const range = (interval: Interval, from: number, to: number) => ({ pair, interval, from, to });

  it("drops a first week of which the range has only a part", async () => {
    const days = Array.from({ length: 14 }, (_, index) => flat(Date.UTC(2026, 10, 2) + index * DAY));
    const { reader } = open({ "1d": days });
    const weeks = await reader.read(range("1w", Date.UTC(2026, 10, 3), Date.UTC(2026, 10, 16)));
    assert.deepEqual(
      weeks.map(({ time, volume }) => [time, volume]),
      [[Date.UTC(2026, 10, 9), 7]],
    );
  });

  it("drops a first candle that has only a part, if a history of few candles an answer is too long", async () => {
    const hours = Array.from({ length: 100 }, (_, index) => flat(SUNDAY + index * HOUR));
    const { reader, asked } = open({ "1h": hours }, 3);
    const candles = await reader.read(range("4h", SUNDAY, SUNDAY + 100 * HOUR));
    assert.ok(asked.length <= 21, `${asked.length} requests`);
    assert.ok(candles.length > 5 && candles.every(({ volume }) => volume === 4), JSON.stringify(candles));
  });

  it("asks for an interval that the exchange refused only once", async () => {
    const { reader, names } = open({ "1h": [flat(SUNDAY)] });
    for (let round = 0; round < 3; round += 1)
      assert.equal((await reader.read(range("4h", SUNDAY, SUNDAY + DAY))).length, 1);
    assert.deepEqual(names(), ["4h", "1h", "1h", "1h"]);
  });

  it("reports the refusal of a pair, and asks for its interval again", async () => {
    const { reader, names } = open({});
    for (let round = 0; round < 2; round += 1)
      await assert.rejects(reader.read(range("15m", SUNDAY, SUNDAY + DAY)), { code: "UDF" });
    assert.deepEqual(names(), ["15m", "5m", "1m", "15m", "5m", "1m"]);
  });

  it("does not aggregate because of a failure", async () => {
    const failure = new NoResponseError("history", "timeout", "x");
    const asked: string[] = [];
    const reader = new HistoryReader(({ interval }) => {
      asked.push(interval);
      return Promise.reject(failure);
    });
    await assert.rejects(reader.read(range("4h", SUNDAY, SUNDAY + DAY)), failure);
    assert.deepEqual(asked, ["4h"]);
  });

  it("finds the last weeks of a pair that has not been traded for years, without the first, partial one", async () => {
    const days = Array.from({ length: 30 }, (_, index) => flat(Date.UTC(2024, 0, 1) + index * DAY));
    const { reader } = open({ "1d": days });
    const weeks = await reader.read(range("1w", SUNDAY - 21 * DAY, SUNDAY), true);
    assert.deepEqual(
      weeks.map(({ time, volume }) => [time, volume]),
      [8, 15, 22, 29].map((day) => [Date.UTC(2024, 0, day), day === 29 ? 2 : 7]),
    );
  });
});
