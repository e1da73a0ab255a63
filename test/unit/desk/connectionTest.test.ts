import assert from "node:assert/strict";
import { checksOf, testConnection, type ConnectionResult } from "../../../src/desk/connectionTest.ts";
import { NoAnswerError, NotSentError, RefusedError } from "../../../src/exchange/errors.ts";
import { FakeTimers } from "../../support/fakes/timers.ts";
import { FakeClient, readingOf, tickerOf } from "../../support/fakes/venue.ts";

async function resultsOf(client: FakeClient): Promise<ConnectionResult[]> {
  const results: ConnectionResult[] = [];
  await testConnection(client, new FakeTimers(), (result) => results.push(result));
  return results;
}

describe("the connection test", () => {
  it("checks server time, clock, ticker and wallet, and sends no order", async () => {
    const client = new FakeClient();
    const results = await resultsOf(client);
    assert.deepEqual(
      results.map(({ check, ok }) => [check, ok]),
      checksOf(client).map((check) => [check, true]),
    );
    assert.equal(client.calls.placeOrder, 0);
  });

  it("continues after a failure, so that every check has its own result", async () => {
    const client = new FakeClient();
    const refused = new RefusedError("tickers", { code: 30, httpStatus: 429 });
    client.tickersAnswer = () => Promise.reject(refused);
    const results = await resultsOf(client);
    assert.deepEqual(
      results.map(({ ok }) => ok),
      [true, true, false, true],
    );
    const failed = results[2];
    assert.equal(failed && !failed.ok && failed.error, refused);
  });

  it("stops once the exchange cannot be reached, also after other answers", async () => {
    for (const error of [
      new NotSentError("serverTime", "hostNotFound", ""),
      new NotSentError("serverTime", "proxySignIn", ""),
      new NoAnswerError("serverTime", "timeout", ""),
    ]) {
      const client = new FakeClient();
      client.tickersAnswer = () => Promise.reject(error);
      client.walletAnswer = () => assert.fail("asked after the failure");
      const results = await resultsOf(client);
      assert.deepEqual(
        results.map((result) => (result.ok ? "passed" : result.isSkipped ? "skipped" : "failed")),
        ["passed", "passed", "failed", "skipped"],
      );
      assert.ok(results.every((result) => result.ok || result.error === error));
    }
  });

  it("tries everything readable that the exchange offers, about the busiest pair, and no order", async () => {
    const client = new FakeClient();
    client.tickersAnswer = () =>
      Promise.resolve(
        readingOf(tickerOf("THB_ETH", { quoteVolume: 1 }), tickerOf("THB_BTC", { quoteVolume: 2 })),
      );
    const asked: string[] = [];
    const none = { orders: [], unreadable: [] };
    const seen =
      <T>(name: string, answer: T) =>
      (named?: object): Promise<T> => {
        asked.push(named && "symbol" in named ? `${name} ${String(named.symbol)}` : name);
        return Promise.resolve(answer);
      };
    client.capabilities = {
      symbols: seen("symbols", { listings: new Map(), unreadable: [] }),
      depth: seen("depth", { asks: [], bids: [], unreadable: 0 }),
      trades: seen("trades", { trades: [], unreadable: 0 }),
      status: seen("status", []),
      openOrders: seen("openOrders", none),
      orderInfo: seen("orderInfo", undefined),
      orderHistory: seen("orderHistory", none),
      feeCredits: () => Promise.reject(new RefusedError("feeCredits", { code: 52, httpStatus: 200 })),
      cancelOrder: () => assert.fail("an order was cancelled"),
    };
    const results = await resultsOf(client);
    assert.deepEqual(
      results.map(({ check }) => check),
      checksOf(client),
    );
    assert.deepEqual(
      results.filter(({ ok }) => !ok).map(({ check }) => check),
      ["feeCredits"],
    );
    const aboutPair = ["depth", "trades", "openOrders", "orderInfo", "orderHistory"];
    assert.deepEqual(
      asked.toSorted(),
      [...aboutPair.map((name) => `${name} THB_BTC`), "status", "symbols"].toSorted(),
    );
    assert.equal(client.calls.placeOrder, 0);
  });

  it("gives checks about a pair the cause of the missing tickers", async () => {
    const client = new FakeClient();
    const refused = new RefusedError("tickers", { code: 30, httpStatus: 429 });
    client.tickersAnswer = () => Promise.reject(refused);
    client.capabilities = { depth: () => assert.fail("asked without a pair") };
    const failed = (await resultsOf(client)).find(({ check }) => check === "depth");
    assert.equal(failed && !failed.ok && failed.error, refused);
  });
});
