import assert from "node:assert/strict";
import fc from "fast-check";
import { Decimal, quotedPrice } from "../../../../src/market/numbers/decimal.ts";
import { Figures } from "../../../../src/market/numbers/figures.ts";
import { finestPlaces, PriceDecimals } from "../../../../src/market/numbers/priceDecimals.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";

const placesOf = (last: number, bestBid = last, bestAsk = last): number =>
  new PriceDecimals().of(tickerOf("THB_BTC", { last, bestBid, bestAsk }));

describe("a pair's decimals", () => {
  it("are the most decimals of last, best bid and best ask", () => {
    assert.equal(placesOf(2_998_000.5, 2_997_990, 2_998_010.25), 2);
    assert.equal(placesOf(0.5, 0.499, 0.5001), 4);
    assert.equal(placesOf(0.000_001_23), 8);
    assert.equal(placesOf(1e-8), 8);
  });

  it("are at least two from 1 upwards, so that money reads as money", () => {
    assert.equal(placesOf(3_000_000), 2);
    assert.equal(placesOf(0.5), 1);
  });

  it("stay at the most decimals that were observed, for that pair only", () => {
    const places = new PriceDecimals();
    const flat = { bestBid: undefined, bestAsk: undefined };
    assert.equal(places.of(tickerOf("THB_XRP", { last: 17.1234, ...flat })), 4);
    assert.equal(places.of(tickerOf("THB_XRP", { last: 17.1, ...flat })), 4);
    assert.equal(places.of(tickerOf("THB_ADA", { last: 17.1, ...flat })), 2);
  });

  it("are no more than those of the price step that the exchange states", () => {
    const places = new PriceDecimals();
    const noisy = tickerOf("THB_BTC", { last: 3_000_000.12345, bestBid: undefined, bestAsk: undefined });
    assert.equal(places.of(noisy, new Decimal("0.01")), 2);
    assert.equal(places.of(tickerOf("THB_BTC", { last: 3_000_000.5 }), new Decimal("0.01")), 2);
    assert.equal(places.of(tickerOf("THB_ADA", { last: 17.1 }), new Decimal("0.00000001")), 2);
  });

  it("exclude the noise of binary fractions, in last, bid or ask", () => {
    assert.equal(placesOf(0.000030000000000000004), 5);
    assert.equal(placesOf(17.1, 17.099_999_999_999_998), 2);
    assert.equal(placesOf(0.5, 0.5, 0.1 + 0.2), 1);
  });

  it("exclude the decimals of a bid far below the last price, which still shows its own", () => {
    assert.equal(placesOf(3_000_000.5, 1e-8, 3_000_001), 5);
    assert.equal(new Figures("en").price(quotedPrice(1e-8), 5), "0.00000001");
  });

  it("never round a price to zero, however small", () => {
    assert.equal(placesOf(1.5e-25), 26);
    const figures = new Figures("en");
    fc.assert(
      fc.property(fc.double({ min: Number.MIN_VALUE, max: 1e300, noNaN: true }), (last) => {
        const shown = figures.price(quotedPrice(last), placesOf(last));
        assert.match(shown, /[1-9]/);
        assert.ok(Math.abs(Number(shown.replaceAll(",", "")) / last - 1) < 1e-11, `${last} as ${shown}`);
      }),
    );
  });

  it("are forgotten with the exchange of the prices", () => {
    const places = new PriceDecimals();
    const flat = { bestBid: undefined, bestAsk: undefined };
    assert.equal(places.of(tickerOf("THB_XRP", { last: 17.1234, ...flat })), 4);
    places.clear();
    assert.equal(places.of(tickerOf("THB_XRP", { last: 17.1, ...flat })), 2);
  });
});

describe("the decimals of several prices", () => {
  it("are the most decimals of these prices, and at least two from 1 upwards", () => {
    assert.equal(finestPlaces([3_116_510.5, 3_114_361.38]), 2);
    assert.equal(finestPlaces([100, 101, 102]), 2);
    assert.equal(finestPlaces([0.000_713_46, 0.000_713_4]), 8);
    assert.equal(finestPlaces([]), 0);
  });

  it("exclude the noise of binary fractions, and still show the digits of a small price", () => {
    assert.equal(finestPlaces([17.100_000_000_000_001]), 2);
    assert.equal(finestPlaces([0.0123 * (1 + Number.EPSILON)]), 4);
    assert.equal(finestPlaces([0.1 + 0.2]), 1);
  });
});

describe("a price from its exchange", () => {
  it("keeps every digit of a price that has at most 15", () => {
    assert.deepEqual([3_101_800.53, 1e-8, 123_456_789.012_345, 1e21].map(quotedPrice), [
      "3101800.53",
      "0.00000001",
      "123456789.012345",
      "1000000000000000000000",
    ]);
  });

  it("has no noise of binary fractions", () => {
    assert.deepEqual([0.1 + 0.2, 0.000030000000000000004, 17.099_999_999_999_998].map(quotedPrice), [
      "0.3",
      "0.00003",
      "17.1",
    ]);
  });
});
