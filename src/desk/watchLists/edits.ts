import { findPairs, pairIdentity } from "../../market/pair.ts";
import {
  ALL_PAIRS,
  ARRANGED,
  FAVOURITES,
  MAX_LIST_PAIRS,
  MAX_LISTS,
  MAX_PINNED_PAIRS,
  topList,
  type Sort,
  type WatchList,
  type WatchLists,
} from "./watchLists.ts";

/**
 * The edits of watch lists. Each returns the next lists, or the same object if nothing changes. Pairs are given as
 * keys, and found in either order of their assets. An edit may be applied twice, when another window wrote at the same
 * moment, and then changes nothing the second time.
 */

export function hasPair({ pairs }: Pick<WatchList, "pairs">, key: string): boolean {
  return indexOf(pairs, key) !== -1;
}

/** Adds a pair at the end. Returns the same lists if the list is full. */
export function addPair(all: WatchLists, id: string, key: string): WatchLists {
  return withList(all, id, (list) =>
    hasPair(list, key) || list.pairs.length >= MAX_LIST_PAIRS
      ? list
      : { ...list, pairs: [...list.pairs, key] },
  );
}

export function removePair(all: WatchLists, id: string, key: string): WatchLists {
  return withList(all, id, (list) =>
    hasPair(list, key) ? { ...list, pairs: without(list.pairs, key) } : list,
  );
}

export function star(all: WatchLists, key: string): WatchLists {
  return addPair(all, FAVOURITES, key);
}

export function unstar(all: WatchLists, key: string): WatchLists {
  return removePair(all, FAVOURITES, key);
}

export function isPinned({ pinned }: WatchLists, key: string): boolean {
  return hasPair({ pairs: pinned }, key);
}

/** Returns the same lists when the status bar is full: it has room for five. */
export function pin(all: WatchLists, key: string, listed: ReadonlyMap<string, unknown>): WatchLists {
  const shown = findPairs(listed, all.pinned);
  if (isPinned(all, key) || shown.length >= MAX_PINNED_PAIRS) return all;
  return { ...all, pinned: [...all.pinned, key] };
}

export function unpin(all: WatchLists, key: string): WatchLists {
  return isPinned(all, key) ? { ...all, pinned: without(all.pinned, key) } : all;
}

/** Adds an empty list and shows it. Returns the same lists if there are too many. */
export function createList(all: WatchLists, { id, name }: Pick<WatchList, "id" | "name">): WatchLists {
  if (all.lists.some((list) => list.id === id) || all.lists.length >= MAX_LISTS) return all;
  return { ...all, lists: [...all.lists, { id, name, pairs: [], sort: ARRANGED }], active: id };
}

/** The favourites keep their name. */
export function renameList(all: WatchLists, id: string, name: string): WatchLists {
  return withList(all, id, (list) => (list.name === name || id === FAVOURITES ? list : { ...list, name }));
}

/** The favourites cannot be deleted. */
export function deleteList(all: WatchLists, id: string): WatchLists {
  const [favourites, ...others] = all.lists;
  if (!others.some((list) => list.id === id)) return all;
  return {
    ...all,
    lists: [favourites, ...others.filter((list) => list.id !== id)],
    active: all.active === id ? ALL_PAIRS : all.active,
  };
}

/** Puts a list at a place, counted from the favourites, which stay the first. */
export function placeList(all: WatchLists, id: string, place: number): WatchLists {
  const [favourites, ...others] = all.lists;
  const from = others.findIndex((list) => list.id === id);
  const to = place - 1;
  const list = others[from];
  if (!list || to === from || to < 0 || to >= others.length) return all;
  return { ...all, lists: [favourites, ...others.toSpliced(from, 1).toSpliced(to, 0, list)] };
}

/** Shows a list in Markets, or all pairs. */
export function showList(all: WatchLists, id: string): WatchLists {
  if (id === all.active || (id !== ALL_PAIRS && !all.lists.some((list) => list.id === id))) return all;
  return { ...all, active: id };
}

/** Sorts the list that Markets shows, or the rows below the favourites. */
export function sortRows(all: WatchLists, sort: Sort): WatchLists {
  return all.active === ALL_PAIRS
    ? { ...all, sort }
    : withList(all, all.active, (list) => ({ ...list, sort }));
}

/** Moves a row of the top list up or down by one, past those that are not shown. `shown`: its rows on screen. */
export function moveRow(
  all: WatchLists,
  key: string,
  direction: "up" | "down",
  shown: readonly string[],
): WatchLists {
  const at = shown.indexOf(key);
  const neighbour = at === -1 ? undefined : shown[direction === "up" ? at - 1 : at + 1];
  return neighbour === undefined ? all : arrange(all, shown, (keys) => inPlaceOf(neighbour, key, keys));
}

/**
 * Moves a row to the place of the row of the top list that it is dropped on, or without a target to the end of that
 * list. A row from outside the list is added to it. `shown`: the list's rows on screen.
 */
export function dropRow(
  all: WatchLists,
  key: string,
  target: string | undefined,
  shown: readonly string[],
): WatchLists {
  const list = topList(all);
  if (key === target || (!hasPair(list, key) && list.pairs.length >= MAX_LIST_PAIRS)) return all;
  return arrange(all, shown, (keys) =>
    target !== undefined && indexOf(keys, target) !== -1
      ? inPlaceOf(target, key, keys)
      : [...without(keys, key), key],
  );
}

/** Rearranges the top list, from then on in the user's order, which begins with the order on screen. */
function arrange(
  all: WatchLists,
  shown: readonly string[],
  edit: (keys: readonly string[]) => readonly string[],
): WatchLists {
  return withList(all, topList(all).id, (list) => {
    const order = shown.filter((key) => hasPair(list, key));
    const before =
      list.sort.by === "own"
        ? list.pairs
        : [...order, ...list.pairs.filter((key) => indexOf(order, key) === -1)];
    return { ...list, pairs: edit(before), sort: ARRANGED };
  });
}

function withList(all: WatchLists, id: string, edit: (list: WatchList) => WatchList): WatchLists {
  const list = all.lists.find((each) => each.id === id);
  const next = list && edit(list);
  if (!next || next === list) return all;
  const [favourites, ...others] = all.lists;
  const replaced = (each: WatchList): WatchList => (each.id === id ? next : each);
  return { ...all, lists: [replaced(favourites), ...others.map(replaced)] };
}

function indexOf(keys: readonly string[], key: string): number {
  const exact = keys.indexOf(key);
  if (exact !== -1) return exact;
  const identity = pairIdentity(key);
  return keys.findIndex((each) => pairIdentity(each) === identity);
}

function without(keys: readonly string[], key: string): string[] {
  const identity = pairIdentity(key);
  return keys.filter((each) => pairIdentity(each) !== identity);
}

/** Puts `key` at the place of `target`. The rows between move towards the old place. */
function inPlaceOf(target: string, key: string, keys: readonly string[]): string[] {
  const others = without(keys, key);
  const from = indexOf(keys, key);
  const cameFromAbove = from !== -1 && from < indexOf(keys, target);
  return others.toSpliced(indexOf(others, target) + (cameFromAbove ? 1 : 0), 0, key);
}
