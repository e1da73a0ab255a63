import assert from "node:assert/strict";
import fc from "fast-check";
import type { Candle } from "../../../../src/market/candle.ts";
import { intervals } from "../../../../src/market/intervals.ts";
import { candleAt, indexAt, timeAt } from "../../../../src/webview/chart/candleTimes.ts";

const minute = intervals["1m"].ms;
const candle = (time: number): Candle => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 1 });
const candles = [0, 1, 3].map((index) => candle(index * minute));

describe("the time of a candle", () => {
  it("includes everything up to the next one, also across a gap and after the last one", () => {
    const starts = [-1, 0, minute - 1, minute, 2.5 * minute, 3 * minute, 9 * minute].map(
      (at) => candleAt(candles, at)?.time,
    );
    assert.deepEqual(starts, [undefined, 0, 0, minute, minute, 3 * minute, 3 * minute]);
    assert.equal(candleAt([], 5), undefined);
  });

  it("is between two candles in a gap, and continues before the first and after the last one", () => {
    assert.deepEqual(
      [-2, 0, 1, 2, 3, 5].map((minutes) => indexAt(candles, minute, minutes * minute)),
      [-2, 0, 1, 1.5, 2, 4],
    );
    assert.equal(indexAt([], minute, 5), 0);
  });

  it("is found again by its index, wherever there are gaps", () => {
    const starts = fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(starts, fc.integer({ min: -100, max: 150 }), (minutes, index) => {
        const some = minutes.toSorted((one, other) => one - other).map((each) => candle(each * minute));
        assert.equal(indexAt(some, minute, timeAt(some, minute, index)), index);
      }),
      { numRuns: 300 },
    );
  });
});
