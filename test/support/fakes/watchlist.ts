import type { WatchlistPort } from "../../../src/desk/watchlist/watchlistStore.ts";

/** A stored watchlist in memory, and how often a newer version was reported. */
export function memoryOf(stored?: unknown): WatchlistPort & { readonly warnings: number } {
  let warnings = 0;
  // As text, because the editor keeps it so.
  let text = JSON.stringify(stored ?? null);
  return {
    read: () => JSON.parse(text) as unknown,
    write: async (list) => void (text = JSON.stringify(list)),
    warnNewer: () => void (warnings += 1),
    get warnings() {
      return warnings;
    },
  };
}
