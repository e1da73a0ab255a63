import assert from "node:assert/strict";
import { TickerStream } from "../../../../src/exchange/stream/tickerStream.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import { testProfile } from "../../../support/builders/client.ts";
import { FakeStreams, tickerFrame } from "../../../support/fakes/streams.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";

function setUp(bases: readonly string[] = ["BTC", "ETH"]) {
  const [streams, timers] = [new FakeStreams(), new FakeTimers()];
  const received: Ticker[] = [];
  let changes = 0;
  const stream = new TickerStream({
    profile: testProfile("https://api.example.com/trading"),
    path: "/websocket-api/",
    pairs: bases.map((base) => ({ symbol: `THB_${base}`, pair: { quote: "THB", base } })),
    open: streams.open,
    timers,
    random: () => 0,
    received: (ticker) => received.push(ticker),
    changed: () => (changes += 1),
    quietMs: 5000,
    joined: () => undefined,
    log: () => undefined,
  });
  return { streams, timers, received, stream, changes: () => changes };
}

const namesIn = ({ pathname }: URL): string[] => pathname.split("/").at(-1)?.split(",") ?? [];

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

  it("spreads many pairs over as many addresses as they need, with no name twice", () => {
    const bases = Array.from({ length: 470 }, (_, index) => `C${index}`);
    const { streams } = setUp(bases);
    const named = streams.all.map(({ url }) => namesIn(url));
    assert.equal(streams.all.length, 3);
    assert.ok(streams.all.every(({ url }) => url.pathname.length < 4100));
    assert.deepEqual(
      named.flat(),
      bases.map((base) => `market.ticker.thb_${base.toLowerCase()}`),
    );
  });

  it("halves an address that the exchange finds too long, at once, and asks for every name again", () => {
    const bases = Array.from({ length: 100 }, (_, index) => `C${index}`);
    const { streams } = setUp(bases);
    streams.all[0]?.end({ reason: "refused", status: 414 });
    const [first, second] = streams.current;
    assert.deepEqual([streams.current.length, namesIn(first?.url as URL).length], [2, 50]);
    assert.deepEqual(
      [first, second].flatMap((each) => namesIn(each?.url as URL)),
      bases.map((base) => `market.ticker.thb_${base.toLowerCase()}`),
    );
  });

  it("is up while every connection is open and has sent a frame since", async () => {
    const { streams, stream, timers, changes } = setUp(
      Array.from({ length: 300 }, (_, index) => `C${index}`),
    );
    const [first, second] = streams.all;
    first?.open();
    second?.open();
    first?.frame(tickerFrame("THB_C0", 1));
    assert.equal(stream.isUp, false);
    second?.frame(tickerFrame("THB_C299", 1));
    assert.deepEqual([stream.isUp, changes()], [true, 1]);
    second?.end();
    assert.deepEqual([stream.isUp, changes()], [false, 2]);
    await timers.advance(1000);
    streams.all.at(-1)?.open();
    assert.equal(stream.isUp, false);
    streams.all.at(-1)?.frame(tickerFrame("THB_C299", 1));
    assert.equal(stream.isUp, true);
  });

  it("names the pairs whose first frame does not come in time, until it comes", async () => {
    const { streams, stream, timers, changes } = setUp();
    streams.all[0]?.open();
    for (let second = 0; second < 15; second += 5) {
      streams.all[0]?.frame(tickerFrame("THB_BTC", 1));
      assert.deepEqual(stream.silent, []);
      await timers.advance(5000);
    }
    assert.deepEqual([stream.silent, stream.isUp], [["THB_ETH"], true]);
    const before = changes();
    streams.all[0]?.frame(tickerFrame("THB_ETH", 1));
    assert.deepEqual([stream.silent, changes()], [[], before + 1]);
  });

  it("is up in spite of an address whose names were all silent from the first moment", async () => {
    const { streams, stream, timers } = setUp(Array.from({ length: 300 }, (_, index) => `C${index}`));
    const [first, second] = streams.all;
    first?.open();
    second?.open();
    for (let second = 0; second < 15; second += 5) {
      first?.frame(tickerFrame("THB_C0", 1));
      await timers.advance(5000);
    }
    assert.equal(stream.isUp, true);
    assert.ok(stream.silent.includes("THB_C299"));
  });

  it("reads no open connection while it rests, and hears what waited when the time is over", async () => {
    const { streams, stream, timers, received } = setUp(
      Array.from({ length: 300 }, (_, index) => `C${index}`),
    );
    for (const socket of streams.all) socket.open();
    stream.rest(200);
    streams.all[0]?.frame(tickerFrame("THB_C0", 1), tickerFrame("THB_C0", 2));
    streams.all[1]?.frame(tickerFrame("THB_C299", 3));
    await timers.advance(199);
    assert.deepEqual(received, []);
    await timers.advance(1);
    assert.deepEqual(
      received.map(({ symbol, last }) => [symbol, last]),
      [
        ["THB_C0", 1],
        ["THB_C0", 2],
        ["THB_C299", 3],
      ],
    );
  });

  it("rests from the newest call on, and not after the end of the rest was asked for", async () => {
    const { streams, stream, timers } = setUp();
    const [socket] = streams.all;
    socket?.open();
    stream.rest(200);
    await timers.advance(150);
    stream.rest(200);
    await timers.advance(150);
    assert.equal(socket?.isPaused, true);
    stream.endRest();
    await timers.advance(0);
    assert.deepEqual([socket.isPaused, timers.nextIn !== undefined && timers.nextIn > 200], [false, true]);
  });

  it("closes all connections when it is released", async () => {
    const { streams, stream, timers } = setUp(Array.from({ length: 300 }, (_, index) => `C${index}`));
    streams.all[0]?.open();
    stream.rest(200);
    stream.dispose();
    await timers.advance(120_000);
    assert.deepEqual([streams.current.length, streams.all.length, timers.nextIn], [0, 2, undefined]);
  });
});
