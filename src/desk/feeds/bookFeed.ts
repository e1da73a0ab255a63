import type { NamedPair } from "../../market/pair.ts";
import { readBook, type Book, type BookFault, type Depth } from "../../market/book/book.ts";
import type { PublicTrade } from "../../market/book/publicTrade.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { TickerFeed } from "./tickerFeed.ts";
import type { Timers } from "../../time/timers.ts";
import type { CurrentVenue, Watching } from "../venue.ts";
import { Overlay, TOLERANCE } from "./overlay.ts";
import type { Source } from "./source.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const MAX_DISTANCE = new Decimal(TOLERANCE.toString());

export interface BookFeedOptions {
  readonly venue: CurrentVenue;
  readonly tickers: Pick<TickerFeed, "ticker" | "onDidChange">;
  readonly polled: Source<BookTarget, BookUpdate>;
  /** Updates between two polls, if streams are available. */
  readonly streamed: Source<BookTarget, BookUpdate> | undefined;
  readonly timers: Timers;
  readonly log: { warn(message: string): void };
}

/** The pair of a book, and its exchange. */
export interface BookTarget {
  readonly venue: Watching;
  readonly named: NamedPair;
}

/** An update of a book. A missing part is unchanged. */
export interface BookUpdate {
  /** When it was requested, or arrived from a stream, ms since the epoch. */
  readonly at: number;
  /** The whole book, which replaces the previous one; an error if the poll failed. */
  readonly depth?: Depth | { readonly error: unknown };
  /** The newest trades, newest first. */
  readonly trades?: readonly PublicTrade[];
}

/** The book of the visible pair. */
export interface BookState {
  readonly symbol: string;
  /** The newest valid book, polled or streamed; undefined before the first one, and while the newest one is invalid. */
  readonly book: Book | undefined;
  /** When `book` was requested, or arrived from a stream: ms since the epoch. */
  readonly readAt: number | undefined;
  /** Why there is no newer book. */
  readonly problem: BookProblem | undefined;
  /** The newest known trades, newest first; undefined if none were reported. */
  readonly trades: readonly PublicTrade[] | undefined;
}

/** An invalid book, or the error of a poll. */
export type BookProblem = { readonly fault: BookFault } | { readonly error: unknown };

type ReadBook = Pick<BookState, "book" | "readAt" | "problem">;
const UNREAD: ReadBook = { book: undefined, readAt: undefined, problem: undefined };

/**
 * The order book and trades of the one visible pair. Streamed books are shown over the newest polled one until the next
 * poll; orders are checked against polled books only. Nothing is polled while no book is visible, for an unlisted pair,
 * or from an exchange without order books.
 */
export class BookFeed extends Disposable {
  readonly #options: BookFeedOptions;
  readonly #changed = new Event<void>();
  readonly #overlay: Overlay<BookTarget, BookUpdate>;
  #symbol: string | undefined;
  #state: BookState | undefined;
  /** The newest poll. */
  #read: ReadBook = UNREAD;
  /** The newest streamed book since that poll was requested. */
  #streamed: { readonly book: Book; readonly at: number } | undefined;
  #stop: (() => void) | undefined;

  /** Fires for each update, and when `state` begins or ends. */
  readonly onDidChange = this.#changed.add;

  constructor(options: BookFeedOptions) {
    super();
    this.#options = options;
    const { streamed, timers, log } = options;
    this.#overlay = new Overlay({ name: "book stream", source: streamed, timers, log });
    this.register(
      options.venue.onDidChange(() => this.#follow()),
      // The pair may be listed only now.
      options.tickers.onDidChange(() => !this.#stop && this.#follow()),
      () => this.#end(),
    );
  }

  /** Whether the active exchange offers order books. */
  get isOffered(): boolean {
    const { venue, polled } = this.#options;
    return venue.venue !== undefined && polled.offers(venue.venue);
  }

  /** Undefined while no book is followed. */
  get state(): BookState | undefined {
    return this.#state;
  }

  /** Sets the symbol of the visible book; undefined if none is visible. */
  show(symbol: string | undefined): void {
    if (symbol === this.#symbol) return;
    this.#symbol = symbol;
    this.#follow();
  }

  /** Restarts after a sleep of the computer. */
  restart(): void {
    this.#follow();
  }

  /** The polled book of a pair, to check an order against. Undefined if it is invalid or older than `mostMs`. */
  fresh(symbol: string, mostMs: number): Book | undefined {
    if (this.#state?.symbol !== symbol) return undefined;
    const { book, readAt, problem } = this.#read;
    if (!book || readAt === undefined || problem) return undefined;
    const ageMs = this.#options.timers.now() - readAt;
    // Below zero the clock was set back, so the age is unknown.
    return ageMs >= 0 && ageMs <= mostMs ? book : undefined;
  }

  #follow(): void {
    const { venue, tickers, polled } = this.#options;
    const ticker = this.#symbol === undefined ? undefined : tickers.ticker(this.#symbol);
    const wasFollowed = this.#end();
    if (!ticker || !venue.venue || !this.isOffered) {
      if (wasFollowed) this.#changed.fire();
      return;
    }
    const { symbol, pair } = ticker;
    const target = { venue: venue.venue, named: { symbol, pair } };
    this.#state = { symbol, ...UNREAD, trades: undefined };
    this.#stop = polled.follow(target, (update) => this.#applyReading(update));
    this.#overlay.follow(target, target.venue, (update) => this.#applyStreamed(update));
    this.#changed.fire();
  }

  #end(): boolean {
    const wasFollowed = this.#stop !== undefined;
    this.#stop?.();
    this.#stop = undefined;
    this.#overlay.stop();
    this.#state = undefined;
    this.#read = UNREAD;
    this.#streamed = undefined;
    return wasFollowed;
  }

  #applyReading({ at, depth, trades }: BookUpdate): void {
    if (depth && at >= (this.#read.readAt ?? 0)) {
      this.#read = bookOf(this.#read, depth, at);
      if (this.#isContradicted()) {
        this.#overlay.drop();
        this.#streamed = undefined;
      }
      this.#paintReading(at);
    }
    this.#applyTrades(trades, at);
    this.#changed.fire();
  }

  #applyStreamed({ at, depth, trades }: BookUpdate): void {
    const book = depth && !("error" in depth) ? readBook(depth) : undefined;
    // An invalid streamed book is ignored: the next poll reports what is wrong.
    if (book && typeof book !== "string" && at > (this.#state?.readAt ?? 0)) {
      this.#streamed = { book, at };
      this.#paint({ book, readAt: at, problem: undefined });
    }
    this.#applyTrades(trades, at);
    this.#changed.fire();
  }

  #paintReading(at: number): void {
    const streamed = this.#streamed;
    if (streamed && streamed.at > at) return;
    this.#streamed = undefined;
    const { problem } = this.#read;
    const hasFailed = problem !== undefined && "error" in problem;
    if (!hasFailed) this.#paint(this.#read);
    // While a stream sends books, a failed poll is not shown.
    else if (!streamed) this.#paint({ problem });
  }

  #paint(book: Partial<ReadBook>): void {
    if (this.#state) this.#state = { ...this.#state, ...book };
  }

  #applyTrades(trades: readonly PublicTrade[] | undefined, at: number): void {
    if (this.#state && trades && !isOlder(trades, this.#state.trades, at))
      this.#state = { ...this.#state, trades };
  }

  #isContradicted(): boolean {
    const { book, problem } = this.#read;
    if (!this.#streamed || !book || problem) return false;
    return this.#overlay.isContradicted("book", agree(this.#streamed.book, book));
  }
}

/** Whether the best offers of both sides differ by no more than the tolerance. */
function agree(streamed: Book, read: Book): boolean {
  return (["asks", "bids"] as const).every((side) => {
    const [one, other] = [streamed[side][0]?.price, read[side][0]?.price];
    return one && other ? one.minus(other).abs().lte(other.times(MAX_DISTANCE)) : one === other;
  });
}

/** Compares in seconds, because some sources have no finer times. Trades from the future are not compared with. */
function isOlder(
  trades: readonly PublicTrade[],
  shown: readonly PublicTrade[] | undefined,
  now: number,
): boolean {
  const newestShown = shown?.find(({ at }) => at <= now + MINUTE_MS)?.at;
  if (newestShown === undefined) return false;
  return Math.floor((trades[0]?.at ?? 0) / SECOND_MS) < Math.floor(newestShown / SECOND_MS);
}

/** A failed poll keeps the previous book. An invalid book does not, because the previous one is no longer current. */
function bookOf(before: ReadBook, depth: NonNullable<BookUpdate["depth"]>, at: number): ReadBook {
  if ("error" in depth) return { book: before.book, readAt: before.readAt, problem: depth };
  const read = readBook(depth);
  return typeof read === "string"
    ? { book: undefined, readAt: at, problem: { fault: read } }
    : { book: read, readAt: at, problem: undefined };
}
