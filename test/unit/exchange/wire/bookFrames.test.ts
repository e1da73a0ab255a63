import assert from "node:assert/strict";
import { bookEventOf, decodeBookFrame } from "../../../../src/exchange/wire/bookFrames.ts";
import type { Depth } from "../../../../src/market/book/book.ts";
import { depthFrame, tradesFrame } from "../../../support/fakes/streams.ts";

function depthIn(text: string, pairingId = 1): Depth | undefined {
  const news = decodeBookFrame(text, pairingId);
  return news && "depth" in news ? news.depth : undefined;
}

const written = (side: Depth["asks"]): string[] =>
  side.map(({ price, size }) => `${price.toFixed()} ${size.toFixed()}`);

describe("a frame of a book stream", () => {
  it("is recognised before it is parsed, and noise is not", () => {
    assert.equal(bookEventOf(depthFrame(1, [], [])), "depthchanged");
    assert.equal(bookEventOf(tradesFrame(1)), "tradeschanged");
    for (const event of ["global.ticker", "ticker", "bidschanged", "askschanged"])
      assert.equal(bookEventOf(JSON.stringify({ event, data: {}, pairing_id: 1 })), undefined);
  });

  it("has the whole book with exact figures in base, the best first", () => {
    const text = `{"event":"depthchanged","pairing_id":1,"data":{
      "asks":[{"price":101.5,"base_volume":2e-7,"quote_volume":9},{"price":100.10,"base_volume":9007199254740993.1}],
      "bids":[{"price":"99.000000000000000001","base_volume":"0.5"}]}}`;
    const depth = depthIn(text) ?? assert.fail();
    assert.deepEqual(written(depth.asks), ["100.1 9007199254740993.1", "101.5 0.0000002"]);
    assert.deepEqual(written(depth.bids), ["99.000000000000000001 0.5"]);
    assert.equal(depth.unreadable, 0);
  });

  it("drops levels of size zero, and counts unreadable ones", () => {
    const asks = [
      [101, 1],
      [102, 0],
      [-103, 1],
      [104, "<b>1</b>"],
      [null, null],
    ] as const;
    const depth = depthIn(depthFrame(1, asks, [])) ?? assert.fail();
    assert.deepEqual([written(depth.asks), depth.unreadable], [["101 1"], 3]);
  });

  it("has the trades with times in seconds, the newest first, each with its side", () => {
    const news = decodeBookFrame(
      tradesFrame(1, [1_700_000_000, 100, 0.5, "BUY"], [1_700_000_005, 101, 2, "SELL"], [0, 0, 0, "HOLD"]),
      1,
    );
    if (!news || !("trades" in news)) assert.fail();
    assert.deepEqual(
      news.trades.map(({ at, rate, size, side }) => [at, rate.toFixed(), size.toFixed(), side]),
      [
        [1_700_000_005_000, "101", "2", "sell"],
        [1_700_000_000_000, "100", "0.5", "buy"],
      ],
    );
  });

  it("is ignored if it is for another pair or of an unknown shape", () => {
    const good = depthFrame(1, [[101, 1]], [[100, 1]]);
    assert.ok(depthIn(good));
    for (const text of [
      depthFrame(2, [[101, 1]], []),
      depthFrame("x", [[101, 1]], []),
      good.slice(0, -2),
      good.replace('"bids"', '"asks":[],"bids"'),
      good.replace('"pairing_id":1', '"pairing_id":2,"pairing_id":1'),
      JSON.stringify({ event: "depthchanged", data: [], pairing_id: 1 }),
      JSON.stringify({ event: "depthchanged", data: { asks: {}, bids: [] }, pairing_id: 1 }),
      JSON.stringify({ event: "tradeschanged", data: {}, pairing_id: 1 }),
      JSON.stringify({ event: "ticker", data: '"depthchanged"', pairing_id: 1 }),
      "null",
      '"depthchanged"',
    ])
      assert.equal(decodeBookFrame(text, 1), undefined, text.slice(0, 80));
  });

  it("is not parsed beyond its bounds", () => {
    const deep = `{"event":"depthchanged","pairing_id":1,"data":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const long = depthFrame(
      1,
      Array.from({ length: 5000 }, (_, index) => [101 + index, 1]),
      [],
    );
    assert.deepEqual(
      [deep, long].map((text) => decodeBookFrame(text, 1)),
      [undefined, undefined],
    );
  });
});
