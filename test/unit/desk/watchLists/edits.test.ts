import assert from "node:assert/strict";
import fc from "fast-check";
import {
  addPair,
  createList,
  deleteList,
  dropRow,
  moveRow,
  pin,
  placeList,
  removePair,
  renameList,
  showList,
  sortRows,
  star,
  unpin,
  unstar,
} from "../../../../src/desk/watchLists/edits.ts";
import { RowOrder } from "../../../../src/desk/watchLists/rowOrder.ts";
import {
  ALL_PAIRS,
  emptyWatchLists,
  FAVOURITES,
  MAX_LIST_PAIRS,
  MAX_LISTS,
  sortKeys,
  topList,
  type WatchLists,
} from "../../../../src/desk/watchLists/watchLists.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { favouritesOf } from "../../../support/fakes/watchLists.ts";

/** "AB" are THB_A and THB_B. */
const keysOf = (bases: string): string[] => [...bases].map((base) => `THB_${base}`);
const [A = "", B = "", C = "", D = "", E = "", F = "", GONE = ""] = keysOf("ABCDEFX");
const listed = [A, B, C, D, E, F];
const market = new Map(listed.map((key, place) => [key, tickerOf(key, { last: 1 + (place % 3) })]));

const given = (favourites: string): WatchLists => favouritesOf(keysOf(favourites));
const starred = ({ lists }: WatchLists): readonly string[] => lists[0].pairs;

const key = fc.constantFrom(...listed, GONE);
const sort = fc
  .record({ by: fc.constantFrom(...sortKeys), down: fc.boolean() })
  .map(({ by, down }) => ({ by, down: down && by !== "own" }));
const lists: fc.Arbitrary<WatchLists> = fc
  .record({ pairs: fc.uniqueArray(key), sort, active: fc.constantFrom(ALL_PAIRS, FAVOURITES) })
  .map(({ pairs, sort, active }) => ({
    ...emptyWatchLists,
    lists: [{ id: FAVOURITES, name: "", pairs, sort }],
    active,
  }));

/** The rows on screen: those of the list at the top, and all. */
function shown(all: WatchLists): { readonly top: readonly string[]; readonly symbols: readonly string[] } {
  const order = new RowOrder();
  order.rebuild(market, all);
  return { top: order.top, symbols: order.symbols };
}

/** Two lists beside the favourites, the second on screen. */
function threeLists(): WatchLists {
  const first = createList(given("AB"), { id: "majors", name: "Majors" });
  return createList(first, { id: "small", name: "Small" });
}

describe("starring", () => {
  it("adds a pair at the end of the favourites, once", () => {
    assert.deepEqual(starred(star(star(given("AB"), C), A)), keysOf("ABC"));
    assert.deepEqual(starred(unstar(given("ABC"), B)), keysOf("AC"));
  });

  it("yields the same lists if nothing changes", () => {
    const all = given("AB");
    assert.equal(star(all, A), all);
    assert.equal(unstar(all, C), all);
    assert.equal(unpin(all, A), all);
  });
});

describe("watch lists", () => {
  it("hold a pair in several lists, and under either order of its assets", () => {
    const all = addPair(addPair(threeLists(), "majors", A), "small", A);
    assert.deepEqual(
      all.lists.map(({ pairs }) => pairs),
      [[A, B], [A], [A]],
    );
    assert.equal(addPair(all, "small", "A_THB"), all);
    assert.deepEqual(removePair(all, "small", "A_THB").lists[2]?.pairs, []);
  });

  it("are created at the end and shown, and show all pairs when deleted", () => {
    const all = threeLists();
    assert.deepEqual(
      all.lists.map(({ id }) => id),
      [FAVOURITES, "majors", "small"],
    );
    assert.equal(all.active, "small");
    assert.equal(deleteList(all, "small").active, ALL_PAIRS);
    assert.equal(deleteList(all, "majors").active, "small");
    assert.equal(renameList(all, "majors", "Large").lists[1]?.name, "Large");
  });

  it("change places behind the favourites, which keep theirs, their name and their existence", () => {
    const all = threeLists();
    const ids = (each: WatchLists): string[] => each.lists.map(({ id }) => id);
    assert.deepEqual(ids(placeList(all, "small", 1)), [FAVOURITES, "small", "majors"]);
    for (const place of [0, 3]) assert.equal(placeList(all, "small", place), all);
    assert.equal(placeList(all, FAVOURITES, 1), all);
    assert.equal(renameList(all, FAVOURITES, "Mine"), all);
    assert.equal(deleteList(all, FAVOURITES), all);
  });

  it("are limited in number and size", () => {
    const ids = Array.from({ length: MAX_LISTS + 5 }, (_, index) => `list${index}`);
    const many = ids.reduce((all, id) => createList(all, { id, name: id }), emptyWatchLists);
    assert.equal(many.lists.length, MAX_LISTS);
    const keys = Array.from({ length: MAX_LIST_PAIRS + 5 }, (_, index) => `THB_A${index}`);
    assert.equal(starred(keys.reduce(star, emptyWatchLists)).length, MAX_LIST_PAIRS);
  });

  it("are sorted each for itself", () => {
    const all = sortRows(threeLists(), { by: "change", down: true });
    assert.deepEqual(
      all.lists.map((list) => list.sort.by),
      ["own", "own", "change"],
    );
    assert.equal(sortRows(showList(all, ALL_PAIRS), { by: "last", down: true }).sort.by, "last");
  });
});

describe("pinning", () => {
  it("stops at five pairs, and is possible again when a pair is unpinned", () => {
    const full = [...listed].reduce((all, each) => pin(all, each, market), emptyWatchLists);
    assert.deepEqual(full.pinned, keysOf("ABCDE"));
    assert.equal(pin(full, F, market), full);
    assert.deepEqual(pin(unpin(full, B), F, market).pinned, keysOf("ACDEF"));
    assert.deepEqual(
      pin(full, F, new Map(keysOf("ABCDF").map((key) => [key, key]))).pinned,
      keysOf("ABCDEF"),
      "E was delisted",
    );
  });

  it("knows a pair by the mirrored name with which another program pinned it", () => {
    const all = { ...emptyWatchLists, pinned: ["A_THB", ...keysOf("BCDE")] };
    assert.equal(pin(all, A, market), all);
    assert.equal(pin(all, F, market), all, "the status bar is full");
    assert.deepEqual(unpin(all, A).pinned, keysOf("BCDE"));
  });
});

describe("moving a row", () => {
  it("swaps it with its neighbour on screen, and stops at the ends", () => {
    const all = given("ABC");
    assert.deepEqual(starred(moveRow(all, B, "up", keysOf("ABC"))), keysOf("BAC"));
    assert.deepEqual(starred(moveRow(all, B, "down", keysOf("ABC"))), keysOf("ACB"));
    assert.equal(moveRow(all, A, "up", keysOf("ABC")), all);
    assert.equal(moveRow(all, C, "down", keysOf("ABC")), all);
    assert.equal(moveRow(all, F, "up", keysOf("ABC")), all);
  });

  it("skips a pair without a row", () => {
    assert.deepEqual(starred(moveRow(given("AXB"), B, "up", keysOf("AB"))), keysOf("BAX"));
  });

  it("continues from the order on screen if the list was sorted by value", () => {
    const all = sortRows(showList(given("ABCX"), FAVOURITES), { by: "last", down: true });
    const moved = moveRow(all, B, "up", keysOf("CABX"));
    assert.deepEqual(topList(moved).sort, { by: "own", down: false });
    assert.deepEqual(starred(moved), keysOf("CBAX"));
  });

  it("is undone by the opposite move", () => {
    fc.assert(
      fc.property(lists, fc.constantFrom(...listed), (all, moved) => {
        const before = shown(all).top;
        const up = moveRow(all, moved, "up", before);
        fc.pre(up !== all);
        const back = moveRow(up, moved, "down", shown(up).top);
        assert.deepEqual(shown(back).top, before);
      }),
    );
  });
});

describe("dropping a row", () => {
  it("on a favourite makes the row a favourite, in that place", () => {
    assert.deepEqual(starred(dropRow(given("ABC"), D, B, keysOf("ABC"))), keysOf("ADBC"));
    assert.deepEqual(starred(dropRow(given("ABC"), A, C, keysOf("ABC"))), keysOf("BCA"));
    assert.deepEqual(starred(dropRow(given("ABC"), C, A, keysOf("ABC"))), keysOf("CAB"));
  });

  it("elsewhere puts a row of the list at its end", () => {
    assert.deepEqual(starred(dropRow(given("ABC"), A, D, keysOf("ABC"))), keysOf("BCA"));
    assert.deepEqual(starred(dropRow(given("AB"), A, undefined, keysOf("AB"))), keysOf("BA"));
  });

  const drops = fc.tuple(
    lists,
    fc.constantFrom(...listed),
    fc.option(fc.constantFrom(...listed), { nil: undefined }),
  );

  it("neither loses nor doubles a pair", () => {
    fc.assert(
      fc.property(drops, ([all, dragged, target]) => {
        const pairs = starred(dropRow(all, dragged, target, shown(all).top));
        assert.equal(new Set(pairs).size, pairs.length);
        for (const each of starred(all)) assert.ok(pairs.includes(each));
      }),
    );
  });

  it("puts the row in the place of the target, and keeps the order of the other rows", () => {
    fc.assert(
      fc.property(drops, ([all, dragged, target]) => {
        const before = shown(all).top;
        fc.pre(target !== undefined && before.includes(dragged) && before.includes(target));
        const after = shown(dropRow(all, dragged, target, before)).top;
        assert.equal(after.indexOf(dragged), before.indexOf(target));
        const others = (rows: readonly string[]): string[] => rows.filter((each) => each !== dragged);
        assert.deepEqual(others(after), others(before));
      }),
    );
  });
});
