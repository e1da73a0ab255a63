/** How the rows below the favourites are sorted, in the order offered. `own` is the order made by dragging. */
export const sortKeys = ["volume", "change", "last", "symbol", "own"] as const;

export interface Sort {
  readonly by: (typeof sortKeys)[number];
  /** Highest value, or end of the alphabet, first. */
  readonly down: boolean;
}

/**
 * The pairs that the user follows, and their order. Pairs are named by `pairKey`, not by a venue's symbol. One list
 * serves practice and every exchange, so the favourites from practice are there when the user goes live, and no
 * venue's address goes into Settings Sync. A pair that a venue does not list is kept but not shown.
 */
export interface Watchlist {
  /** As the user arranged them. */
  readonly favourites: readonly string[];
  /** The rows below the favourites as last dragged. Rows without an entry follow by symbol. */
  readonly own: readonly string[];
  /** Pinned to the status bar. */
  readonly pinned: readonly string[];
  readonly sort: Sort;
  readonly favouritesOnly: boolean;
}

/** How many pinned pairs the status bar shows. Pairs that the exchange does not list take no room. */
export const MAX_PINNED_PAIRS = 5;

/** Longer lists are cut, because the editor's store is small, and no user drags so many rows. */
export const MAX_STORED_PAIRS = 2000;

export const emptyWatchlist: Watchlist = {
  favourites: [],
  own: [],
  pinned: [],
  sort: { by: "volume", down: true },
  favouritesOnly: false,
};

/**
 * Reads a stored watchlist, perhaps from another version or another computer. Unreadable parts are replaced by
 * defaults.
 */
export function readWatchlist(stored: unknown): Watchlist {
  if (typeof stored !== "object" || stored === null) return emptyWatchlist;
  const { favourites, own, pinned, sort, favouritesOnly } = stored as Partial<Record<string, unknown>>;
  return {
    favourites: readKeys(favourites, MAX_STORED_PAIRS),
    own: readKeys(own, MAX_STORED_PAIRS),
    pinned: readKeys(pinned, MAX_STORED_PAIRS),
    sort: readSort(sort),
    favouritesOnly: favouritesOnly === true,
  };
}

function readKeys(stored: unknown, most: number): string[] {
  if (!Array.isArray(stored)) return [];
  const keys = stored.filter((key) => typeof key === "string" && key.length <= 64);
  return [...new Set<string>(keys)].slice(0, most);
}

function readSort(stored: unknown): Sort {
  const { by, down } = (stored ?? {}) as Partial<Record<string, unknown>>;
  const known = sortKeys.find((key) => key === by);
  return known ? { by: known, down: down === true } : emptyWatchlist.sort;
}
