import { MAX_STORED_PAIRS, MAX_PINNED_PAIRS, type Watchlist } from "./watchlist.ts";

/**
 * The edits of a watchlist. Each returns the next list, or the same object if nothing changes. Pairs are given as
 * keys.
 */

/** A new favourite is added at the end. */
export function star(list: Watchlist, key: string): Watchlist {
  return list.favourites.includes(key) ? list : { ...list, favourites: [...list.favourites, key] };
}

export function unstar(list: Watchlist, key: string): Watchlist {
  return list.favourites.includes(key) ? { ...list, favourites: without(list.favourites, key) } : list;
}

/** Returns the same list when it is full: a status bar has room for five. */
export function pin(
  list: Watchlist,
  key: string,
  listed: Pick<ReadonlyMap<string, unknown>, "has">,
): Watchlist {
  const shown = list.pinned.filter((each) => listed.has(each));
  if (list.pinned.includes(key) || shown.length >= MAX_PINNED_PAIRS) return list;
  return { ...list, pinned: [...list.pinned, key] };
}

export function unpin(list: Watchlist, key: string): Watchlist {
  return list.pinned.includes(key) ? { ...list, pinned: without(list.pinned, key) } : list;
}

/** Moves a row up or down among the visible favourites, past those that this venue does not list. */
export function moveFavourite(
  list: Watchlist,
  key: string,
  direction: "up" | "down",
  shown: readonly string[],
): Watchlist {
  const at = shown.indexOf(key);
  const neighbour = at === -1 ? undefined : shown[direction === "up" ? at - 1 : at + 1];
  return neighbour === undefined ? list : { ...list, favourites: inPlaceOf(neighbour, key, list.favourites) };
}

/**
 * Moves a row to the place of the row that it is dropped on, or without a target to the end of its group. A row dropped
 * among the favourites becomes a favourite. A row dropped below them is placed in the custom order, which then sorts
 * all rows below. A favourite dropped below the favourites becomes the last one, because only its star removes it.
 * `rest`: the rows below as they are shown.
 */
export function drop(
  list: Watchlist,
  key: string,
  target: string | undefined,
  rest: readonly string[],
): Watchlist {
  if (key === target) return list;
  const { favourites } = list;
  if (target !== undefined && favourites.includes(target)) {
    return { ...list, favourites: inPlaceOf(target, key, favourites) };
  }
  if (favourites.includes(key)) return { ...list, favourites: [...without(favourites, key), key] };
  const moved = target === undefined ? [...without(rest, key), key] : inPlaceOf(target, key, rest);
  const shown = new Set(moved);
  const unlisted = list.own.filter((each) => !shown.has(each));
  return {
    ...list,
    own: [...moved, ...unlisted].slice(0, MAX_STORED_PAIRS),
    sort: { by: "own", down: false },
  };
}

function without(keys: readonly string[], key: string): string[] {
  return keys.filter((each) => each !== key);
}

/** Puts `key` at the place of `target`. The rows between move towards the old place. */
function inPlaceOf(target: string, key: string, keys: readonly string[]): string[] {
  const others = without(keys, key);
  const from = keys.indexOf(key);
  const cameFromAbove = from !== -1 && from < keys.indexOf(target);
  return others.toSpliced(others.indexOf(target) + (cameFromAbove ? 1 : 0), 0, key);
}
