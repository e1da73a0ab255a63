import { findPair } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { activeList, emptyWatchLists, type Sort, topList, type WatchLists } from "./watchLists.ts";

type Tickers = ReadonlyMap<string, Ticker>;

/**
 * The order of the rows of Markets: those of the list at its top, then, while all pairs are shown, the others. The rows
 * of the active list include pairs that the exchange does not list. Nothing is shown before the market is known.
 */
export class RowOrder {
  readonly #top = new SortedRows();
  readonly #rest = new SortedRows();
  #starred: ReadonlySet<string> = new Set();

  /** Pair keys from top to bottom. */
  get symbols(): string[] {
    return [...this.#top.symbols, ...this.#rest.symbols];
  }

  /** The rows of the list at the top: the active one, or the favourites. */
  get top(): string[] {
    return this.#top.symbols;
  }

  isFavourite(symbol: string): boolean {
    return this.#starred.has(symbol);
  }

  /** Whether the pair has a row. */
  has(symbol: string): boolean {
    return this.#top.has(symbol) || this.#rest.has(symbol);
  }

  /** Sorts all rows again: pairs were added or removed, or the lists changed. */
  rebuild(tickers: Tickers, lists: WatchLists): void {
    const list = topList(lists);
    const isAll = activeList(lists) === undefined;
    const keys = tickers.size === 0 ? [] : list.pairs;
    const symbols = keys.map((key) => findPair(tickers, key)?.symbol ?? key);
    const listed = symbols.filter((symbol) => tickers.has(symbol));
    const [favourites] = lists.lists;
    this.#starred = new Set(favourites.pairs.map((key) => findPair(tickers, key)?.symbol ?? key));
    this.#top.rebuild(tickers, isAll ? listed : symbols, list.sort);
    const others = isAll ? [...tickers.keys()].filter((symbol) => !this.#top.has(symbol)) : [];
    this.#rest.rebuild(tickers, others, lists.sort);
  }

  /** Updates the values of existing rows. True if the order changed. */
  update(tickers: Tickers, changed: readonly string[] | ReadonlySet<string>): boolean {
    const isMoved = this.#top.update(tickers, changed);
    return this.#rest.update(tickers, changed) || isMoved;
  }
}

/** A row with its sort value. Smaller values come first. */
interface SortedRow {
  readonly symbol: string;
  value: number;
}

/** A volume must exceed the one above by this share before the two rows change places. */
const VOLUME_SLACK = 0.05;

/**
 * Rows in order. Rows with an unknown value come last, rows with equal values are ordered by symbol. The order is kept
 * between refreshes: an update makes one pass over the rows and sorts them only if some are out of order. Rows sorted
 * by volume keep their places while their volumes differ by a few percent.
 */
class SortedRows {
  #sort: Sort = emptyWatchLists.sort;
  #rows: SortedRow[] = [];
  #bySymbol: ReadonlyMap<string, SortedRow> = new Map();

  get symbols(): string[] {
    return this.#rows.map(({ symbol }) => symbol);
  }

  has(symbol: string): boolean {
    return this.#bySymbol.has(symbol);
  }

  /** `symbols` are in the user's order, each once. */
  rebuild(tickers: Tickers, symbols: readonly string[], sort: Sort): void {
    this.#sort = sort;
    const valueOf = valueFor(sort);
    const rows = symbols.map((symbol, place): SortedRow => {
      return { symbol, value: sort.by === "own" ? place : valueOf(tickers.get(symbol)) };
    });
    this.#bySymbol = new Map(rows.map((row) => [row.symbol, row]));
    this.#rows = rows.sort(comparison(sort));
  }

  update(tickers: Tickers, changed: Iterable<string>): boolean {
    const { by } = this.#sort;
    if (by === "symbol" || by === "own") return false;
    const valueOf = valueFor(this.#sort);
    for (const symbol of changed) {
      const row = this.#bySymbol.get(symbol);
      if (row) row.value = valueOf(tickers.get(symbol));
    }
    const compare = comparison(this.#sort);
    if (isInOrder(this.#rows, by === "volume" ? withSlack(compare) : compare)) return false;
    this.#rows.sort(compare);
    return true;
  }
}

/** The sort value of a ticker, negated if the highest comes first, so that an unknown value is always the greatest. */
function valueFor({ by, down }: Sort): (ticker: Ticker | undefined) => number {
  const sign = down ? -1 : 1;
  return (ticker) => {
    const value = by === "symbol" || by === "own" ? 0 : ticker && knownValue(by, ticker);
    return value === undefined ? Number.POSITIVE_INFINITY : sign * value;
  };
}

function knownValue(by: "last" | "change" | "volume", ticker: Ticker): number | undefined {
  const { last, percentChange, quoteVolume, baseVolume } = ticker;
  if (by === "last") return last;
  if (by === "change") return percentChange;
  // In the quote asset, because volumes in different base assets cannot be compared.
  return quoteVolume ?? (baseVolume === undefined || last === undefined ? undefined : baseVolume * last);
}

type Compare = (a: SortedRow, b: SortedRow) => number;

function comparison({ by, down }: Sort): Compare {
  return by === "symbol" && down ? (a, b) => compareUp(b, a) : compareUp;
}

/** By value, then by code units of the symbol: the same on every computer, and fast for tens of thousands of rows. */
function compareUp(a: SortedRow, b: SortedRow): number {
  // The difference of two unknown values is NaN, which counts as equal.
  return a.value - b.value || (a.symbol < b.symbol ? -1 : Number(a.symbol > b.symbol));
}

/** The same comparison, but nearly equal known values count as equal, so that their rows keep their places. */
function withSlack(compare: Compare): Compare {
  return (a, b) => {
    const apart = Math.abs(a.value - b.value);
    const isNear = apart > 0 && apart <= VOLUME_SLACK * Math.min(Math.abs(a.value), Math.abs(b.value));
    return isNear ? 0 : compare(a, b);
  };
}

function isInOrder(rows: readonly SortedRow[], compare: Compare): boolean {
  return rows.every((row, place) => {
    const before = rows[place - 1];
    return before === undefined || compare(before, row) <= 0;
  });
}
