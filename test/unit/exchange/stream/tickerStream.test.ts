import assert from "node:assert/strict";
import { TickerStream } from "../../../../src/exchange/stream/tickerStream.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import { testProfile } from "../../../support/builders/client.ts";
import { FakeStreams, tickerFrame } from "../../../support/fakes/streams.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";

function setUp(bases: readonly string[] = ["BTC", "ETH"]) {
  const [streams, timers] = [new FakeStreams(), new FakeTimers()];
  const received: Ticker[] = [];
  let lost = 0;
  const stream = new TickerStream({
    profile: testProfile("https://api.example.com/trading"),
    path: "/websocket-api/",
    pairs: bases.map((base) => ({ symbol: `THB_${base}`, pair: { quote: "THB", base } })),
    open: streams.open,
    timers,
    random: () => 0,
    received: (ticker) => received.push(ticker),
    lost: () => (lost += 1),
    log: () => undefined,
  });
  return { streams, timers, received, stream, lost: () => lost };
}

describe("The ticker stream", () => {
  it("asks for all pairs by their names, and hands over each ticker", () => {
    const { streams, received } = setUp();
    const [socket] = streams.all;
    assert.equal(
      socket?.url.href,
      "wss://api.example.com/trading/websocket-api/market.ticker.thb_btc,market.ticker.thb_eth",
    );
    socket.open();
    socket.frame(tickerFrame("THB_BTC", 2_883_194.85, { percentChange: 2.15, isFrozen: 1 }));
    const [{ symbol, pair, last, percentChange, frozen }] = received as [Ticker];
    assert.deepEqual(
      [symbol, pair, last, percentChange, frozen],
      ["THB_BTC", { quote: "THB", base: "BTC" }, 2_883_194.85, 2.15, true],
    );
  });

  it("reads exponents, text in place of numbers, and several tickers on a line each", () => {
    const { streams, received } = setUp();
    streams.all[0]?.open();
    streams.all[0]?.frame(`${tickerFrame("THB_BTC", "1.5e-7")}\n${tickerFrame("THB_ETH", 3)}\n`);
    assert.deepEqual(
      received.map(({ symbol, last }) => [symbol, last]),
      [
        ["THB_BTC", 1.5e-7],
        ["THB_ETH", 3],
      ],
    );
  });

  it("leaves out noise, garbage, wrong names and wrong prices", () => {
    const { streams, received } = setUp();
    streams.all[0]?.open();
    streams.all[0]?.frame(
      "",
      "null",
      "[]",
      "hello",
      '{"stream":"market.ticker.thb_btc"}',
      '{"event":"global.ticker","last":1}',
      tickerFrame("THB_DOGE", 1),
      tickerFrame("BTC_THB", 1),
      tickerFrame("__proto___x", 1),
      tickerFrame("THB_BTC", 0),
      tickerFrame("THB_BTC", -1),
      tickerFrame("THB_BTC", "1,5"),
      tickerFrame("THB_BTC", 1e31),
      tickerFrame("THB_BTC", "<b>1</b>"),
      tickerFrame("THB_BTC", 5).slice(0, -1),
      tickerFrame("THB_BTC", 5).replace('"last":5', '"last":5,"last":6'),
      tickerFrame("THB_BTC", 5, { note: "x".repeat(20_000) }),
      tickerFrame("THB_BTC", 5, { note: [[[[[1]]]]] }),
    );
    assert.deepEqual(received, []);
  });

  it("reports a lost connection, reconnects, and closes when disposed", async () => {
    const { streams, timers, stream, received, lost } = setUp();
    streams.all[0]?.open();
    streams.all[0]?.end();
    assert.equal(lost(), 1);
    await timers.advance(2000);
    streams.all[1]?.open();
    streams.all[1]?.frame(tickerFrame("THB_BTC", 5));
    assert.equal(received.length, 1);
    stream.dispose();
    await timers.advance(120_000);
    assert.deepEqual([streams.current.length, streams.all.length, timers.nextIn], [0, 2, undefined]);
  });
});
