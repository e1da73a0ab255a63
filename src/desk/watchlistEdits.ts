import { mostKept, mostPinned, type Watchlist } from "./watchlist.ts";

/** What a person does to a watchlist. Each yields the next one, or the very same where nothing comes of it. Pairs are keys. */

/** A new favourite is the last of them. */
export function star(list: Watchlist, key: string): Watchlist {
  return list.favourites.includes(key) ? list : { ...list, favourites: [...list.favourites, key] };
}

export function unstar(list: Watchlist, key: string): Watchlist {
  return list.favourites.includes(key) ? { ...list, favourites: without(list.favourites, key) } : list;
}

/** The same list when it is full: five is what a status bar bears. */
export function pin(list: Watchlist, key: string): Watchlist {
  if (list.pinned.includes(key) || list.pinned.length >= mostPinned) return list;
  return { ...list, pinned: [...list.pinned, key] };
}

export function unpin(list: Watchlist, key: string): Watchlist {
  return list.pinned.includes(key) ? { ...list, pinned: without(list.pinned, key) } : list;
}

/** One row up or down among the favourites on screen, past those that this venue does not list. */
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
 * A row dropped on another takes its place: among the favourites as one of them, below them in an order of the person's
 * own, which is what the rest is sorted by from then on. A favourite dropped below its kind becomes the last of them: only
 * its star takes it out. Without a target the row goes to the end of where it is. `rest`: the rows below as they stand.
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
  const elsewhere = list.own.filter((each) => !shown.has(each));
  return { ...list, own: [...moved, ...elsewhere].slice(0, mostKept), sort: { by: "own", down: false } };
}

function without(keys: readonly string[], key: string): string[] {
  return keys.filter((each) => each !== key);
}

/** `key` stands where `target` stood; the rows between move towards where it came from. */
function inPlaceOf(target: string, key: string, keys: readonly string[]): string[] {
  const others = without(keys, key);
  const from = keys.indexOf(key);
  const cameFromAbove = from !== -1 && from < keys.indexOf(target);
  return others.toSpliced(others.indexOf(target) + (cameFromAbove ? 1 : 0), 0, key);
}
