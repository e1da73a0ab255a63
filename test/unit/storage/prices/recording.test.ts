import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import type { Candle } from "../../../../src/market/candle.ts";
import { minuteRecord } from "../../../../src/storage/prices/minute.ts";
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
let sequence = 0;
const line = (minute: number, candles: Record<string, Candle>): string => {
  const json = JSON.stringify(minuteRecord(minute * MINUTE, new Map(Object.entries(candles))));
  sequence += 1;
  return `${sequence} ${crc32(json, crc32(`${sequence} `))
    .toString(16)
    .padStart(8, "0")} ${json}\n`;
};

describe("a recording", () => {
  it("has all candles of a file by symbol, ordered by time", () => {
    const file = [
      line(8, { THB_BTC: candle(8, 10), THB_ETH: candle(8, 20) }),
      line(7, { THB_BTC: candle(7, 11) }),
    ];
    assert.deepEqual(
      readRecording(Buffer.from(file.join(""))),
      new Map([
        ["THB_BTC", [candle(7, 11), candle(8, 10)]],
        ["THB_ETH", [candle(8, 20)]],
      ]),
    );
  });

  it("merges two candles of one minute, and skips damaged lines", () => {
    const file = [
      line(1, { THB_BTC: candle(1, 10, 5) }),
      line(2, { THB_BTC: candle(2, 12) }).replace("120000", "120001"),
      "no line at all\n",
      line(1, { THB_BTC: candle(1, 14, 3) }),
    ];
    const [joined, ...others] = readRecording(Buffer.from(file.join(""))).get("THB_BTC") ?? [];
    assert.deepEqual(others, []);
    assert.deepEqual([joined?.high, joined?.low, joined?.close, joined?.volume], [15, 9, 14, 5]);
  });

  it("is empty for any other file", () => {
    assert.equal(readRecording(Buffer.from('{"a":1}\n2 3;4')).size, 0);
  });
});
