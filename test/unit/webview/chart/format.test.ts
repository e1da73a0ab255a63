import assert from "node:assert/strict";
import fc from "fast-check";
import type { Candle } from "../../../../src/market/candle.ts";
import { Decimal, parseDecimal } from "../../../../src/market/numbers/decimal.ts";
import {
  candlePlaces,
  ChartFormat,
  rateAt,
  scaleRange,
  withNewest,
} from "../../../../src/webview/chart/format.ts";

describe("the texts of a chart", () => {
  const text = new ChartFormat("en-GB");

  it("show prices with the pair's decimals, and never show a small price as zero", () => {
    assert.equal(text.price(2_998_000.5, 2), "2,998,000.50");
    assert.equal(text.price(0.000_001_23, 8), "0.00000123");
  });

  it("show volumes in compact notation, and a dash if unknown", () => {
    assert.match(text.volume(1_234_567), /^1\.235m$/i);
    assert.equal(text.volume(0.000_123_4), "0.0001234");
    assert.equal(text.volume(0), "0");
    assert.equal(text.volume(undefined), "–");
  });

  it("show the rounding error of a scale's zero as zero, and the smallest volume as itself", () => {
    assert.equal(text.volume(1.388e-17), "0");
    assert.equal(text.volume(-1.388e-17), "0");
    assert.equal(text.volume(0.000_000_01), "0.00000001");
    assert.deepEqual(text.volumes([4e9, 2e9, 4.7e-7]), ["4bn", "2bn", "0"]);
    assert.deepEqual(text.volumes([2e-8, 1e-8, 0]), ["0.00000002", "0.00000001", "0"]);
    assert.deepEqual(text.volumes([]), []);
  });

  it("leave a mark below zero without a number, because no volume is negative", () => {
    assert.deepEqual(text.volumes([5e-8, 0, -5e-8]), ["0.00000005", "0", ""]);
  });

  it("date a day of UTC as that day in every time zone, and the first one of a year as the year", () => {
    const day = Date.UTC(2026, 10, 21);
    assert.equal(text.start(day, "1d"), "21 Nov 2026");
    assert.equal(text.mark(day, "1d", undefined), "21 Nov");
    assert.equal(text.mark(day, "1d", "year"), "2026");
  });

  it("date a day of another time zone as the date in which most of it lies", () => {
    for (const hours of [7, -5]) {
      const start = Date.UTC(2026, 10, 21) - hours * 3_600_000;
      assert.equal(text.start(start, "1d"), "21 Nov 2026");
      assert.equal(text.mark(start, "1d", "day"), "21 Nov");
    }
  });

  it("show a moment in the reader's own time, and marks with a date at the beginning of a day", () => {
    const at = new Date(2026, 10, 21, 9, 5).getTime();
    assert.equal(text.start(at, "1m", new Date(2027, 0, 1).getTime()), "21 Nov 2026, 09:05");
    assert.equal(text.start(at, "1m", new Date(2026, 0, 1).getTime()), "21 Nov, 09:05");
    assert.equal(text.mark(at, "1m", undefined), "09:05");
    assert.equal(text.mark(at, "1m", "day"), "21 Nov");
    assert.equal(text.mark(at, "1m", "year"), "21 Nov");
  });
});

describe("the rate at the pointer", () => {
  it("has the pair's decimals and no more", () => {
    assert.equal(rateAt(2_998_000.123_456, 2), "2998000.12");
    assert.equal(rateAt(2_998_000.001, 2), "2998000");
    assert.equal(rateAt(0.000_001_234, 8), "0.00000123");
  });

  it("is missing if it would be zero or negative", () => {
    for (const price of [0, -5, 0.001, Number.NaN, Infinity]) assert.equal(rateAt(price, 2), undefined);
  });

  it("is the nearest multiple of the step that the exchange states", () => {
    const steps = [
      [99.87, "0.25", "99.75"],
      [99.88, "0.25", "100"],
      [2_998_000.123_456, "10", "2998000"],
      [0.000_001_234, "0.0000005", "0.000001"],
      [3, "10", undefined],
    ] as const;
    for (const [price, step, rate] of steps) assert.equal(rateAt(price, 8, new Decimal(step)), rate);
  });

  it("is always text that the order ticket accepts", () => {
    fc.assert(
      fc.property(fc.double({ min: -1, max: 1e15 }), fc.integer({ min: 0, max: 12 }), (price, places) => {
        const rate = rateAt(price, places);
        if (rate === undefined) return;
        assert.ok(parseDecimal(rate)?.gt("0"), rate);
        assert.ok((rate.split(".")[1]?.length ?? 0) <= places);
      }),
    );
  });
});

describe("the decimals of candles", () => {
  it("are the most decimals of any of their prices", () => {
    const candle = { time: 0, open: 1, high: 2_998_000.1234, low: 0.5, close: 1, volume: undefined };
    assert.equal(candlePlaces([{ ...candle, high: 1 }, candle]), 4);
    assert.equal(candlePlaces([]), 0);
  });
});

describe("the newest candle", () => {
  const at = (time: number, close = 1): Candle => ({ time, open: 1, high: 9, low: 1, close, volume: 1 });

  it("replaces the candle with the same time, or follows the last candle", () => {
    assert.deepEqual(withNewest([at(1), at(2)], at(2, 5)), [at(1), at(2, 5)]);
    assert.deepEqual(withNewest([at(1), at(2)], at(3)), [at(1), at(2), at(3)]);
    assert.deepEqual(withNewest([], at(3)), [at(3)]);
  });

  it("is dropped if older, because the chart accepts no past candle", () => {
    assert.deepEqual(withNewest([at(1), at(2)], at(1, 7)), [at(1), at(2)]);
  });
});

describe("the price scale of a chart", () => {
  it("is wide for the first candle, and fits the candles once there are enough", () => {
    const range = { minValue: 99.99, maxValue: 100.01 };
    const first = scaleRange(range, 1);
    assert.ok(first.maxValue - first.minValue > 0.9, "one candle of 0.02 takes a small part of the scale");
    assert.ok(Math.abs(first.maxValue + first.minValue - 200) < 1e-9, "and the candle is in the middle");
    const later = scaleRange(range, 10);
    assert.ok(later.maxValue - later.minValue < first.maxValue - first.minValue);
    assert.deepEqual(scaleRange(range, 20), range);
    const moving = { minValue: 90, maxValue: 110 };
    assert.deepEqual(scaleRange(moving, 1), moving);
  });
});
