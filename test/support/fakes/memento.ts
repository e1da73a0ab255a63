import type { WatchlistMemento } from "../../../src/ui/markets/watchlistStore.ts";

/** The editor's store of global state, in memory; `stored` has the first value of every key. */
export function memoryOf(stored?: unknown): WatchlistMemento & { readonly synced: readonly string[] } {
  const values = new Map<string, unknown>();
  let synced: readonly string[] = [];
  return {
    // Through JSON, as the editor keeps it.
    get: <T>(key: string): T | undefined =>
      JSON.parse(JSON.stringify(values.get(key) ?? stored ?? null)) as T,
    update: async (key: string, value: unknown) => void values.set(key, value),
    setKeysForSync: (keys) => {
      synced = keys;
    },
    get synced() {
      return synced;
    },
  };
}
