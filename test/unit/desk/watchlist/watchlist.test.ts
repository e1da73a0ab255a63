import assert from "node:assert/strict";
import fc from "fast-check";
import {
  emptyWatchlist,
  MAX_STORED_PAIRS,
  readWatchlist,
  sortKeys,
} from "../../../../src/desk/watchlist/watchlist.ts";

describe("a stored watchlist", () => {
  it("is the same after it is read again", () => {
    const list = {
      favourites: ["THB_BTC", "THB_ETH"],
      own: ["THB_ADA"],
      pinned: ["THB_BTC"],
      sort: { by: "change", down: true },
      favouritesOnly: true,
    };
    assert.deepEqual(readWatchlist(JSON.parse(JSON.stringify(list))), list);
  });

  it("is a new list if nothing readable was stored", () => {
    for (const stored of [undefined, null, "", 7, [], { favourites: "THB_BTC", sort: { by: "luck" } }]) {
      assert.deepEqual(readWatchlist(stored), emptyWatchlist);
    }
  });

  it("keeps its limits for every list from another version or computer", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (favourites, pinned, sort) => {
        const list = readWatchlist({ favourites, pinned, sort, own: [favourites, favourites] });
        for (const keys of [list.favourites, list.own, list.pinned]) {
          assert.equal(new Set(keys).size, keys.length);
          for (const key of keys) assert.equal(typeof key, "string");
        }
        assert.ok(sortKeys.includes(list.sort.by));
      }),
    );
  });

  it("is limited in size", () => {
    const many = Array.from({ length: 3000 }, (_, index) => `THB_A${index}`);
    const list = readWatchlist({ favourites: many, own: many, pinned: many });
    assert.equal(list.favourites.length, MAX_STORED_PAIRS);
    assert.equal(list.own.length, MAX_STORED_PAIRS);
    assert.equal(list.pinned.length, MAX_STORED_PAIRS);
  });
});
