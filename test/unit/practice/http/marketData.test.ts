import assert from "node:assert/strict";
import { startPractice, type PracticeExchange } from "../../../../src/practice/http/server.ts";
import type { Api } from "../../../../src/practice/http/routes.ts";
import { createMarket, DEFAULT_SEED } from "../../../../src/practice/market/market.ts";
import { send, testPair, type Answered } from "../../../support/builders/practiceRequest.ts";

const NOW = Date.UTC(2026, 2, 3, 4, 5, 6, 789);

describe("practice market data", () => {
  const market = createMarket(DEFAULT_SEED);
  let exchange: PracticeExchange;
  const get = (target: string): Promise<Answered> =>
    send(exchange.baseUrl, "GET", target, { headers: { "User-Agent": "test" } });

  async function start(api: Api): Promise<void> {
    await exchange?.close();
    exchange = await startPractice({ credentials: testPair, now: () => NOW, api });
  }
  beforeEach(() => start("spec"));
  afterEach(() => exchange.close());

  it("names every pair, quote first, with its number", async () => {
    const { result } = await get("/api/market/symbols");
    const rows = result as unknown[];
    assert.deepEqual(rows[0], { id: 1, symbol: "THB_BTC", info: "THB to BTC" });
    assert.equal(rows.length, market.tickersAt(NOW).length);
  });

  it("returns the best levels, best first, starting at the ticker's bid and ask", async () => {
    for (const symbol of ["THB_BTC", "THB_PEPE"]) {
      const { text } = await get(`/api/market/depth?sym=${symbol}&lmt=20`);
      assert.doesNotMatch(text, /\d[eE][+-]?\d/);
      const { asks, bids } = JSON.parse(text) as Record<"asks" | "bids", [number, number][]>;
      const { ask, bid } = market.quoteAt(symbol, NOW);
      assert.deepEqual([asks[0]?.[0], bids[0]?.[0]], [ask, bid]);
      for (const [levels, direction] of [
        [asks, 1],
        [bids, -1],
      ] as const) {
        assert.equal(levels.length, 20);
        const prices = levels.map(([price]) => price * direction);
        assert.deepEqual(
          prices,
          [...new Set(prices)].toSorted((one, other) => one - other),
        );
        for (const [price, size] of levels) assert.ok(price > 0 && size > 0);
      }
    }
  });

  it("returns the depth without envelope in generation A, with one in B, and the same in each call", async () => {
    const bare = await get("/api/market/depth?sym=THB_BTC");
    await start("current");
    const enveloped = await get("/api/v3/market/depth?sym=btc_thb");
    assert.equal(enveloped.text, `{"error":0,"result":${bare.text}}`);
    assert.equal((await get("/api/v3/market/depth?sym=btc_thb")).text, enveloped.text);
    assert.equal((JSON.parse(bare.text) as { asks: unknown[] }).asks.length, 10);
  });

  it("returns the newest trades, newest first, at the prices of their time", async () => {
    await start("current");
    const { result } = await get("/api/v3/market/trades?sym=btc_thb&lmt=30");
    const trades = result as [number, number, number, string][];
    assert.equal(trades.length, 30);
    let before = NOW;
    for (const [at, rate, size, side] of trades) {
      assert.ok(at <= before && at > NOW - 180_000);
      before = at;
      const { ask, bid } = market.quoteAt("THB_BTC", at);
      assert.equal(rate, side === "BUY" ? ask : bid);
      assert.ok(size > 0);
    }
    await start("spec");
    const oldest = await get("/api/market/trades?sym=THB_BTC&lmt=30");
    const inSeconds = trades.map(([at, ...rest]) => [Math.floor(at / 1000), ...rest]);
    assert.deepEqual(oldest.result, inSeconds);
  });

  it("returns no trades of a frozen pair, and at most 100 rows", async () => {
    assert.deepEqual((await get("/api/market/trades?sym=THB_ZIL")).result, []);
    assert.equal(((await get("/api/market/trades?sym=THB_BTC&lmt=5000")).result as unknown[]).length, 100);
  });

  it("refuses a missing pair with 10 and an unknown one with 11", async () => {
    for (const path of ["depth", "trades"]) {
      assert.equal((await get(`/api/market/${path}`)).error, 10);
      for (const sym of ["", "BTC_THB", "THB_NONE", "toString"]) {
        assert.equal((await get(`/api/market/${path}?sym=${sym}`)).error, 11, sym);
      }
    }
  });
});
