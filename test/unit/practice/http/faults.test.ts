import assert from "node:assert/strict";
import type { Fault } from "../../../../src/practice/http/faults.ts";
import { startPractice, type PracticeExchange } from "../../../../src/practice/http/server.ts";
import { createMarket, DEFAULT_SEED } from "../../../../src/practice/market/market.ts";
import {
  bidBody,
  getWallet,
  postBid,
  send,
  testPair,
  type Answered,
} from "../../../support/builders/practiceRequest.ts";

const NOW = Date.UTC(2026, 2, 3);
const BODY = bidBody("THB_BTC", 1000, createMarket(DEFAULT_SEED).quoteAt("THB_BTC", NOW).bid);

describe("practice faults", function () {
  this.timeout(60_000);
  let exchange: PracticeExchange;

  beforeEach(async () => {
    exchange = await startPractice({ credentials: testPair, now: () => NOW });
  });
  afterEach(() => exchange.close());

  const bid = (): Promise<Answered> => postBid(exchange.baseUrl, BODY, NOW);
  async function spent(): Promise<boolean> {
    const { result } = await getWallet(exchange.baseUrl, NOW);
    return (result as { THB: number }).THB === 999_000;
  }

  for (const when of ["before", "after"] as const) {
    const took = when === "after";
    const effect = took ? "the order placed" : "no order placed";

    it(`reset the connection ${when} processing: no response, and ${effect}`, async () => {
      exchange.faults.next("placeBid", { kind: "reset", when });
      await assert.rejects(bid(), /ECONNRESET|socket hang up/);
      assert.equal(await spent(), took);
    });

    it(`return a proxy's page ${when} processing, with 200 or 5xx, and ${effect}`, async () => {
      for (const status of [200, 502, 503, 504, 520]) {
        exchange.faults.next("placeBid", { kind: "html", when, status });
        const answer = await bid();
        assert.equal(answer.status, status);
        assert.match(String(answer.headers["content-type"]), /^text\/html/);
        assert.match(answer.text, /^<!doctype html>/);
        if (!took) assert.equal(await spent(), false);
      }
      const { result } = await getWallet(exchange.baseUrl, NOW);
      assert.equal((result as { THB: number }).THB, took ? 995_000 : 1_000_000);
    });

    it(`return 429 for a rate limit, or another code with 200, ${when} processing: ${effect}`, async () => {
      const faults: [Fault, status: number, code: number][] = [
        [{ kind: "rateLimited", when }, 429, 30],
        [{ kind: "code", when, code: 30 }, 200, 30],
        [{ kind: "code", when, code: 20 }, 200, 20],
      ];
      for (const [fault, status, code] of faults) {
        exchange.faults.next("placeBid", fault);
        const answer = await bid();
        assert.deepEqual([answer.status, answer.error], [status, code]);
      }
      const { result } = await getWallet(exchange.baseUrl, NOW);
      assert.equal((result as { THB: number }).THB, took ? 997_000 : 1_000_000);
    });

    it(`delay a response, ${when} processing: ${effect} during the delay`, async () => {
      exchange.faults.next("placeBid", { kind: "delay", when, ms: 300 });
      const started = performance.now();
      const answer = bid();
      while (exchange.requests.placeBid === 0) await new Promise(setImmediate);
      assert.equal(await spent(), took);
      assert.equal((await answer).error, 0);
      assert.ok(performance.now() - started >= 295);
      assert.equal(await spent(), true);
    });
  }

  it("cut off the JSON of an order that was placed", async () => {
    exchange.faults.next("placeBid", { kind: "cutJson" });
    const answer = await bid();
    assert.equal(answer.status, 200);
    assert.match(answer.text, /^\{"error":0,"result":\{/);
    assert.throws(() => JSON.parse(answer.text));
    assert.equal(await spent(), true);
  });

  it("affect each request once, in the planned order, and no other endpoint", async () => {
    await exchange.close();
    exchange = await startPractice({
      credentials: testPair,
      now: () => NOW,
      faults: { next: { tickers: [{ kind: "html", when: "before", status: 502 }, { kind: "cutJson" }] } },
    });
    const ticker = (): Promise<Answered> => send(exchange.baseUrl, "GET", "/api/market/ticker");
    assert.equal((await send(exchange.baseUrl, "GET", "/api/servertime")).error, 0);
    assert.equal((await ticker()).status, 502);
    assert.equal((await ticker()).error, undefined);
    assert.equal((await ticker()).error, 0);
    assert.equal(exchange.requests.tickers, 3);
  });

  it("shift the clock for servertime and for the check of signatures", async () => {
    exchange.faults.clockSkewMs = 3_600_000;
    const { result } = await send(exchange.baseUrl, "GET", "/api/servertime");
    assert.equal(result, (NOW + 3_600_000) / 1000);
    assert.equal((await getWallet(exchange.baseUrl, NOW)).error, 8);
    assert.equal((await getWallet(exchange.baseUrl, NOW + 3_600_000)).error, 0);
  });
});
