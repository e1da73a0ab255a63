import assert from "node:assert/strict";
import { stateKeys } from "../../../../src/contributions.ts";
import { star } from "../../../../src/desk/watchLists/edits.ts";
import { emptyWatchLists } from "../../../../src/desk/watchLists/watchLists.ts";
import { storeOn } from "../../../support/fakes/watchLists.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { storedWatchLists } = await loadUi(() => import("../../../../src/ui/markets/storedWatchLists.ts"));

describe("the watch lists in the editor's state", () => {
  it("is registered for Settings Sync, and there in the next session", async () => {
    const values = new Map<string, unknown>();
    let synced: readonly string[] = [];
    const memento = {
      get: <T>(key: string) => values.get(key) as T,
      update: async (key: string, value: unknown) => void values.set(key, value),
      setKeysForSync: (keys: readonly string[]) => void (synced = keys),
    };
    const list = storeOn(storedWatchLists(memento));
    assert.deepEqual(list.state, emptyWatchLists);
    await list.change((before) => star(before, "THB_BTC"));
    assert.ok(synced.includes(stateKeys.watchLists));
    assert.deepEqual(storeOn(storedWatchLists(memento)).state.lists[0].pairs, ["THB_BTC"]);
  });
});
