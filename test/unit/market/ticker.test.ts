import assert from "node:assert/strict";
import { compareTickers, type Ticker } from "../../../src/market/ticker.ts";
import { tickerOf } from "../../support/fakes/venue.ts";

const ticker = (base: string, changes: Partial<Ticker> = {}): Ticker => tickerOf(`THB_${base}`, changes);

function market(...tickers: Ticker[]): ReadonlyMap<string, Ticker> {
  return new Map(tickers.map((each) => [each.symbol, each]));
}

describe("compareTickers", () => {
  it("finds no change between two equal polls", () => {
    const before = market(ticker("A"), ticker("B", { bestBid: undefined }));
    const after = market(ticker("A"), ticker("B", { bestBid: undefined }));
    assert.deepEqual(compareTickers(before, after), { changed: [], rowsChanged: false });
  });

  it("reports a change of any figure", () => {
    const { symbol: _, pair: __, frozen: ___, ...figures } = ticker("B");
    for (const field of Object.keys(figures)) {
      const after = market(ticker("A"), ticker("B", { [field]: 2 }));
      const change = compareTickers(market(ticker("A"), ticker("B")), after);
      assert.deepEqual(change, { changed: ["THB_B"], rowsChanged: false }, field);
    }
  });

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
