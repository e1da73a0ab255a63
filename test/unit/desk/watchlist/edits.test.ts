import assert from "node:assert/strict";
import fc from "fast-check";
import { drop, moveFavourite, pin, star, unpin, unstar } from "../../../../src/desk/watchlist/edits.ts";
import { RowOrder } from "../../../../src/desk/watchlist/rowOrder.ts";
import {
  emptyWatchlist,
  MAX_PINNED_PAIRS,
  sortKeys,
  type Watchlist,
} from "../../../../src/desk/watchlist/watchlist.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";

/** "AB" are THB_A and THB_B. */
const keysOf = (bases: string): string[] => [...bases].map((base) => `THB_${base}`);
const [A = "", B = "", C = "", D = "", E = "", F = "", GONE = ""] = keysOf("ABCDEFX");
const listed = [A, B, C, D, E, F];
const market = new Map(listed.map((key, place) => [key, tickerOf(key, { last: 1 + (place % 3) })]));

const key = fc.constantFrom(...listed, GONE);
const keys = fc.uniqueArray(key);
const watchlists: fc.Arbitrary<Watchlist> = fc.record({
  favourites: keys,
  own: keys,
  pinned: fc.uniqueArray(key, { maxLength: MAX_PINNED_PAIRS }),
  sort: fc.record({ by: fc.constantFrom(...sortKeys), down: fc.boolean() }),
  favouritesOnly: fc.constant(false),
});

function given(favourites: string, own = ""): Watchlist {
  return { ...emptyWatchlist, favourites: keysOf(favourites), own: keysOf(own) };
}

/** The pairs on screen: the favourites, and the rest below them. */
function shown(list: Watchlist): { favourites: readonly string[]; rest: readonly string[] } {
  const order = new RowOrder();
  order.rebuild(market, list);
  return { favourites: order.favourites, rest: order.symbols.slice(order.favourites.length) };
}

describe("starring", () => {
  it("adds a pair at the end of the favourites, once", () => {
    assert.deepEqual(star(star(given("AB"), C), A).favourites, keysOf("ABC"));
    assert.deepEqual(unstar(given("ABC"), B).favourites, keysOf("AC"));
  });

  it("yields the same list if nothing changes", () => {
    const list = given("AB");
    assert.equal(star(list, A), list);
    assert.equal(unstar(list, C), list);
    assert.equal(unpin(list, A), list);
  });
});

describe("pinning", () => {
  it("stops at five pairs, and is possible again when a pair is unpinned", () => {
    const market = new Set(listed);
    const full = [...listed].reduce((list, each) => pin(list, each, market), emptyWatchlist);
    assert.deepEqual(full.pinned, keysOf("ABCDE"));
    assert.equal(pin(full, F, market), full);
    assert.deepEqual(pin(unpin(full, B), F, market).pinned, keysOf("ACDEF"));
    assert.deepEqual(pin(full, F, new Set(keysOf("ABCDF"))).pinned, keysOf("ABCDEF"), "E was delisted");
  });
});

describe("moving a favourite", () => {
  it("swaps it with its neighbour on screen, and stops at the ends", () => {
    const list = given("ABC");
    assert.deepEqual(moveFavourite(list, B, "up", keysOf("ABC")).favourites, keysOf("BAC"));
    assert.deepEqual(moveFavourite(list, B, "down", keysOf("ABC")).favourites, keysOf("ACB"));
    assert.equal(moveFavourite(list, A, "up", keysOf("ABC")), list);
    assert.equal(moveFavourite(list, C, "down", keysOf("ABC")), list);
    assert.equal(moveFavourite(list, F, "up", keysOf("ABC")), list);
  });

  it("skips a favourite that this venue does not list", () => {
    const list = given("AXB");
    assert.deepEqual(moveFavourite(list, B, "up", keysOf("AB")).favourites, keysOf("BAX"));
  });

  it("is undone by the opposite move", () => {
    fc.assert(
      fc.property(watchlists, fc.constantFrom(...listed), (list, moved) => {
        const before = shown(list).favourites;
        const up = moveFavourite(list, moved, "up", before);
        fc.pre(up !== list);
        const back = moveFavourite(up, moved, "down", shown(up).favourites);
        assert.deepEqual(shown(back).favourites, before);
      }),
    );
  });
});

describe("dropping a row", () => {
  it("on a favourite makes the row a favourite, in that place", () => {
    assert.deepEqual(drop(given("ABC"), D, B, keysOf("DE")).favourites, keysOf("ADBC"));
    assert.deepEqual(drop(given("ABC"), A, C, []).favourites, keysOf("BCA"));
    assert.deepEqual(drop(given("ABC"), C, A, []).favourites, keysOf("CAB"));
  });

  it("below the favourites makes the order on screen the user's own order", () => {
    const list = drop(given("A", "XB"), F, C, keysOf("FDCB"));
    assert.deepEqual(list.own, keysOf("DCFBX"));
    assert.deepEqual(list.sort, { by: "own", down: false });
  });

  it("below the favourites keeps a favourite, and puts it last among the favourites", () => {
    assert.deepEqual(drop(given("ABC"), A, D, keysOf("D")).favourites, keysOf("BCA"));
  });

  it("into the empty space moves the row to the end", () => {
    assert.deepEqual(drop(given("AB"), A, undefined, keysOf("C")).favourites, keysOf("BA"));
    assert.deepEqual(drop(given(""), A, undefined, keysOf("AB")).own, keysOf("BA"));
  });

  const drops = fc.tuple(
    watchlists,
    fc.constantFrom(...listed),
    fc.option(fc.constantFrom(...listed), { nil: undefined }),
  );

  it("neither loses nor doubles a pair", () => {
    fc.assert(
      fc.property(drops, ([list, dragged, target]) => {
        const next = drop(list, dragged, target, shown(list).rest);
        for (const each of [next.favourites, next.own]) assert.equal(new Set(each).size, each.length);
        for (const each of list.favourites) assert.ok(next.favourites.includes(each));
        assert.equal(shown(next).rest.length + shown(next).favourites.length, listed.length);
      }),
    );
  });

  it("puts the row in the place of the target, and keeps the order of the other rows", () => {
    fc.assert(
      fc.property(drops, ([list, dragged, target]) => {
        const [before, after] = [shown(list), shown(drop(list, dragged, target, shown(list).rest))];
        const group = target && before.favourites.includes(target) ? "favourites" : "rest";
        fc.pre(target !== undefined && before[group].includes(dragged) && before[group].includes(target));
        assert.equal(after[group].indexOf(dragged), before[group].indexOf(target));
        const others = (all: readonly string[]): string[] => all.filter((each) => each !== dragged);
        assert.deepEqual(others(after[group]), others(before[group]));
      }),
    );
  });
});
