import assert from "node:assert/strict";
import fc from "fast-check";
import { foldCandles, type Candle } from "../../../../src/market/candle.ts";
import { intervals } from "../../../../src/market/intervals.ts";
import { answerHistory } from "../../../../src/practice/http/history.ts";
import { startPractice, type PracticeExchange } from "../../../../src/practice/http/server.ts";
import { createMarket, DEFAULT_SEED, stepPlaces } from "../../../../src/practice/market/market.ts";
import { send, testPair } from "../../../support/builders/practiceRequest.ts";

const NOW = Date.UTC(2026, 2, 3, 4, 5, 6, 789);
const MINUTE = intervals["1m"].ms;
const HOUR = intervals["1h"].ms;
const DAY = intervals["1d"].ms;
const market = createMarket(DEFAULT_SEED);

interface History {
  readonly s: string;
  readonly errmsg?: string;
  readonly t: number[];
  readonly o: number[];
  readonly h: number[];
  readonly l: number[];
  readonly c: number[];
  readonly v: number[];
}

function ask(given: Record<string, string | number>, now = NOW): History {
  const query = { symbol: "BTC_THB", resolution: "1", from: 0, to: Math.floor(now / 1000), ...given };
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) params.set(key, String(value));
  return JSON.parse(answerHistory(params, market, now)) as History;
}

function candles({ t, o, h, l, c, v }: History): Candle[] {
  return t.map((time, index) => ({
    time: time * 1000,
    open: o[index] ?? Number.NaN,
    high: h[index] ?? Number.NaN,
    low: l[index] ?? Number.NaN,
    close: c[index] ?? Number.NaN,
    volume: v[index],
  }));
}

const seconds = (ms: number): number => Math.floor(ms / 1000);

describe("the practice exchange's history", () => {
  it("matches the ticker's past: each candle opens and closes on the ticker's price", () => {
    for (const [resolution, length] of [
      ["1", MINUTE],
      ["5", 5 * MINUTE],
      ["60", HOUR],
      ["1D", DAY],
    ] as const) {
      const found = candles(ask({ resolution, from: seconds(NOW - 20 * length) }));
      assert.equal(found.length, 20);
      for (const { time, open, high, low, close } of found) {
        assert.equal(time % length, 0);
        assert.equal(open, market.quoteAt("THB_BTC", time).last);
        assert.equal(close, market.quoteAt("THB_BTC", Math.min(NOW, time + length)).last);
        assert.ok(low <= open && open <= high && low <= close && close <= high);
        for (const price of [open, high, low, close]) {
          assert.equal(Number(price.toFixed(stepPlaces(price))), price);
        }
      }
    }
  });

  it("adds up: long candles contain the short candles, and a day's volume is the ticker's", () => {
    const from = seconds(Math.floor(NOW / HOUR) * HOUR - 11 * HOUR);
    const minutes = candles(ask({ from }));
    const fives = candles(ask({ resolution: "5", from }));
    const prices = (all: Candle[]): Candle[] => all.map((each) => ({ ...each, volume: undefined }));
    assert.deepEqual(prices(foldCandles(minutes, 5 * MINUTE)), prices(fives));
    const hours = candles(ask({ resolution: "60", from }));
    const folded = new Map(foldCandles(minutes, HOUR).map((each) => [each.time, each]));
    for (const { time, high, low } of hours) {
      assert.ok(high <= (folded.get(time)?.high ?? 0) && low >= (folded.get(time)?.low ?? Infinity));
    }
    const at = Math.floor(NOW / HOUR) * HOUR;
    const day = candles(ask({ resolution: "60", from: seconds(at - DAY), to: seconds(at) - 1 }, at));
    const traded = day.reduce((sum, { volume = 0 }) => sum + volume, 0);
    const ticker = market.tickersAt(at).find(({ symbol }) => symbol === "THB_BTC");
    assert.ok(Math.abs(traded / (ticker?.baseVolume ?? 0) - 1) < 1e-6, `${traded} ${ticker?.baseVolume}`);
  });

  it("returns exactly the candles that begin in the range, and no future candle", () => {
    fc.assert(
      fc.property(fc.integer({ min: -3, max: 40 }), fc.integer({ min: -3, max: 40 }), (before, length) => {
        const from = seconds(NOW) - before * 60;
        const to = from + length * 60;
        const answer = ask({ from, to });
        if (length < 0) return assert.equal(answer.s, "error");
        const expected = [];
        for (let time = Math.ceil(from / 60) * 60; time <= Math.min(to, seconds(NOW)); time += 60)
          expected.push(time);
        return expected.length === 0
          ? assert.deepEqual(answer, { s: "no_data" })
          : assert.deepEqual(answer.t, expected);
      }),
    );
  });

  it("returns the newest 1500 candles of a longer range", () => {
    for (const resolution of ["1", "1D"]) {
      const found = ask({ resolution }).t;
      assert.equal(found.length, 1500);
      assert.ok((found.at(-1) ?? 0) * 1000 > NOW - DAY);
    }
  });

  it("has every hour of the past year, whatever spans are requested, and the same in another process", () => {
    const hours: number[] = [];
    let to = Math.floor(NOW / HOUR) * HOUR;
    while (hours.length < 366 * 24) {
      const { t } = ask({ resolution: "60", from: seconds(to - 700 * HOUR), to: seconds(to) });
      hours.unshift(...t.map((time) => time * 1000));
      to = (hours[0] ?? 0) - HOUR;
    }
    const newest = Math.floor(NOW / HOUR);
    assert.deepEqual(
      hours,
      hours.map((_, index) => (newest - hours.length + 1 + index) * HOUR),
    );
    const before = { from: seconds(NOW - 365 * DAY), to: seconds(NOW - 364 * DAY) };
    const params = new URLSearchParams({ symbol: "BTC_THB", resolution: "60" });
    for (const [key, value] of Object.entries(before)) params.set(key, String(value));
    const other = answerHistory(params, createMarket(DEFAULT_SEED), NOW + DAY);
    assert.deepEqual(JSON.parse(other), ask({ resolution: "60", ...before }));
  });

  it("finds a pair by either order of its name, and shows a frozen pair without trade", () => {
    assert.deepEqual(
      ask({ symbol: "THB_ETH", from: 1.7e9, to: 1.7e9 + 600 }),
      ask({ symbol: "ETH_THB", from: 1.7e9, to: 1.7e9 + 600 }),
    );
    const { o, h, l, c, v } = ask({ symbol: "ZIL_THB", from: seconds(NOW - HOUR) });
    assert.deepEqual([...new Set([...o, ...h, ...l, ...c])], [0.39]);
    assert.deepEqual([...new Set(v)], [0]);
  });

  it("explains an invalid request", () => {
    for (const [given, pattern] of [
      [{ symbol: "NONE_THB" }, /symbol/],
      [{ symbol: "" }, /symbol/],
      [{ resolution: "7" }, /resolution/],
      [{ from: "x" }, /seconds/],
      [{ to: "-1" }, /seconds/],
      [{ from: 10, to: 9 }, /seconds/],
    ] as const) {
      const { s, errmsg = "" } = ask(given);
      assert.equal(s, "error");
      assert.match(errmsg, pattern);
    }
  });

  describe("over HTTP", () => {
    let exchange: PracticeExchange;
    beforeEach(async () => {
      exchange = await startPractice({ credentials: testPair, now: () => NOW });
    });
    afterEach(() => exchange.close());

    it("is answered without a signature and without an envelope, in numbers without exponent", async () => {
      const path = `/tradingview/history?symbol=SHIB_THB&resolution=1&from=${seconds(NOW) - 600}&to=${seconds(NOW)}`;
      const answer = await send(exchange.baseUrl, "GET", path);
      assert.equal(answer.status, 200);
      assert.doesNotMatch(answer.text, /\d[eE][+-]?\d/);
      const { s, t } = JSON.parse(answer.text) as History;
      assert.deepEqual([s, t.length], ["ok", 10]);
    });
  });
});
