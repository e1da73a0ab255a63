import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Candle } from "../../../../src/market/candle.ts";
import { createReplay } from "../../../../src/practice/market/replay.ts";
import { readRecording } from "../../../../src/storage/prices/recording.ts";
import { RECORDED_HOUR, recordHour } from "../../../support/builders/recordedHour.ts";

const MINUTE = 60_000;
const FROM = Date.UTC(2026, 1, 3);
const START = Date.UTC(2026, 5, 1);

function candle(minute: number, open: number, high: number, low: number, close: number): Candle {
  return { time: FROM + minute * MINUTE, open, high, low, close, volume: 6 };
}

describe("a replayed market", () => {
  const rising = candle(0, 100, 112, 94, 106);
  const falling = candle(1, 106, 108, 90, 96);
  const recording = new Map([["THB_BTC", [rising, falling]]]);
  const lastAt = (ms: number, speed = 1): number =>
    createReplay(recording, { startedAt: START, speed }).quoteAt("THB_BTC", START + ms).last;

  it("moves from each minute's open over both extremes to its close", () => {
    assert.deepEqual(
      [0, 20, 40, 60, 80, 100].map((second) => lastAt(second * 1000)),
      [100, 94, 112, 106, 108, 90],
    );
    assert.equal(lastAt(10_000), 97);
  });

  it("plays at the requested speed", () => {
    assert.equal(lastAt(1000, 60), 106);
    assert.equal(lastAt(2000, 10), lastAt(20_000));
  });

  it("begins again at its end, and has a price at every time before", () => {
    assert.equal(lastAt(120_000), 100);
    assert.equal(lastAt(140_000), 94);
    assert.equal(lastAt(-20_000), 90);
  });

  it("keeps the price over a minute that was not recorded", () => {
    const gap = new Map([["THB_BTC", [rising, candle(3, 120, 120, 120, 120)]]]);
    const market = createReplay(gap, { startedAt: START, speed: 1 });
    assert.equal(market.quoteAt("THB_BTC", START + 2 * MINUTE).last, 106);
    assert.equal(market.quoteAt("THB_BTC", START + 3 * MINUTE).last, 120);
  });

  it("derives candles, volumes and tickers from what it plays", () => {
    const market = createReplay(recording, { startedAt: START, speed: 1 });
    assert.deepEqual(market.candle("THB_BTC", START, START + MINUTE), {
      open: 100,
      high: 112,
      low: 94,
      close: 106,
      volume: 6,
    });
    assert.equal(market.candle("THB_BTC", START + MINUTE / 2, START + 2.5 * MINUTE).volume, 12);
    const ticker = market.tickerAt("THB_BTC", START + 30_000);
    assert.deepEqual([ticker.high, ticker.low, ticker.baseVolume], [112, 90, 8640]);
    assert.ok(ticker.bid < ticker.last && ticker.last < ticker.ask);
    assert.deepEqual(market.tickersAt(START + 30_000), [ticker]);
  });

  it("gives pairs the names of this exchange, and leaves others out", () => {
    const named = new Map([
      ["btc_thb", [rising]],
      ["THB_ETH", [rising]],
      ["BTC_USDT", [rising]],
      ["XRP", [rising]],
      ["THB_OLD", []],
    ]);
    const market = createReplay(named, { startedAt: START, speed: 1 });
    assert.deepEqual(market.pairs, [
      { id: 1, symbol: "THB_BTC" },
      { id: 2, symbol: "THB_ETH" },
    ]);
    assert.deepEqual([market.find("THB_BTC")?.base, market.find("THB_XRP")], ["BTC", undefined]);
    assert.throws(() => market.quoteAt("THB_XRP", START), /No such pair/);
    assert.throws(
      () => createReplay(new Map(), { startedAt: START, speed: 1 }),
      /no prices of a pair with THB/,
    );
  });

  it("has a recorded hour that its script writes again, byte for byte", () => {
    assert.ok(recordHour().equals(readFileSync(RECORDED_HOUR)));
  });

  it("plays an hour that Bidside recorded: every minute's high and low are met", () => {
    const hour = readRecording(readFileSync(RECORDED_HOUR));
    const market = createReplay(hour, { startedAt: START, speed: 1 });
    assert.equal(market.pairs.length, 8);
    for (const [symbol, candles] of hour) {
      assert.equal(candles.length, 60, symbol);
      const [first] = candles;
      for (const { time, high, low } of candles) {
        const from = START + time - (first?.time ?? 0);
        const extremes = [20, 40].map((second) => market.quoteAt(symbol, from + second * 1000).last);
        assert.deepEqual([Math.max(...extremes), Math.min(...extremes)], [high, low], `${symbol} ${time}`);
      }
    }
  });
});
