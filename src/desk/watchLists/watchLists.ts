import { pairIdentity, symbolPattern } from "../../market/pair.ts";

/** How rows are sorted, in the order offered. `own`: as the user arranged them, which is possible in lists only. */
export const sortKeys = ["volume", "change", "last", "symbol", "own"] as const;

export interface Sort {
  readonly by: (typeof sortKeys)[number];
  /** Highest value, or end of the alphabet, first. Always false for `own`. */
  readonly down: boolean;
}

/** A named list of pairs. A pair may be in several lists. */
export interface WatchList {
  readonly id: string;
  /** Empty for the favourites, whose name is translated. */
  readonly name: string;
  /** Pair keys, as the user arranged them. */
  readonly pairs: readonly string[];
  readonly sort: Sort;
}

/**
 * The pairs that the user follows. Pairs are named by `pairKey`, not by a venue's symbol. The same lists serve practice
 * and every exchange, so the favourites from practice are there when the user goes live, and no venue's address goes
 * into Settings Sync. Pairs that a venue does not list are kept.
 */
export interface WatchLists {
  /** The favourites, which always exist, and the user's other lists. */
  readonly lists: readonly [WatchList, ...WatchList[]];
  /** Id of the list that Markets shows, or `ALL_PAIRS`. */
  readonly active: string;
  /** How the rows below the favourites are sorted while all pairs are shown. */
  readonly sort: Sort;
  /** Pinned to the status bar. */
  readonly pinned: readonly string[];
}

/** Id of the first list. */
export const FAVOURITES = "favourites";
/** In place of a list's id: Markets shows every pair, the favourites first. */
export const ALL_PAIRS = "all";

/** How many pinned pairs the status bar shows. Pairs that the exchange does not list take no room. */
export const MAX_PINNED_PAIRS = 5;

/** Limits of what is stored, about a megabyte with the longest names: the editor keeps it in memory, and Settings Sync sends it. */
export const MAX_LISTS = 100;
export const MAX_LIST_PAIRS = 200;
export const MAX_LIST_NAME = 40;

/** No control, invisible or unassigned characters, and no line breaks. */
const namePattern = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
const MAX_ID = 64;

export const ARRANGED: Sort = { by: "own", down: false };

export const emptyWatchLists: WatchLists = {
  lists: [{ id: FAVOURITES, name: "", pairs: [], sort: ARRANGED }],
  active: ALL_PAIRS,
  sort: { by: "volume", down: true },
  pinned: [],
};

/** The list that Markets shows; undefined while it shows all pairs. */
export function activeList({ lists, active }: WatchLists): WatchList | undefined {
  return lists.find(({ id }) => id === active);
}

/** The list at the top of Markets: the active one, or the favourites above all other pairs. */
export function topList(lists: WatchLists): WatchList {
  return activeList(lists) ?? lists.lists[0];
}

/** Whether a list can have this name, apart from the names of other lists. */
export function isListName(name: string): boolean {
  return name.trim() === name && name.length <= MAX_LIST_NAME && namePattern.test(name);
}

/**
 * Reads stored lists, perhaps from another version or another computer. Unreadable parts are replaced by defaults or
 * left out.
 */
export function readWatchLists(stored: unknown): WatchLists {
  if (typeof stored !== "object" || stored === null) return emptyWatchLists;
  const { lists, active, sort, pinned } = stored as Partial<Record<string, unknown>>;
  const read = readLists(lists);
  const [favourites] = emptyWatchLists.lists;
  const first = read.find(({ id }) => id === FAVOURITES);
  const all = [
    first ?? favourites,
    ...read.filter(({ id }) => id !== FAVOURITES).slice(0, MAX_LISTS - 1),
  ] as const;
  return {
    lists: [...all],
    active: all.find(({ id }) => id === active)?.id ?? ALL_PAIRS,
    sort: readSort(sort, emptyWatchLists.sort),
    pinned: readKeys(pinned),
  };
}

function readLists(stored: unknown): readonly WatchList[] {
  if (!Array.isArray(stored)) return [];
  const byId = new Map<string, WatchList>();
  for (const each of stored as readonly unknown[]) {
    const { id, name, pairs, sort } = (each ?? {}) as Partial<Record<string, unknown>>;
    if (typeof id !== "string" || id === "" || id === ALL_PAIRS || id.length > MAX_ID || byId.has(id))
      continue;
    const isFirst = id === FAVOURITES;
    if (!isFirst && (typeof name !== "string" || !isListName(name))) continue;
    byId.set(id, {
      id,
      name: isFirst ? "" : (name as string),
      pairs: readKeys(pairs),
      sort: readSort(sort, ARRANGED),
    });
  }
  return [...byId.values()];
}

function readKeys(stored: unknown): string[] {
  if (!Array.isArray(stored)) return [];
  const byIdentity = new Map<string, string>();
  for (const key of stored as readonly unknown[]) {
    if (byIdentity.size === MAX_LIST_PAIRS) break;
    if (typeof key !== "string" || !symbolPattern.test(key)) continue;
    const identity = pairIdentity(key);
    if (!byIdentity.has(identity)) byIdentity.set(identity, key);
  }
  return [...byIdentity.values()];
}

function readSort(stored: unknown, fallback: Sort): Sort {
  const { by, down } = (stored ?? {}) as Partial<Record<string, unknown>>;
  const known = sortKeys.find((key) => key === by && (key !== "own" || fallback.by === "own"));
  return known ? { by: known, down: known !== "own" && down === true } : fallback;
}
