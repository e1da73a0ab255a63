import assert from "node:assert/strict";
import { createMarket, stepPlaces, DEFAULT_SEED } from "../../../../src/practice/market/market.ts";

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
/** Moments over two years, off every grid. */
const moments = Array.from({ length: 40 }, (_, index) => START + Math.floor(index * 18.37 * DAY));

describe("practice market", () => {
  const market = createMarket(DEFAULT_SEED);

  it("lists at least 40 pairs against THB, from 0.0004 to 3,000,000, exactly one pair frozen", () => {
    const tickers = market.tickersAt(START);
    assert.ok(tickers.length >= 40, `${tickers.length} pairs`);
    assert.equal(new Set(tickers.map((ticker) => ticker.symbol)).size, tickers.length);
    assert.ok(tickers.every((ticker) => /^THB_[A-Z0-9]+$/.test(ticker.symbol)));
    assert.equal(tickers.filter((ticker) => ticker.frozen).length, 1);
    const prices = tickers.map((ticker) => ticker.last);
    assert.ok(Math.min(...prices) < 0.0006 && Math.min(...prices) > 0.0002);
    assert.ok(Math.max(...prices) > 2_000_000 && Math.max(...prices) < 4_500_000);
  });

  it("depends only on seed, pair and time, for every order of requests", () => {
    const used = createMarket(DEFAULT_SEED);
    for (const at of moments) used.tickersAt(at);
    for (const at of moments.toReversed()) {
      const fresh = createMarket(DEFAULT_SEED).tickersAt(at);
      assert.deepEqual(used.tickersAt(at), fresh);
      assert.deepEqual(used.quoteAt("THB_BTC", at).last, fresh[0]?.last);
    }
  });

  it("differs under another seed", () => {
    const other = createMarket("another").tickersAt(START);
    const same = market.tickersAt(START).filter((ticker, index) => ticker.last === other[index]?.last);
    assert.ok(same.length <= 3, `${same.length} equal prices`);
  });

  it("keeps bid ≤ last ≤ ask, bid < ask, low ≤ last ≤ high, above zero on the price step", () => {
    for (const at of moments) {
      for (const { symbol, bid, last, ask, low, high } of market.tickersAt(at)) {
        assert.ok(0 < bid && bid <= last && last <= ask && bid < ask, `${symbol} ${bid} ${last} ${ask}`);
        assert.ok(low <= last && last <= high, `${symbol} ${low} ${last} ${high}`);
        for (const price of [bid, last, ask, low, high]) {
          assert.equal(Number(price.toFixed(stepPlaces(price))), price, `${symbol} ${price}`);
        }
      }
    }
  });

  it("moves most rows within a few seconds, and by 1 to 8 % within most days", () => {
    const moving = moments.map((at) => {
      const later = market.tickersAt(at + 5000);
      const rows = market.tickersAt(at);
      return rows.filter((row, index) => row.last !== later[index]?.last).length / rows.length;
    });
    const average = moving.reduce((sum, share) => sum + share, 0) / moving.length;
    assert.ok(average > 0.6, `${average} of the rows moved`);

    const ranges = moments
      .flatMap((at) => market.tickersAt(at))
      .filter(({ frozen, symbol }) => !frozen && !symbol.includes("USD"))
      .map(({ high, low }) => high / low - 1);
    const believable = ranges.filter((range) => range >= 0.01 && range <= 0.08).length / ranges.length;
    assert.ok(believable > 0.9, `${believable} of the ranges`);
    assert.ok(Math.max(...ranges) < 0.15);
  });

  it("reports how far the last price is from yesterday's price", () => {
    for (const { symbol, last, percentChange } of market.tickersAt(START)) {
      const yesterday = market.quoteAt(symbol, START - DAY).last;
      assert.ok(Math.abs((last / yesterday - 1) * 100 - percentChange) <= 0.005 + 1e-9, symbol);
    }
  });

  it("trades in believable volumes that change smoothly, base and quote in step with the price", () => {
    for (const at of moments) {
      const before = market.tickersAt(at);
      const after = market.tickersAt(at + 60_000);
      for (const [index, { symbol, frozen, baseVolume, quoteVolume, low, high }] of before.entries()) {
        if (frozen) {
          assert.equal(baseVolume, 0);
          continue;
        }
        const mean = quoteVolume / baseVolume;
        assert.ok(mean > low * 0.97 && mean < high * 1.03, `${symbol} ${mean} outside ${low}…${high}`);
        const moved = Math.abs((after[index]?.baseVolume ?? 0) / baseVolume - 1);
        assert.ok(moved < 0.005, `${symbol} moved ${moved}`);
      }
    }
  });

  it("does not move a frozen pair", () => {
    const frozen = moments.map((at) => market.tickersAt(at).find((ticker) => ticker.frozen));
    assert.equal(new Set(frozen.map((ticker) => JSON.stringify(ticker))).size, 1);
  });

  it("has no price for an unlisted pair", () => {
    assert.equal(market.find("THB_NONE"), undefined);
    assert.equal(market.find("BTC_THB"), undefined);
    assert.throws(() => market.quoteAt("THB_NONE", START), RangeError);
  });
});
