import assert from "node:assert/strict";
import fc from "fast-check";
import { RowOrder } from "../../../../src/desk/watchLists/rowOrder.ts";
import {
  ALL_PAIRS,
  emptyWatchLists,
  FAVOURITES,
  sortKeys,
  type Sort,
  type WatchLists,
} from "../../../../src/desk/watchLists/watchLists.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { favouritesOf } from "../../../support/fakes/watchLists.ts";

const bases = Array.from({ length: 12 }, (_, index) => String.fromCodePoint(65 + index));
const key = fc.constantFrom(...bases.map((base) => `THB_${base}`), "THB_GONE");
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
const sort = fc
  .record({ by: fc.constantFrom(...sortKeys), down: fc.boolean() })
  .map(({ by, down }): Sort => ({ by, down: down && by !== "own" }));
const lists: fc.Arbitrary<WatchLists> = fc
  .record({
    favourites: fc.uniqueArray(key),
    pairs: fc.uniqueArray(key),
    sorts: fc.tuple(sort, sort),
    sort: sort.filter(({ by }) => by !== "own"),
    active: fc.constantFrom(ALL_PAIRS, FAVOURITES, "other"),
  })
  .map(({ favourites, pairs, sorts: [first, second], sort, active }) => ({
    lists: [
      { id: FAVOURITES, name: "", pairs: favourites, sort: first },
      { id: "other", name: "Other", pairs, sort: second },
    ],
    active,
    sort,
    pinned: [],
  }));

function marketOf(all: readonly Ticker[]): Map<string, Ticker> {
  return new Map(all.map((each) => [each.symbol, each]));
}

function orderOf(market: ReadonlyMap<string, Ticker>, given: Partial<WatchLists>): string[] {
  const order = new RowOrder();
  order.rebuild(market, { ...emptyWatchLists, ...given });
  return order.symbols;
}

function valueOf(each: Ticker | undefined, { by }: Sort): number | undefined {
  if (by === "last") return each?.last;
  if (by === "change") return each?.percentChange;
  if (by !== "volume") return undefined;
  if (each?.quoteVolume !== undefined) return each.quoteVolume;
  return each?.baseVolume === undefined || each.last === undefined ? undefined : each.baseVolume * each.last;
}

/** The simplest correct order: known values up or down, then unknown values, equal values by symbol. */
function sorted(market: ReadonlyMap<string, Ticker>, symbols: readonly string[], sort: Sort): string[] {
  if (sort.by === "own") return [...symbols];
  const valueAt = (symbol: string): number | undefined => valueOf(market.get(symbol), sort);
  const bySymbol = [...symbols].sort((a, b) => (a < b ? -1 : 1));
  const known = bySymbol.filter((symbol) => valueAt(symbol) !== undefined);
  const unknown = bySymbol.filter((symbol) => !known.includes(symbol));
  const sign = sort.down ? -1 : 1;
  known.sort((a, b) => sign * ((valueAt(a) ?? 0) - (valueAt(b) ?? 0)));
  if (sort.by === "symbol" && sort.down) unknown.reverse();
  return [...known, ...unknown];
}

function naively(market: ReadonlyMap<string, Ticker>, { lists, active, sort }: WatchLists): string[] {
  if (market.size === 0) return [];
  const list = lists.find(({ id }) => id === active);
  if (list) return sorted(market, list.pairs, list.sort);
  const [favourites] = lists;
  const starred = favourites.pairs.filter((name) => market.has(name));
  const rest = [...market.keys()].filter((name) => !starred.includes(name));
  return [...sorted(market, starred, favourites.sort), ...sorted(market, rest, sort)];
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
    order.rebuild(volumes(98), emptyWatchLists);
    assert.equal(order.update(volumes(104), ["THB_BTC"]), false);
    assert.deepEqual(order.symbols, ["THB_ETH", "THB_BTC"]);
    assert.equal(order.update(volumes(106), ["THB_BTC"]), true);
    assert.deepEqual(order.symbols, ["THB_BTC", "THB_ETH"]);
  });

  it("begins with the favourites in their own order, for every order of the rest", () => {
    const sort = { by: "last", down: true } as const;
    const all = favouritesOf(["THB_XRP", "THB_GONE", "THB_ADA"], { sort });
    assert.deepEqual(orderOf(market, all), ["THB_XRP", "THB_ADA", "THB_BTC", "THB_ETH"]);
  });

  it("of a list includes the pairs that the exchange does not list, and waits for the market", () => {
    const all = favouritesOf(["THB_XRP", "THB_GONE", "THB_ADA"], { active: FAVOURITES });
    assert.deepEqual(orderOf(market, all), ["THB_XRP", "THB_GONE", "THB_ADA"]);
    assert.deepEqual(orderOf(new Map(), all), []);
  });

  it("finds a pair of a list in either order of its assets", () => {
    const order = new RowOrder();
    order.rebuild(market, favouritesOf(["ETH_THB"]));
    assert.deepEqual(order.symbols, ["THB_ETH", "THB_XRP", "THB_BTC", "THB_ADA"]);
    assert.ok(order.isFavourite("THB_ETH"));
  });

  it("equals the result of the simplest sorting, for any market and lists", () => {
    fc.assert(
      fc.property(tickers, lists, (all, given) => {
        const market = marketOf(all);
        assert.deepEqual(orderOf(market, given), naively(market, given));
      }),
      { numRuns: 100 },
    );
  });

  it("is the same after updates as after a new sorting, and reports exactly the changes", () => {
    fc.assert(
      fc.property(tickers, lists, fc.array(tickers), (all, given, refreshes) => {
        const market = marketOf(all);
        const order = new RowOrder();
        order.rebuild(market, given);
        for (const refresh of refreshes) {
          const before = order.symbols;
          const changed = refresh.filter(({ symbol }) => market.has(symbol));
          for (const each of changed) market.set(each.symbol, each);
          const hasMoved = order.update(
            market,
            changed.map(({ symbol }) => symbol),
          );
          assert.deepEqual(order.symbols, naively(market, given));
          assert.equal(hasMoved, order.symbols.join() !== before.join());
        }
      }),
      { numRuns: 100 },
    );
  });
});
