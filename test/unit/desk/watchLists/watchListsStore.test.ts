import assert from "node:assert/strict";
import { moveRow, star, unstar } from "../../../../src/desk/watchLists/edits.ts";
import type { WatchListsPort, WatchListsStore } from "../../../../src/desk/watchLists/watchListsStore.ts";
import { newTestDesk, unattended } from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { favouritesOf, listsStore, memoryOf, storeOn } from "../../../support/fakes/watchLists.ts";

const starred = ({ state }: WatchListsStore): readonly string[] => state.lists[0].pairs;

/**
 * The editor's store as two windows see it: each reads its own copy, which `sync` replaces by what was written last.
 */
function twoCopies() {
  let written: unknown;
  const copies = [undefined, undefined] as unknown[];
  const port = (at: number): WatchListsPort => ({
    read: () => copies[at],
    write: async (lists) => void (written = copies[at] = lists),
    warnNewer: () => assert.fail(),
  });
  const sync = (): void => void copies.fill(written);
  return { here: port(0), there: port(1), sync };
}

describe("the stored watch lists", () => {
  it("keep the pairs that another window starred in the meantime", async () => {
    const memory = memoryOf();
    const [here, there] = [storeOn(memory), storeOn(memory)];
    await there.change((before) => star(before, "THB_ETH"));
    await here.change((before) => star(before, "THB_BTC"));
    assert.deepEqual(starred(here), ["THB_ETH", "THB_BTC"]);
  });

  it("keep the edits of two windows that wrote at the same moment, in both windows", async () => {
    const { here: first, there: second, sync } = twoCopies();
    const timers = new FakeTimers();
    const [here, there] = [storeOn(first, timers), storeOn(second, timers)];
    await here.change((before) => star(before, "THB_BTC"));
    await here.change((before) => star(before, "THB_ETH"));
    await there.change((before) => star(before, "THB_XRP"));
    sync();
    await timers.advance(2000);
    sync();
    await timers.advance(2000);
    assert.deepEqual([...starred(here)].sort(), ["THB_BTC", "THB_ETH", "THB_XRP"]);
    there.reread();
    assert.deepEqual(starred(there), starred(here));
  });

  it("do not repeat an edit that another window saw and took back", async () => {
    const { here: first, there: second, sync } = twoCopies();
    const timers = new FakeTimers();
    const [here, there] = [storeOn(first, timers), storeOn(second, timers)];
    await here.change((before) => star(before, "THB_BTC"));
    sync();
    await there.change((before) => unstar(before, "THB_BTC"));
    sync();
    await timers.advance(10_000);
    assert.deepEqual(starred(here), []);
  });

  it("move a row once, however often the edit is checked", async () => {
    const timers = new FakeTimers();
    const list = storeOn(memoryOf(favouritesOf(["THB_A", "THB_B", "THB_C"])), timers);
    await list.change((before) => moveRow(before, "THB_C", "up", ["THB_A", "THB_B", "THB_C"]));
    await timers.advance(10_000);
    assert.deepEqual(starred(list), ["THB_A", "THB_C", "THB_B"]);
  });

  it("are read again when the window gets the focus", async () => {
    const memory = memoryOf();
    const desk = newTestDesk({ watchLists: memory, window: unattended });
    await desk.allWindows.settled();
    await storeOn(memory).change((before) => star(before, "THB_ETH"));
    assert.deepEqual(starred(desk.watchLists), []);
    desk.windowChanged({ focused: true, active: true });
    assert.deepEqual(starred(desk.watchLists), ["THB_ETH"]);
    desk.dispose();
  });

  it("follow what another window wrote as soon as the editor shows it", async () => {
    const { here: first, there: second, sync } = twoCopies();
    const timers = new FakeTimers();
    const [here, there] = [storeOn(first, timers), storeOn(second, timers)];
    here.onDidWrite(() => there.rereadUntilArrived());
    await here.change((before) => star(before, "THB_BTC"));
    await timers.advance(300);
    assert.deepEqual(starred(there), []);
    sync();
    await timers.advance(200);
    assert.deepEqual(starred(there), ["THB_BTC"]);
  });

  it("report changes only", async () => {
    const list = listsStore();
    let events = 0;
    list.onDidChange(() => (events += 1));
    await list.change((before) => star(before, "THB_BTC"));
    await list.change((before) => star(before, "THB_BTC"));
    assert.equal(events, 1);
  });

  it("are shown but not edited if a newer version saved them, perhaps on another computer", async () => {
    const memory = memoryOf({ ...favouritesOf(["THB_BTC"]), version: 2 });
    const list = storeOn(memory);
    await list.change((before) => star(before, "THB_ETH"));
    assert.deepEqual([list, storeOn(memory)].map(starred), [["THB_BTC"], ["THB_BTC"]]);
    assert.equal(memory.warnings, 1);
  });
});
