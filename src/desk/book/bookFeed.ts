import { readBook, type Book, type BookFault } from "../../market/book/book.ts";
import type { Trade } from "../../market/book/trade.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { TickerFeed } from "../feeds/tickerFeed.ts";
import type { CurrentVenue } from "../venue.ts";
import type { BookSource, BookUpdate } from "./bookSource.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

export interface BookFeedOptions {
  readonly venue: Pick<CurrentVenue, "venue" | "onDidChange">;
  readonly tickers: Pick<TickerFeed, "ticker" | "onDidChange">;
  /** The ways to a book, the best first. */
  readonly sources: readonly BookSource[];
  /** ms since the epoch. */
  readonly now: () => number;
}

/** What is known of the book of the pair that a person looks at. */
export interface BookState {
  readonly symbol: string;
  /** The newest book that could be used; undefined before the first one, and while the newest one is refused. */
  readonly book: Book | undefined;
  /** When the exchange was asked for `book`, or told it: ms since the epoch. Undefined if its source is not believed any more. */
  readonly readAt: number | undefined;
  /** Why there is no newer book. */
  readonly problem: BookProblem | undefined;
  /** The newest trades that could be read, the newest first; undefined where none were told. */
  readonly trades: readonly Trade[] | undefined;
}

/** A refused book, or the error of a reading. */
export type BookProblem = { readonly fault: BookFault } | { readonly error: unknown };

/**
 * The order book and the trades of the one pair that a person looks at. Nothing is read while nobody looks, for a pair that
 * is not listed, or from an exchange that offers no book.
 */
export class BookFeed extends Disposable {
  readonly #options: BookFeedOptions;
  readonly #changed = new Event<void>();
  #symbol: string | undefined;
  #state: BookState | undefined;
  #stop: (() => void) | undefined;

  /** Fires for each update, and when `state` begins or ends. */
  readonly onDidChange = this.#changed.add;

  constructor(options: BookFeedOptions) {
    super();
    this.#options = options;
    this.register(
      options.venue.onDidChange(() => this.#follow()),
      // The pair may be listed only now.
      options.tickers.onDidChange(() => !this.#stop && this.#follow()),
      () => this.#end(),
    );
  }

  /** Whether the open exchange offers order books. */
  get isOffered(): boolean {
    return this.#source !== undefined;
  }

  /** Undefined while no book is followed. */
  get state(): BookState | undefined {
    return this.#state;
  }

  /** A person looks at the book of this wire symbol from now on; undefined: at none. */
  show(symbol: string | undefined): void {
    if (symbol === this.#symbol) return;
    this.#symbol = symbol;
    this.#follow();
  }

  /** Begins anew: the computer slept. */
  restart(): void {
    this.#follow();
  }

  /** The pair's book for a guard: read without a problem, and no longer ago than `mostMs`. Undefined if there is none. */
  fresh(symbol: string, mostMs: number): Book | undefined {
    const { book, readAt, problem } = this.#state?.symbol === symbol ? this.#state : {};
    if (!book || readAt === undefined || problem) return undefined;
    const ageMs = this.#options.now() - readAt;
    // Below zero the clock was set back, so the age is unknown.
    return ageMs >= 0 && ageMs <= mostMs ? book : undefined;
  }

  get #source(): BookSource | undefined {
    const { venue } = this.#options.venue;
    return venue && this.#options.sources.find((source) => source.offers(venue));
  }

  #follow(): void {
    const { venue, tickers } = this.#options;
    const ticker = this.#symbol === undefined ? undefined : tickers.ticker(this.#symbol);
    const source = this.#source;
    const wasFollowed = this.#end();
    if (!ticker || !source || !venue.venue) {
      if (wasFollowed) this.#changed.fire();
      return;
    }
    const { symbol, pair } = ticker;
    this.#state = { symbol, book: undefined, readAt: undefined, problem: undefined, trades: undefined };
    this.#stop = source.follow({ venue: venue.venue, named: { symbol, pair } }, (update) =>
      this.#take(update),
    );
    this.#changed.fire();
  }

  #end(): boolean {
    const wasFollowed = this.#stop !== undefined;
    this.#stop?.();
    this.#stop = undefined;
    this.#state = undefined;
    return wasFollowed;
  }

  #take({ at, depth, trades, expired }: BookUpdate): void {
    if (!this.#state) return;
    if (expired) this.#state = { ...this.#state, readAt: undefined };
    // An older book never replaces a newer one.
    if (depth && at >= (this.#state.readAt ?? 0))
      this.#state = { ...this.#state, ...bookOf(this.#state, depth, at) };
    if (trades && !isOlder(trades, this.#state.trades, at)) this.#state = { ...this.#state, trades };
    this.#changed.fire();
  }
}

/** Some sources tell times in seconds. A time in the future is no time that newer trades could be measured by. */
function isOlder(trades: readonly Trade[], shown: readonly Trade[] | undefined, now: number): boolean {
  const newestShown = shown?.find(({ at }) => at <= now + MINUTE_MS)?.at;
  if (newestShown === undefined) return false;
  return Math.floor((trades[0]?.at ?? 0) / SECOND_MS) < Math.floor(newestShown / SECOND_MS);
}

/** A failed reading keeps the book before. A refused book does not: the exchange has taken the earlier one back. */
function bookOf(
  before: BookState,
  depth: NonNullable<BookUpdate["depth"]>,
  at: number,
): Pick<BookState, "book" | "readAt" | "problem"> {
  if ("error" in depth) return { book: before.book, readAt: before.readAt, problem: depth };
  const read = readBook(depth);
  return typeof read === "string"
    ? { book: undefined, readAt: at, problem: { fault: read } }
    : { book: read, readAt: at, problem: undefined };
}
