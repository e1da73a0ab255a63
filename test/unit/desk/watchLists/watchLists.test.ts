import assert from "node:assert/strict";
import fc from "fast-check";
import {
  emptyWatchLists,
  FAVOURITES,
  isListName,
  MAX_LIST_PAIRS,
  MAX_LISTS,
  readWatchLists,
  sortKeys,
} from "../../../../src/desk/watchLists/watchLists.ts";

const ARRANGED = { by: "own", down: false };

describe("stored watch lists", () => {
  it("are the same after they are read again", () => {
    const stored = {
      lists: [
        { id: FAVOURITES, name: "", pairs: ["THB_BTC", "THB_ETH"], sort: ARRANGED },
        { id: "a", name: "Small caps", pairs: ["THB_ADA"], sort: { by: "change", down: true } },
      ],
      active: "a",
      sort: { by: "last", down: false },
      pinned: ["THB_BTC"],
    };
    assert.deepEqual(readWatchLists(JSON.parse(JSON.stringify(stored))), stored);
  });

  it("are new lists if nothing readable was stored", () => {
    for (const stored of [
      undefined,
      null,
      "",
      7,
      [],
      { lists: "THB_BTC", sort: { by: "luck" }, active: "gone" },
    ])
      assert.deepEqual(readWatchLists(stored), emptyWatchLists);
  });

  it("have a pair once in a list, under whichever order of its assets came first", () => {
    const pairs = ["THB_BTC", "BTC_THB", "btc_thb", "THB_ETH"];
    const { lists } = readWatchLists({ lists: [{ id: FAVOURITES, pairs }] });
    assert.deepEqual(lists[0].pairs, ["THB_BTC", "THB_ETH"]);
  });

  it("begin with the favourites, and leave out lists without a usable name or id", () => {
    const { lists } = readWatchLists({
      lists: [
        { id: "b", name: "B" },
        { id: "b", name: "Twice" },
        { id: "all", name: "All" },
        { id: "c" },
        { id: FAVOURITES },
      ],
    });
    assert.deepEqual(
      lists.map(({ id, name }) => [id, name]),
      [
        [FAVOURITES, ""],
        ["b", "B"],
      ],
    );
  });

  it("keep their limits for whatever another version or computer stored", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (pairs, sort, name) => {
        const list = { id: "a", name, pairs, sort };
        const read = readWatchLists({ lists: [list, { ...list, name: "A" }, pairs], sort, pinned: pairs });
        for (const each of read.lists) {
          for (const key of each.pairs) assert.equal(typeof key, "string");
          assert.ok(sortKeys.includes(each.sort.by));
        }
        assert.notEqual(read.sort.by, "own");
      }),
    );
  });

  it("are limited in number and size", () => {
    const pairs = Array.from({ length: 3000 }, (_, index) => `THB_A${index}`);
    const many = Array.from({ length: 300 }, (_, index) => ({ id: `${index}`, name: `${index}`, pairs }));
    const { lists, pinned } = readWatchLists({ lists: many, pinned: pairs });
    assert.equal(lists.length, MAX_LISTS);
    assert.equal(lists[1]?.pairs.length, MAX_LIST_PAIRS);
    assert.equal(pinned.length, MAX_LIST_PAIRS);
  });
});

describe("the name of a watch list", () => {
  it("is printable, and short enough for the header of Markets", () => {
    for (const name of ["Majors", "ของฉัน", "DeFi & AI, 2026"]) assert.ok(isListName(name), name);
    for (const name of ["", " a", "a\nb", "a\u202Eb", "x".repeat(41)]) assert.ok(!isListName(name), name);
  });
});
