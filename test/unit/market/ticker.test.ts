import assert from "node:assert/strict";
import { compareTickers, type Ticker } from "../../../src/market/ticker.ts";

function ticker(base: string, changes: Partial<Ticker> = {}): Ticker {
  return {
    symbol: `THB_${base}`,
    pair: { quote: "THB", base },
    last: 1,
    bestBid: 1,
    bestAsk: 1,
    high: 1,
    low: 1,
    baseVolume: 1,
    quoteVolume: 1,
    percentChange: 1,
    frozen: false,
    ...changes,
  };
}

function market(...tickers: Ticker[]): ReadonlyMap<string, Ticker> {
  return new Map(tickers.map((each) => [each.symbol, each]));
}

describe("compareTickers", () => {
  it("finds no change between two equal polls", () => {
    const before = market(ticker("A"), ticker("B", { bestBid: undefined }));
    const after = market(ticker("A"), ticker("B", { bestBid: undefined }));
    assert.deepEqual(compareTickers(before, after), { changed: [], rowsChanged: false });
  });

  const fields = [
    "last",
    "bestBid",
    "bestAsk",
    "high",
    "low",
    "baseVolume",
    "quoteVolume",
    "percentChange",
  ] as const;
  for (const field of fields) {
    it(`reports a change of ${field}`, () => {
      const after = market(ticker("A"), ticker("B", { [field]: 2 }));
      const change = compareTickers(market(ticker("A"), ticker("B")), after);
      assert.deepEqual(change, { changed: ["THB_B"], rowsChanged: false });
    });
  }

  it("reports a frozen pair, and a missing value", () => {
    const before = market(ticker("A"), ticker("B"));
    const after = market(ticker("A", { frozen: true }), ticker("B", { high: undefined }));
    assert.deepEqual(compareTickers(before, after).changed, ["THB_A", "THB_B"]);
  });

  it("reports rows that appeared, disappeared, or replaced another row", () => {
    const [a, b] = [market(ticker("A")), market(ticker("B"))];
    assert.deepEqual(compareTickers(a, market(ticker("A"), ticker("B"))), { changed: [], rowsChanged: true });
    assert.deepEqual(compareTickers(a, market()), { changed: [], rowsChanged: true });
    assert.deepEqual(compareTickers(a, b), { changed: [], rowsChanged: true });
  });
});
