import assert from "node:assert/strict";
import fc from "fast-check";
import { priceText } from "../../../src/market/decimal.ts";
import { PricePlaces } from "../../../src/market/pricePlaces.ts";
import { tickerOf } from "../../support/fakeVenue.ts";

const placesOf = (last: number, bestBid = last, bestAsk = last): number =>
  new PricePlaces().of(tickerOf("THB_BTC", { last, bestBid, bestAsk }));

describe("a pair's decimals", () => {
  it("are the finest of last, best bid and best ask", () => {
    assert.equal(placesOf(2_998_000.5, 2_997_990, 2_998_010.25), 2);
    assert.equal(placesOf(0.5, 0.499, 0.5001), 4);
    assert.equal(placesOf(0.000_001_23), 8);
    assert.equal(placesOf(1e-8), 8);
  });

  it("are at least two from 1 upwards, so that money reads as money", () => {
    assert.equal(placesOf(3_000_000), 2);
    assert.equal(placesOf(0.5), 1);
  });

  it("stay what was once observed, for that pair alone", () => {
    const places = new PricePlaces();
    const flat = { bestBid: undefined, bestAsk: undefined };
    assert.equal(places.of(tickerOf("THB_XRP", { last: 17.1234, ...flat })), 4);
    assert.equal(places.of(tickerOf("THB_XRP", { last: 17.1, ...flat })), 4);
    assert.equal(places.of(tickerOf("THB_ADA", { last: 17.1, ...flat })), 2);
  });

  it("do not take over the left-overs of a service's floating-point arithmetic", () => {
    const places = new PricePlaces();
    const noisy = tickerOf("THB_XRP", { last: 17.1, bestBid: 17.099_999_999_999_998, bestAsk: undefined });
    assert.equal(places.of(noisy), 2);
  });

  it("never hide a digit of the last price", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), (last) => {
        const digits = priceText(last).split(".")[1]?.length ?? 0;
        assert.ok(placesOf(last, 1, 1) >= Math.min(20, digits));
      }),
    );
  });
});
