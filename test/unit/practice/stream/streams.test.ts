import assert from "node:assert/strict";
import { depthAt, tradesBefore } from "../../../../src/practice/market/book.ts";
import { StreamBench, type Frame, type HeldStream } from "../../../support/servers/practiceStream.ts";

const TICKERS = "/websocket-api/market.ticker.thb_btc,market.ticker.thb_eth";
const BOOK = "/websocket-api/orderbook/2";

describe("practice streams", () => {
  let bench: StreamBench;
  beforeEach(() => {
    bench = new StreamBench();
  });

  const events = (stream: HeldStream, event: string): Frame[] =>
    stream.frames().filter((frame) => frame["event"] === event);

  describe("of tickers", () => {
    it("send each named pair once a second, with the market's current prices", async () => {
      const stream = bench.open(TICKERS);
      await bench.timers.advance(5000);
      const btc = stream.frames().filter((frame) => frame["stream"] === "market.ticker.thb_btc");
      const eth = stream.frames().filter((frame) => frame["stream"] === "market.ticker.thb_eth");
      assert.deepEqual([btc.length, eth.length], [5, 5]);
      assert.equal(stream.sent.length, 10);
      const at = bench.timers.now() - 100;
      const ticker = bench.market.tickerAt("THB_BTC", at);
      assert.deepEqual(btc.at(-1), {
        stream: "market.ticker.thb_btc",
        id: 1,
        last: ticker.last,
        lowestAsk: ticker.ask,
        lowestAskSize: depthAt(bench.market, "THB_BTC", at, 1).asks[0]?.[1],
        highestBid: ticker.bid,
        highestBidSize: depthAt(bench.market, "THB_BTC", at, 1).bids[0]?.[1],
        change: Number((ticker.last - ticker.open).toFixed(8)),
        percentChange: ticker.percentChange,
        baseVolume: ticker.baseVolume,
        quoteVolume: ticker.quoteVolume,
        isFrozen: 0,
        high24hr: ticker.high,
        low24hr: ticker.low,
        open: ticker.open,
        close: ticker.last,
      });
    });

    it("stay silent about a name that is not listed", async () => {
      const stream = bench.open("/websocket-api/market.ticker.thb_nothing");
      await bench.timers.advance(4900);
      assert.deepEqual(stream.sent, []);
    });

    it("have no time and no sequence in a frame", async () => {
      const stream = bench.open(TICKERS);
      await bench.timers.advance(1000);
      for (const frame of stream.frames())
        assert.deepEqual(
          Object.keys(frame).filter((key) => /^(?:ts|time|timestamp|seq|sequence)$/i.test(key)),
          [],
        );
    });
  });

  describe("of a book", () => {
    it("send the first full depth after 4.5 s, and then every second", async () => {
      const stream = bench.open(BOOK);
      await bench.timers.advance(4500);
      assert.equal(events(stream, "depthchanged").length, 0);
      await bench.timers.advance(1100);
      const [first, ...others] = events(stream, "depthchanged");
      assert.equal(others.length, 1);
      const { asks, bids } = (first ?? {})["data"] as Record<"asks" | "bids", Record<string, number>[]>;
      assert.deepEqual([asks.length, bids.length], [100, 100]);
      assert.equal(first?.["pairing_id"], 2);
      const at = bench.timers.now() - 1000;
      const depth = depthAt(bench.market, "THB_ETH", at, 100);
      assert.deepEqual(
        asks.map((level) => [level["price"], level["base_volume"]]),
        depth.asks.map(([price, size]) => [price, size]),
      );
    });

    it("send 30 rows per side every second", async () => {
      const stream = bench.open(BOOK);
      await bench.timers.advance(3000);
      for (const event of ["bidschanged", "askschanged"]) {
        const frames = events(stream, event);
        assert.equal(frames.length, 3);
        const rows = frames[0]?.["data"] as unknown[][];
        assert.equal(rows.length, 30);
        assert.equal(rows[0]?.length, 6);
      }
    });

    it("send the trades initially, and again with a flag when there is a new one", async () => {
      const stream = bench.open(BOOK);
      await bench.timers.advance(12_000);
      const frames = events(stream, "tradeschanged");
      assert.ok(frames.length >= 2 && frames.length <= 4, `${frames.length}`);
      const trades = frames.map((frame) => (frame["data"] as unknown[][][])[0] ?? []);
      assert.ok(trades[0]?.every((trade) => trade[6] === false));
      for (const later of trades.slice(1)) assert.equal(later[0]?.[6], true);
      const [newest] = tradesBefore(bench.market, "THB_ETH", bench.timers.now(), 1);
      assert.equal(trades.at(-1)?.[0]?.[1], newest?.rate);
    });

    it("send the pair's ticker, and as noise those of all others", async () => {
      const stream = bench.open(BOOK);
      await bench.timers.advance(2000);
      assert.equal(events(stream, "ticker").length, 2);
      const others = bench.market.pairs.length - 1;
      assert.equal(events(stream, "global.ticker").length, 2 * others);
      assert.ok(events(stream, "global.ticker").every((frame) => frame["pairing_id"] !== 2));
    });

    it("include the account's resting orders, like the depth endpoint", async () => {
      const { bid } = bench.market.quoteAt("THB_ETH", bench.timers.now());
      const rate = Math.floor(bid * 0.999);
      bench.post("/api/market/place-bid", { sym: "THB_ETH", amt: 1000, rat: rate, typ: "limit" });
      const stream = bench.open(BOOK);
      await bench.timers.advance(4600);
      const request = { method: "GET", headers: {}, body: Buffer.alloc(0) };
      const path = "/api/market/depth?sym=THB_ETH&lmt=100";
      const answer = bench.service.answer({ ...request, path });
      const read = JSON.parse(answer.text) as Record<"bids", number[][]>;
      const [depth] = events(stream, "depthchanged");
      const { bids } = (depth ?? {})["data"] as { bids: Record<string, number>[] };
      assert.ok(bids.some((level) => level["price"] === rate));
      assert.deepEqual(
        bids.map((level) => [level["price"], level["base_volume"]]),
        read.bids,
      );
    });

    it("stay silent about a number of no pair", async () => {
      const stream = bench.open("/websocket-api/orderbook/9999");
      await bench.timers.advance(4900);
      assert.deepEqual(stream.sent, []);
    });
  });

  it("ping every 5 s", async () => {
    const stream = bench.open(TICKERS);
    await bench.timers.advance(15_000);
    assert.equal(stream.pings, 3);
  });

  it("need no timer while none is open", async () => {
    assert.equal(bench.timers.nextIn, undefined);
    const [one, other] = [bench.open(TICKERS), bench.open(BOOK)];
    assert.equal(bench.timers.nextIn, 100);
    one.events.ended();
    await bench.timers.advance(1000);
    assert.ok(other.sent.length > 0);
    other.events.ended();
    assert.equal(bench.timers.nextIn, undefined);
  });

  it("are refused at an address that is too long, with 414", () => {
    const refusal = (names: number): number | undefined =>
      bench.streams.refusal({
        target: `/websocket-api/${"market.ticker.thb_btc,".repeat(names)}`,
        userAgent: "test",
      });
    assert.deepEqual([refusal(366), refusal(183)], [414, undefined]);
  });
});
