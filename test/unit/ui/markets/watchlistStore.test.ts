import assert from "node:assert/strict";
import { star } from "../../../../src/desk/watchlist/edits.ts";
import { emptyWatchlist } from "../../../../src/desk/watchlist/watchlist.ts";
import { memoryOf } from "../../../support/fakes/memento.ts";
import { loadUi, shownMessages } from "../../../support/fakes/vscode.ts";

const { WatchlistStore } = await loadUi(() => import("../../../../src/ui/markets/watchlistStore.ts"));

describe("the stored watchlist", () => {
  it("is shown but not edited if a newer version saved it, perhaps on another computer", async () => {
    shownMessages.length = 0;
    const memory = memoryOf({ ...emptyWatchlist, version: 2, favourites: ["THB_BTC"] });
    const list = new WatchlistStore(memory);
    await list.change((before) => star(before, "THB_ETH"));
    assert.deepEqual(
      [list.state, new WatchlistStore(memory).state].map(({ favourites }) => favourites),
      [["THB_BTC"], ["THB_BTC"]],
    );
    assert.match(shownMessages[0]?.text ?? "", /newer version of Bidside/);
  });
});
