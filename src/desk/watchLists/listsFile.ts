import * as z from "zod/mini";
import { placesOf } from "../../exchange/features.ts";
import { parseJsonFile } from "../../exchange/jsonFile.ts";
import {
  assetPattern,
  findPair,
  pairIdentity,
  pairKey,
  pairName,
  parseSymbol,
  symbolPattern,
} from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import {
  ARRANGED,
  FAVOURITES,
  isListName,
  MAX_LIST_PAIRS,
  MAX_LISTS,
  type WatchList,
  type WatchLists,
} from "./watchLists.ts";

export const MAX_LISTS_FILE_BYTES = 1024 * 1024;

const VERSION = 1;
/** The name of the favourites in files, which is not translated. */
const FAVOURITES_NAME = "Favourites";
const MAX_PAIR_LENGTH = 50;

const name = z.string().check(z.refine(isListName));
const pair = z.string().check(
  z.maxLength(MAX_PAIR_LENGTH),
  z.refine((text) => pairOf(text) !== undefined),
);

/** Schema of a file of watch lists. It is strict, so that a misspelled field is not ignored. */
const fileSchema = z.strictObject({
  bidsideWatchLists: z.literal(VERSION),
  lists: z
    .array(z.strictObject({ name, pairs: z.array(pair).check(z.maxLength(MAX_LIST_PAIRS)) }))
    .check(z.maxLength(MAX_LISTS)),
});

export interface ListsFile {
  readonly lists: readonly { readonly name: string; readonly pairs: readonly string[] }[];
}

/** Why a file was rejected. Fields are named by path: `field:lists.0.pairs.3`. */
export type ListsFileProblem =
  | "tooLarge"
  | "notJson"
  | "notLists"
  | "tooManyLists"
  | `listFull:${string}`
  | `field:${string}`;

/** Parses a file of watch lists. Returns its lists, or all problems; a file with a problem is not used at all. */
export function readListsFile(bytes: Uint8Array): ListsFile | ListsFileProblem[] {
  if (bytes.length > MAX_LISTS_FILE_BYTES) return ["tooLarge"];
  const json = parseJsonFile(bytes);
  if (json === undefined) return ["notJson"];
  if (typeof json.value !== "object" || json.value === null || !("bidsideWatchLists" in json.value))
    return ["notLists"];
  const read = fileSchema.safeParse(json.value);
  const places = [...json.repeated, ...(read.success ? [] : placesOf(read.error))];
  if (!read.success || places.length > 0)
    return [...new Set(places)].map((place) => `field:${place}` as const);
  return { lists: read.data.lists };
}

/** Serializes all lists, one pair a line, so that a change is one line of a diff. */
export function writeListsFile({ lists }: WatchLists, tickers: ReadonlyMap<string, Ticker>): string {
  const file = {
    bidsideWatchLists: VERSION,
    lists: lists.map((list) => ({
      name: list.id === FAVOURITES ? FAVOURITES_NAME : list.name,
      pairs: list.pairs.map((key) => fileName(key, tickers)),
    })),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** `BTC/THB`, or the key of a pair whose assets are not known because a name has an underscore. */
function fileName(key: string, tickers: ReadonlyMap<string, Ticker>): string {
  const known = findPair(tickers, key)?.pair ?? parseSymbol(key, "quoteFirst");
  return known ? pairName(known) : key;
}

/**
 * Adds the pairs of a file to the lists of the same name, and the lists that are missing. Nothing is removed. Returns
 * the problems if not everything has room. `newId` makes the ids of lists.
 */
export function mergeLists(
  all: WatchLists,
  file: ListsFile,
  tickers: ReadonlyMap<string, Ticker>,
  newId: () => string,
): WatchLists | ListsFileProblem[] {
  const [first] = all.lists;
  const byName = new Map(all.lists.map((list) => [nameKey(list), list]));
  const keys = new Map(all.lists.flatMap(({ pairs }) => pairs).map((key) => [pairIdentity(key), key]));
  for (const { name, pairs } of file.lists) {
    const list = byName.get(nameKey({ name })) ?? { id: newId(), name, pairs: [], sort: ARRANGED };
    const merged = new Map(list.pairs.map((key) => [pairIdentity(key), key]));
    for (const text of pairs) {
      const key = pairOf(text) ?? text;
      const identity = pairIdentity(key);
      if (merged.has(identity)) continue;
      const known = findPair(tickers, key)?.symbol ?? keys.get(identity) ?? key;
      keys.set(identity, known);
      merged.set(identity, known);
    }
    byName.set(nameKey(list), { ...list, pairs: [...merged.values()] });
  }
  const [favourites = first, ...rest] = byName.values();
  if (rest.length >= MAX_LISTS) return ["tooManyLists"];
  const full = [favourites, ...rest].filter(({ pairs }) => pairs.length > MAX_LIST_PAIRS);
  if (full.length > 0) return full.map(({ name }) => `listFull:${name || FAVOURITES_NAME}` as const);
  return { ...all, lists: [favourites, ...rest] };
}

/** Names that differ in case only are the same list. */
function nameKey({ id, name }: Partial<Pick<WatchList, "id">> & Pick<WatchList, "name">): string {
  return (id === FAVOURITES ? FAVOURITES_NAME : name).toLowerCase();
}

/** The key of a pair in a file: its name, `BTC/THB`, or its key, `THB_BTC`; undefined if it is neither. */
function pairOf(text: string): string | undefined {
  const [base = "", quote, ...more] = text.toUpperCase().split("/");
  if (quote === undefined) return symbolPattern.test(base) ? base : undefined;
  const isPair = more.length === 0 && assetPattern.test(base) && assetPattern.test(quote);
  return isPair ? pairKey({ base, quote }) : undefined;
}
