import assert from "node:assert/strict";
import fc from "fast-check";
import { createList, star } from "../../../../src/desk/watchLists/edits.ts";
import {
  MAX_LISTS_FILE_BYTES,
  mergeLists,
  readListsFile,
  writeListsFile,
} from "../../../../src/desk/watchLists/listsFile.ts";
import {
  emptyWatchLists,
  MAX_LIST_PAIRS,
  MAX_LISTS,
  readWatchLists,
  type WatchLists,
} from "../../../../src/desk/watchLists/watchLists.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { favouritesOf } from "../../../support/fakes/watchLists.ts";

const market = new Map([tickerOf("THB_BTC"), tickerOf("THB_ETH")].map((ticker) => [ticker.symbol, ticker]));
const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

function merged(into: WatchLists, ...lists: readonly { name: string; pairs: readonly string[] }[]) {
  const file = readListsFile(bytesOf({ bidsideWatchLists: 1, lists }));
  assert.ok(!Array.isArray(file), JSON.stringify(file));
  let ids = 0;
  return mergeLists(into, file, market, () => `new${(ids += 1)}`);
}

function pairsOf(all: WatchLists | readonly unknown[]): unknown {
  assert.ok("lists" in all, JSON.stringify(all));
  return all.lists.map(({ name, pairs }) => [name, ...pairs]);
}

describe("a file of watch lists", () => {
  it("has a line for each pair, by name, and comes back as it was, with pairs that no exchange lists", () => {
    const all = createList(favouritesOf(["THB_BTC", "USDT_GONE"]), { id: "a", name: "Majors" });
    const text = writeListsFile(all, market);
    assert.equal(
      text,
      `{
  "bidsideWatchLists": 1,
  "lists": [
    {
      "name": "Favourites",
      "pairs": [
        "BTC/THB",
        "GONE/USDT"
      ]
    },
    {
      "name": "Majors",
      "pairs": []
    }
  ]
}
`,
    );
    const file = readListsFile(Buffer.from(text));
    assert.ok(!Array.isArray(file));
    const back = mergeLists(emptyWatchLists, file, new Map(), () => "a");
    assert.ok(!Array.isArray(back));
    assert.deepEqual(back.lists, all.lists);
  });

  it("adds pairs to the list of the same name, and removes nothing", () => {
    const before = createList(favouritesOf(["THB_BTC"]), { id: "a", name: "Majors" });
    const after = merged(
      before,
      { name: "MAJORS", pairs: ["BTC/THB"] },
      { name: "favourites", pairs: ["ETH/THB"] },
      { name: "New", pairs: ["DOGE/THB"] },
    );
    assert.deepEqual(pairsOf(after), [
      ["", "THB_BTC", "THB_ETH"],
      ["Majors", "THB_BTC"],
      ["New", "THB_DOGE"],
    ]);
  });

  it("changes nothing when it is imported a second time", () => {
    const lists = [{ name: "New", pairs: ["BTC/THB", "GONE/THB"] }];
    const once = merged(emptyWatchLists, ...lists);
    assert.ok(!Array.isArray(once));
    assert.deepEqual(merged(once, ...lists), once);
  });

  it("names a pair in either order of its assets, which is the same pair", () => {
    const before = star(emptyWatchLists, "THB_BTC");
    const after = merged(before, {
      name: "Favourites",
      pairs: ["BTC_THB", "THB_BTC", "ETH_THB", "X_THB", "THB_X"],
    });
    assert.deepEqual(pairsOf(after), [["", "THB_BTC", "THB_ETH", "X_THB"]]);
  });

  it("is refused, with the reason, if it is anything else", () => {
    const valid = { bidsideWatchLists: 1, lists: [{ name: "A", pairs: ["BTC/THB"] }] };
    for (const [file, problems] of [
      ["", ["notJson"]],
      [Uint8Array.of(0xff), ["notJson"]],
      [" ".repeat(MAX_LISTS_FILE_BYTES + 1), ["tooLarge"]],
      ["[]", ["notLists"]],
      [{ lists: [] }, ["notLists"]],
      [{ ...valid, bidsideWatchLists: 2 }, ["field:bidsideWatchLists"]],
      [{ ...valid, apiKey: "x" }, ["field:apiKey"]],
      [{ ...valid, lists: [{ name: "A\u202E", pairs: [] }] }, ["field:lists.0.name"]],
      [{ ...valid, lists: [{ name: "A", pairs: ["BTC/THB", "<b>/THB"] }] }, ["field:lists.0.pairs.1"]],
      [{ ...valid, lists: [{ name: "A", pairs: ["BTC/THB/X"] }] }, ["field:lists.0.pairs.0"]],
      ['{"bidsideWatchLists":1,"lists":[],"lists":[]}', ["field:lists"]],
    ] as const) {
      const bytes =
        file instanceof Uint8Array
          ? file
          : Buffer.from(typeof file === "string" ? file : JSON.stringify(file));
      assert.deepEqual(readListsFile(bytes), problems, JSON.stringify(file).slice(0, 100));
    }
  });

  it("is refused if it does not fit, so that no part of it is lost", () => {
    const names = Array.from({ length: MAX_LISTS }, (_, index) => ({ name: `L${index}`, pairs: [] }));
    assert.deepEqual(merged(emptyWatchLists, ...names), ["tooManyLists"]);
    const pairs = Array.from({ length: MAX_LIST_PAIRS }, (_, index) => `A${index}/THB`);
    const full = merged(emptyWatchLists, { name: "A", pairs });
    assert.ok(!Array.isArray(full));
    assert.deepEqual(merged(full, { name: "A", pairs: ["BTC/THB"] }), ["listFull:A"]);
  });

  it("fits with 100 lists of 200 pairs, and is stored and exported as it was", () => {
    const lists = Array.from({ length: MAX_LISTS - 1 }, (_, list) => ({
      name: `L${list}`,
      pairs: Array.from({ length: MAX_LIST_PAIRS }, (_, index) => `A${index}/THB`),
    }));
    const all = merged(emptyWatchLists, ...lists);
    assert.ok(!Array.isArray(all));
    const stored = JSON.stringify(all);
    assert.ok(stored.length < MAX_LISTS_FILE_BYTES, `${stored.length} bytes`);
    assert.deepEqual(readWatchLists(JSON.parse(stored)), all);
    assert.ok(!Array.isArray(readListsFile(Buffer.from(writeListsFile(all, market)))));
  });

  it("is refused at once if it names one list again and again, with other pairs each time", () => {
    const lists = Array.from({ length: MAX_LISTS }, (_, list) => ({
      name: "A",
      pairs: Array.from({ length: MAX_LIST_PAIRS }, (_, index) => `A${list}X${index}/THB`),
    }));
    assert.deepEqual(merged(emptyWatchLists, ...lists), ["listFull:A"]);
  });

  it("never throws and never yields lists beyond the limits, whatever it contains", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (name, pairs) => {
        const file = readListsFile(bytesOf({ bidsideWatchLists: 1, lists: [{ name, pairs }] }));
        if (Array.isArray(file)) assert.ok(file.length > 0);
        else assert.equal(typeof file.lists[0]?.name, "string");
      }),
    );
  });
});
