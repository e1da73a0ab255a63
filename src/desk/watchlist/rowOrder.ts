import { pairKey } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { emptyWatchlist, type Sort, type Watchlist } from "./watchlist.ts";

/** A row below the favourites, with its sort value. Smaller values come first. */
interface RestRow {
  readonly symbol: string;
  value: number;
}

/** A volume must exceed the one above by this share before the two rows change places. */
const VOLUME_SLACK = 0.05;

/**
 * The order of the market's rows: favourites as arranged, then the others as sorted. Rows with an unknown value come
 * last, rows with equal values are ordered by symbol. The order is kept between refreshes: an update makes one pass
 * over the rows and sorts them only if some are out of order. Rows sorted by volume keep their places while their
 * volumes differ by a few percent.
 */
export class RowOrder {
  #watchlist: Watchlist = emptyWatchlist;
  #favourites: readonly string[] = [];
  #starred: ReadonlySet<string> = new Set();
  #rest: RestRow[] = [];
  #restBySymbol = new Map<string, RestRow>();

  /** Pair keys from top to bottom. */
  get symbols(): string[] {
    return [...this.#favourites, ...this.#rest.map(({ symbol }) => symbol)];
  }

  get favourites(): readonly string[] {
    return this.#favourites;
  }

  isFavourite(symbol: string): boolean {
    return this.#starred.has(symbol);
  }

  isListed(symbol: string): boolean {
    return this.#restBySymbol.has(symbol) || this.#starred.has(symbol);
  }

  /** Sorts the whole market again: rows were added or removed, or the favourites or the sorting changed. */
  rebuild(tickers: ReadonlyMap<string, Ticker>, watchlist: Watchlist): void {
    this.#watchlist = watchlist;
    const places = placesOf(watchlist.favourites);
    const starred: RestRow[] = [];
    const rest: RestRow[] = [];
    const valueOf = valueFor(watchlist);
    for (const ticker of tickers.values()) {
      const { symbol } = ticker;
      const place = places.size === 0 ? undefined : places.get(pairKey(ticker.pair));
      if (place !== undefined) starred.push({ symbol, value: place });
      else if (!watchlist.favouritesOnly) rest.push({ symbol, value: valueOf(ticker) });
    }
    this.#favourites = starred.sort(compareUp).map(({ symbol }) => symbol);
    this.#starred = new Set(this.#favourites);
    this.#rest = rest.sort(comparison(watchlist.sort));
    this.#restBySymbol = new Map(rest.map((row) => [row.symbol, row]));
  }

  /** Updates the values of existing rows. True if the order changed. */
  update(tickers: ReadonlyMap<string, Ticker>, changed: Iterable<string>): boolean {
    const { by } = this.#watchlist.sort;
    if (by === "symbol" || by === "own") return false;
    const valueOf = valueFor(this.#watchlist);
    for (const symbol of changed) {
      const [row, ticker] = [this.#restBySymbol.get(symbol), tickers.get(symbol)];
      if (row && ticker) row.value = valueOf(ticker);
    }
    const compare = comparison(this.#watchlist.sort);
    if (isInOrder(this.#rest, by === "volume" ? withSlack(compare) : compare)) return false;
    this.#rest.sort(compare);
    return true;
  }
}

function placesOf(keys: readonly string[]): ReadonlyMap<string, number> {
  return new Map(keys.map((key, place) => [key, place]));
}

/** The sort value of a ticker, negated if the highest comes first, so that an unknown value is always the greatest. */
function valueFor({ sort, own }: Watchlist): (ticker: Ticker) => number {
  const known = knownValueFor(sort, own);
  const sign = sort.down ? -1 : 1;
  return (ticker) => {
    const value = known(ticker);
    return value === undefined ? Number.POSITIVE_INFINITY : sign * value;
  };
}

function knownValueFor({ by }: Sort, own: readonly string[]): (ticker: Ticker) => number | undefined {
  switch (by) {
    case "symbol":
      return () => 0;
    case "last":
      return ({ last }) => last;
    case "change":
      return ({ percentChange }) => percentChange;
    case "volume":
      // In the quote asset, because volumes in different base assets cannot be compared.
      return ({ quoteVolume, baseVolume, last }) =>
        quoteVolume ?? (baseVolume === undefined || last === undefined ? undefined : baseVolume * last);
    case "own": {
      const places = placesOf(own);
      return ({ pair }) => places.get(pairKey(pair));
    }
  }
}

type Compare = (a: RestRow, b: RestRow) => number;

function comparison({ by, down }: Sort): Compare {
  return by === "symbol" && down ? (a, b) => compareUp(b, a) : compareUp;
}

/** By value, then by code units of the symbol: the same on every computer, and fast for tens of thousands of rows. */
function compareUp(a: RestRow, b: RestRow): number {
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

function isInOrder(rows: readonly RestRow[], compare: Compare): boolean {
  return rows.every((row, place) => {
    const before = rows[place - 1];
    return before === undefined || compare(before, row) <= 0;
  });
}
