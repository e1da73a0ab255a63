import assert from "node:assert/strict";
import type { Candle } from "../../../../src/market/candle.ts";
import { formatMinute } from "../../../../src/storage/prices/lines.ts";
import { readRecording } from "../../../../src/storage/prices/recording.ts";

const MINUTE = 60_000;
const candle = (minute: number, price: number, volume: number | undefined = 1): Candle => ({
  time: minute * MINUTE,
  open: price,
  high: price + 1,
  low: price - 1,
  close: price,
  volume,
});
const line = (minute: number, candles: Record<string, Candle>): Buffer =>
  formatMinute(minute * MINUTE, new Map(Object.entries(candles)));

describe("a recording", () => {
  it("has all candles of a file by symbol, ordered by time", () => {
    const file = Buffer.concat([
      line(8, { THB_BTC: candle(8, 10), THB_ETH: candle(8, 20) }),
      line(7, { THB_BTC: candle(7, 11) }),
    ]);
    assert.deepEqual(
      readRecording(file),
      new Map([
        ["THB_BTC", [candle(7, 11), candle(8, 10)]],
        ["THB_ETH", [candle(8, 20)]],
      ]),
    );
  });

  it("merges two candles of one minute, and skips damaged lines", () => {
    const damaged = line(2, { THB_BTC: candle(2, 12) });
    damaged[damaged.length - 1] = 0x39;
    const file = Buffer.concat([
      line(1, { THB_BTC: candle(1, 10, 5) }),
      damaged,
      Buffer.from("\nno line at all"),
      line(1, { THB_BTC: candle(1, 14, 3) }),
    ]);
    const [joined, ...others] = readRecording(file).get("THB_BTC") ?? [];
    assert.deepEqual(others, []);
    assert.deepEqual([joined?.high, joined?.low, joined?.close, joined?.volume], [15, 9, 14, 5]);
  });

  it("is empty for any other file", () => {
    assert.equal(readRecording(Buffer.from('{"a":1}\n2 3;4')).size, 0);
  });
});
