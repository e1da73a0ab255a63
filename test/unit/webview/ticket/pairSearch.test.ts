import assert from "node:assert/strict";
import type { PairRow } from "../../../../src/protocol/ticket.ts";
import { searchPairs } from "../../../../src/webview/ticket/pairSearch.ts";

const pairs = ["THB_ADA", "THB_BCH", "THB_BTC", "THB_WBTC", "USDT_BTC"].map((symbol) => {
  const [quote = "", base = ""] = symbol.split("_");
  return { symbol, base, quote, last: "1.00", change: "", frozen: false };
});
const found = (typed: string): string[] => searchPairs(pairs, typed).map(({ symbol }) => symbol);

describe("a search for a pair", () => {
  it("finds pairs by their base asset first, in upper and lower case", () => {
    assert.deepEqual(found("btc"), ["THB_BTC", "USDT_BTC", "THB_WBTC"]);
    assert.deepEqual(found(" B "), ["THB_BCH", "THB_BTC", "USDT_BTC", "THB_WBTC"]);
  });

  it("finds a pair by its symbol and by its name", () => {
    assert.deepEqual(found("usdt_b"), ["USDT_BTC"]);
    assert.deepEqual(found("BTC/U"), ["USDT_BTC"]);
    assert.deepEqual(found("usdt"), ["USDT_BTC"]);
  });

  for (const typed of [
    "usdtbtc",
    "btcusdt",
    "btc usdt",
    "BTC-USDT",
    "ｂｔｃ／ｕｓｄｔ",
    " btc / us",
    "\u200Bbtc/usdt\uFEFF",
  ])
    it(`finds BTC/USDT by ${JSON.stringify(typed)}`, () => {
      assert.deepEqual(found(typed), ["USDT_BTC"]);
    });

  it("finds a pair by part of its coin's name last, from three letters on", () => {
    const named = [
      { ...pairs[0], base: "COINX", symbol: "THB_COINX" },
      { ...pairs[2], name: "Bitcoin Cash" },
    ];
    const foundByName = (typed: string): string[] =>
      searchPairs(named as PairRow[], typed).map(({ symbol }) => symbol);
    assert.deepEqual(foundByName("coin"), ["THB_COINX", "THB_BTC"]);
    assert.deepEqual(foundByName("coin ca"), ["THB_BTC"]);
    assert.deepEqual(foundByName("sh"), []);
  });

  it("finds all pairs without a text, and none if no pair matches", () => {
    assert.equal(found("").length, pairs.length);
    assert.deepEqual(found("xyz"), []);
  });
});
