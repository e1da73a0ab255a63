import assert from "node:assert/strict";
import { stateKeys } from "../../../../src/contributions.ts";
import { star } from "../../../../src/desk/watchlist/edits.ts";
import { emptyWatchlist } from "../../../../src/desk/watchlist/watchlist.ts";
import { WatchlistStore } from "../../../../src/desk/watchlist/watchlistStore.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { storedWatchlist } = await loadUi(() => import("../../../../src/ui/markets/storedWatchlist.ts"));

describe("the watchlist in the editor's state", () => {
  it("is registered for Settings Sync, and there in the next session", async () => {
    const values = new Map<string, unknown>();
    let synced: readonly string[] = [];
    const memento = {
      get: <T>(key: string) => values.get(key) as T,
      update: async (key: string, value: unknown) => void values.set(key, value),
      setKeysForSync: (keys: readonly string[]) => void (synced = keys),
    };
    const list = new WatchlistStore(storedWatchlist(memento));
    assert.deepEqual(list.state, emptyWatchlist);
    await list.change((before) => star(before, "THB_BTC"));
    assert.ok(synced.includes(stateKeys.watchlist));
    assert.deepEqual(new WatchlistStore(storedWatchlist(memento)).state.favourites, ["THB_BTC"]);
  });
});
