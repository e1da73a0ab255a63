/** What the rows that are no favourites are sorted by, as they are offered; `own` is the order that dragging made. */
export const sortKeys = ["volume", "change", "last", "symbol", "own"] as const;

export interface Sort {
  readonly by: (typeof sortKeys)[number];
  /** Highest, or last of the alphabet, first. */
  readonly down: boolean;
}

/**
 * What a person follows and in which order. Pairs are named by `pairKey`, not by a venue's symbol: one list serves
 * practice and every exchange, so that what was starred while practising is at hand live, and no venue's address
 * travels with Settings Sync. A pair that a venue does not list is kept and not shown there.
 */
export interface Watchlist {
  /** In the person's own order. */
  readonly favourites: readonly string[];
  /** The rows below the favourites as they were last dragged; those not named follow by symbol. */
  readonly own: readonly string[];
  /** In the status bar. */
  readonly pinned: readonly string[];
  readonly sort: Sort;
  readonly favouritesOnly: boolean;
}

export const mostPinned = 5;

/** Lists longer than this are cut: they are kept in the editor's small store, and no hand dragged so many. */
export const mostKept = 2000;

export const emptyWatchlist: Watchlist = {
  favourites: [],
  own: [],
  pinned: [],
  sort: { by: "volume", down: true },
  favouritesOnly: false,
};

/** A watchlist from what was stored, perhaps by another version or another machine: what cannot be read is as if it were new. */
export function readWatchlist(stored: unknown): Watchlist {
  if (typeof stored !== "object" || stored === null) return emptyWatchlist;
  const { favourites, own, pinned, sort, favouritesOnly } = stored as Partial<Record<string, unknown>>;
  return {
    favourites: readKeys(favourites, mostKept),
    own: readKeys(own, mostKept),
    pinned: readKeys(pinned, mostPinned),
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
