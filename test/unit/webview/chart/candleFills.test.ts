import assert from "node:assert/strict";
import type { Candle } from "../../../../src/market/candle.ts";
import { intervals } from "../../../../src/market/intervals.ts";
import { candleAt, fillsByCandle } from "../../../../src/webview/chart/candleFills.ts";

const candle = (time: number): Candle => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 1 });
const minute = intervals["1m"].ms;
const candles = [0, 1, 3].map((index) => candle(index * minute));
const fill = (at: number, tone: "up" | "down") => ({ at, tone });

describe("fills in the candles of a chart", () => {
  it("belong to the newest candle that began by then, also across a gap and after the last one", () => {
    const starts = [-1, 0, minute - 1, minute, 2.5 * minute, 3 * minute, 9 * minute].map(
      (at) => candleAt(candles, at)?.time,
    );
    assert.deepEqual(starts, [undefined, 0, 0, minute, minute, 3 * minute, 3 * minute]);
    assert.equal(candleAt([], 5), undefined);
  });

  it("are one mark per candle and colour, in candle order", () => {
    const fills = [fill(-5, "up"), fill(1, "down"), fill(2, "up"), fill(3, "up"), fill(minute, "down")];
    assert.deepEqual(fillsByCandle(fills, candles), [
      { time: 0, tone: "up", count: 2 },
      { time: 0, tone: "down", count: 1 },
      { time: minute, tone: "down", count: 1 },
    ]);
    assert.deepEqual(fillsByCandle(fills, []), []);
  });
});
