import {
  ARRANGED,
  emptyWatchLists,
  FAVOURITES,
  type WatchLists,
} from "../../../src/desk/watchLists/watchLists.ts";
import { WatchListsStore, type WatchListsPort } from "../../../src/desk/watchLists/watchListsStore.ts";
import { FakeTimers } from "./timers.ts";

/** Stored watch lists in memory, and how often a newer version was reported. */
export function memoryOf(stored?: unknown): WatchListsPort & { readonly warnings: number } {
  let warnings = 0;
  // As text, because the editor keeps it so.
  let text = JSON.stringify(stored ?? null);
  return {
    read: () => JSON.parse(text) as unknown,
    write: async (lists) => void (text = JSON.stringify(lists)),
    warnNewer: () => void (warnings += 1),
    get warnings() {
      return warnings;
    },
  };
}

/** Watch lists with these favourites. */
export function favouritesOf(pairs: readonly string[], more: Partial<WatchLists> = {}): WatchLists {
  return { ...emptyWatchLists, lists: [{ id: FAVOURITES, name: "", pairs, sort: ARRANGED }], ...more };
}

let ids = 0;

/** A store of watch lists in memory. */
export function listsStore(stored?: unknown): WatchListsStore {
  return storeOn(memoryOf(stored));
}

/** Another window's store of the same watch lists. */
export function storeOn(port: WatchListsPort, timers = new FakeTimers()): WatchListsStore {
  return new WatchListsStore({ port, timers, newId: () => `id-${(ids += 1)}` });
}
