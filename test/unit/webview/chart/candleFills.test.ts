import assert from "node:assert/strict";
import type { Candle } from "../../../../src/market/candle.ts";
import { intervals } from "../../../../src/market/intervals.ts";
import { fillsByCandle } from "../../../../src/webview/chart/candleFills.ts";

const candle = (time: number): Candle => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 1 });
const minute = intervals["1m"].ms;
const candles = [0, 1, 3].map((index) => candle(index * minute));
const fill = (at: number, tone: "up" | "down") => ({ at, tone });

describe("fills in the candles of a chart", () => {
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
