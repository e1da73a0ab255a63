import assert from "node:assert/strict";
import fc from "fast-check";
import { RowOrder } from "../../../../src/desk/watchlist/rowOrder.ts";
import {
  emptyWatchlist,
  sortKeys,
  type Sort,
  type Watchlist,
} from "../../../../src/desk/watchlist/watchlist.ts";
import { pairKey } from "../../../../src/market/pair.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";

const bases = Array.from({ length: 12 }, (_, index) => String.fromCodePoint(65 + index));
const key = fc.constantFrom(...bases.map((base) => `THB_${base}`), "THB_GONE");
const keys = fc.uniqueArray(key);
/** Few values, so that many are equal. */
const value = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined });
const change = value.map((given) => given && given - 2);
const ticker = fc.record({
  symbol: fc.constantFrom(...bases.map((base) => `THB_${base}`)),
  last: value,
  percentChange: change,
  quoteVolume: value,
  baseVolume: value,
});
const tickers = fc.array(ticker).map((all) => all.map(({ symbol, ...given }) => tickerOf(symbol, given)));
const sort: fc.Arbitrary<Sort> = fc.record({ by: fc.constantFrom(...sortKeys), down: fc.boolean() });
const watchlists: fc.Arbitrary<Watchlist> = fc.record({
  favourites: keys,
  own: keys,
  pinned: fc.constant([]),
  sort,
  favouritesOnly: fc.boolean(),
});

function marketOf(all: readonly Ticker[]): Map<string, Ticker> {
  return new Map(all.map((each) => [each.symbol, each]));
}

function orderOf(market: ReadonlyMap<string, Ticker>, given: Partial<Watchlist>): string[] {
  const order = new RowOrder();
  order.rebuild(market, { ...emptyWatchlist, ...given });
  return order.symbols;
}

function valueOf(each: Ticker, { by }: Sort, own: readonly string[]): number | undefined {
  if (by === "last") return each.last;
  if (by === "change") return each.percentChange;
  if (by === "volume") {
    if (each.quoteVolume !== undefined) return each.quoteVolume;
    return each.baseVolume === undefined || each.last === undefined ? undefined : each.baseVolume * each.last;
  }
  if (by === "own") return own.includes(pairKey(each.pair)) ? own.indexOf(pairKey(each.pair)) : undefined;
  return undefined;
}

/** The simplest correct order: known values up or down, then unknown values, equal values by symbol. */
function naively(market: ReadonlyMap<string, Ticker>, { favourites, own, sort, favouritesOnly }: Watchlist) {
  const bySymbol = [...market.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const starred = favourites.flatMap((name) => bySymbol.filter(({ pair }) => pairKey(pair) === name));
  const rest = bySymbol.filter((each) => !starred.includes(each));
  const known = rest.filter((each) => valueOf(each, sort, own) !== undefined);
  const unknown = rest.filter((each) => !known.includes(each));
  const sign = sort.down ? -1 : 1;
  known.sort((a, b) => sign * ((valueOf(a, sort, own) ?? 0) - (valueOf(b, sort, own) ?? 0)));
  if (sort.by === "symbol" && sort.down) unknown.reverse();
  return [...starred, ...(favouritesOnly ? [] : [...known, ...unknown])].map(({ symbol }) => symbol);
}

describe("the order of the rows", () => {
  const market = marketOf([
    tickerOf("THB_BTC", { last: 3_000_000, percentChange: -1, quoteVolume: 10 }),
    tickerOf("THB_ADA", { last: 20, percentChange: 4, quoteVolume: undefined, baseVolume: undefined }),
    tickerOf("THB_ETH", { last: 90_000, percentChange: undefined, quoteVolume: 30 }),
    tickerOf("THB_XRP", { last: 20, percentChange: 0, quoteVolume: undefined, baseVolume: 1 }),
  ]);

  it("is by volume, the highest first, until the user chooses another order", () => {
    assert.deepEqual(orderOf(market, {}), ["THB_ETH", "THB_XRP", "THB_BTC", "THB_ADA"]);
  });

  it("by volume does not change while nearly equal volumes pass each other", () => {
    const volumes = (btc: number): Map<string, Ticker> =>
      marketOf([tickerOf("THB_BTC", { quoteVolume: btc }), tickerOf("THB_ETH", { quoteVolume: 100 })]);
    const order = new RowOrder();
    order.rebuild(volumes(98), emptyWatchlist);
    assert.equal(order.update(volumes(104), ["THB_BTC"]), false);
    assert.deepEqual(order.symbols, ["THB_ETH", "THB_BTC"]);
    assert.equal(order.update(volumes(106), ["THB_BTC"]), true);
    assert.deepEqual(order.symbols, ["THB_BTC", "THB_ETH"]);
  });

  it("begins with the favourites in their own order, for every order of the rest", () => {
    const favourites = ["THB_XRP", "THB_GONE", "THB_ADA"];
    const sort = { by: "last", down: true } as const;
    assert.deepEqual(orderOf(market, { favourites, sort }), ["THB_XRP", "THB_ADA", "THB_BTC", "THB_ETH"]);
    assert.deepEqual(orderOf(market, { favourites, sort, favouritesOnly: true }), ["THB_XRP", "THB_ADA"]);
  });

  it("finds a favourite by its pair, for every spelling of the symbol", () => {
    const lower = tickerOf("btc_thb", { pair: { quote: "THB", base: "BTC" } });
    const symbols = orderOf(marketOf([tickerOf("THB_ADA"), lower]), { favourites: ["THB_BTC"] });
    assert.deepEqual(symbols, ["btc_thb", "THB_ADA"]);
  });

  it("equals the result of the simplest sorting, for any market and watchlist", () => {
    fc.assert(
      fc.property(tickers, watchlists, (all, watchlist) => {
        const market = marketOf(all);
        assert.deepEqual(orderOf(market, watchlist), naively(market, watchlist));
      }),
      { numRuns: 100 },
    );
  });

  it("is the same after updates as after a new sorting, and reports exactly the changes", () => {
    fc.assert(
      fc.property(tickers, watchlists, fc.array(tickers), (all, watchlist, refreshes) => {
        const market = marketOf(all);
        const order = new RowOrder();
        order.rebuild(market, watchlist);
        for (const refresh of refreshes) {
          const before = order.symbols;
          const changed = refresh.filter(({ symbol }) => market.has(symbol));
          for (const each of changed) market.set(each.symbol, each);
          const hasMoved = order.update(
            market,
            changed.map(({ symbol }) => symbol),
          );
          assert.deepEqual(order.symbols, naively(market, watchlist));
          assert.equal(hasMoved, order.symbols.join() !== before.join());
        }
      }),
      { numRuns: 100 },
    );
  });
});
