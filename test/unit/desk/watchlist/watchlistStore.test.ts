import assert from "node:assert/strict";
import { star } from "../../../../src/desk/watchlist/edits.ts";
import { emptyWatchlist } from "../../../../src/desk/watchlist/watchlist.ts";
import { WatchlistStore } from "../../../../src/desk/watchlist/watchlistStore.ts";
import { newTestDesk, unattended } from "../../../support/desks/testDesk.ts";
import { memoryOf } from "../../../support/fakes/watchlist.ts";

describe("the stored watchlist", () => {
  it("keeps the pairs that another window starred in the meantime", async () => {
    const memory = memoryOf();
    const [here, there] = [new WatchlistStore(memory), new WatchlistStore(memory)];
    await there.change((before) => star(before, "THB_ETH"));
    await here.change((before) => star(before, "THB_BTC"));
    assert.deepEqual(here.state.favourites, ["THB_ETH", "THB_BTC"]);
  });

  it("is read again when the window gets the focus", async () => {
    const memory = memoryOf();
    const desk = newTestDesk({ watchlist: memory, window: unattended });
    await new WatchlistStore(memory).change((before) => star(before, "THB_ETH"));
    assert.deepEqual(desk.watchlist.state.favourites, []);
    desk.windowChanged({ focused: true, active: true });
    assert.deepEqual(desk.watchlist.state.favourites, ["THB_ETH"]);
    desk.dispose();
  });

  it("reports changes only", async () => {
    const list = new WatchlistStore(memoryOf());
    let events = 0;
    list.onDidChange(() => (events += 1));
    await list.change((before) => star(before, "THB_BTC"));
    await list.change((before) => star(before, "THB_BTC"));
    assert.equal(events, 1);
  });

  it("is shown but not edited if a newer version saved it, perhaps on another computer", async () => {
    const memory = memoryOf({ ...emptyWatchlist, version: 2, favourites: ["THB_BTC"] });
    const list = new WatchlistStore(memory);
    await list.change((before) => star(before, "THB_ETH"));
    assert.deepEqual(
      [list.state, new WatchlistStore(memory).state].map(({ favourites }) => favourites),
      [["THB_BTC"], ["THB_BTC"]],
    );
    assert.equal(memory.warnings, 1);
  });
});
