import assert from "node:assert/strict";
import { withResting, type PracticeDepth, type Resting } from "../../../../src/practice/market/book.ts";

const market: PracticeDepth = {
  asks: [
    [101, 1],
    [102, 2],
    [103, 3],
  ],
  bids: [
    [100, 1],
    [99, 2],
    [98, 3],
  ],
};
const bid = (rate: number, size: number): Resting => ({ kind: "bid", rate, size });
const ask = (rate: number, size: number): Resting => ({ kind: "ask", rate, size });

describe("the practice book with resting orders", () => {
  it("is the market's book without orders", () => {
    assert.deepEqual(withResting(market, [], 3), market);
  });

  it("has an order at its rate, the best price first, and adds to the size of an offer there", () => {
    const { asks, bids } = withResting(market, [bid(99.5, 5), bid(99, 0.5), ask(101.5, 4), ask(103, 1)], 4);
    assert.deepEqual(bids, [
      [100, 1],
      [99.5, 5],
      [99, 2.5],
      [98, 3],
    ]);
    assert.deepEqual(asks, [
      [101, 1],
      [101.5, 4],
      [102, 2],
      [103, 4],
    ]);
  });

  it("adds the sizes of orders at one rate, with 8 decimals", () => {
    const { bids } = withResting(market, [bid(99.5, 0.1), bid(99.5, 0.2)], 4);
    assert.deepEqual(bids[1], [99.5, 0.3]);
  });

  it("has an order between the best offers as the new best one", () => {
    const { asks, bids } = withResting(market, [bid(100.5, 1)], 3);
    assert.deepEqual([bids[0], asks[0]], [[100.5, 1], market.asks[0]]);
  });

  it("leaves out an order whose rate the market has reached", () => {
    assert.deepEqual(withResting(market, [bid(101, 1), bid(102, 1), ask(100, 1), ask(99, 1)], 3), market);
  });

  it("never crosses itself, also with an own bid above an own ask", () => {
    assert.deepEqual(withResting(market, [bid(100.8, 1), ask(100.4, 1)], 3), market);
    assert.deepEqual(withResting(market, [bid(100.5, 1), ask(100.5, 1)], 3), market);
  });

  it("has as many levels as requested, and an order far from the best is cut off", () => {
    const { bids } = withResting(market, [bid(99.5, 5), bid(10, 1)], 3);
    assert.deepEqual(
      bids.map(([rate]) => rate),
      [100, 99.5, 99],
    );
  });

  it("has the orders of a side on which the market offers nothing", () => {
    assert.deepEqual(withResting({ asks: [], bids: [] }, [bid(5, 1)], 3), { asks: [], bids: [[5, 1]] });
    assert.deepEqual(withResting({ asks: [], bids: [] }, [ask(5, 1)], 3), { asks: [[5, 1]], bids: [] });
  });
});
