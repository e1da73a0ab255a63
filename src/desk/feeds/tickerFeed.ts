import { PriceDecimals } from "../../market/numbers/priceDecimals.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import { findPair, symbolPattern, type Pair } from "../../market/pair.ts";
import { compareTickers, sameTicker, type Ticker, type TickerChange } from "../../market/ticker.ts";
import { Collector } from "../collector.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { Timers } from "../time/timers.ts";
import type { CurrentVenue, Venue } from "../venue.ts";
import { Overlay, TOLERANCE } from "./overlay.ts";
import type { Polled } from "./polled.ts";
import type { Source } from "./source.ts";

/** The last known market. A failure keeps the data and sets `problem`. */
export interface MarketState {
  /** Keyed by pair key. */
  readonly tickers: ReadonlyMap<string, Ticker>;
  /** When the newest poll was requested, ms since the epoch. Undefined before the first response. */
  readonly readAt: number | undefined;
  /** Number of unreadable entries in the newest response. */
  readonly unreadable: number;
  /** The error of the newest poll; undefined if it succeeded. */
  readonly problem: unknown;
}

/** A streamed price, and when it arrived, ms since the epoch. */
export interface StreamedPrice {
  readonly ticker: Ticker;
  readonly at: number;
}

/**
 * Priority of a watched price. `page`: in a chart or ticket in front. `favourite`: also a pinned pair. `list`: in a
 * row. `alert` and `order`: not visible, but needed.
 */
const ranks = ["page", "favourite", "alert", "order", "list"] as const;
export type WatchRank = (typeof ranks)[number];

interface Watch {
  readonly rank: WatchRank;
  readonly symbols: readonly string[];
}

/** The changes of the market. */
export interface MarketChange extends TickerChange {
  /** The market became stale or fresh. */
  readonly staleChanged: boolean;
}

/** A poll of the market, newer streamed prices, or the market became stale. */
export interface MarketEvent {
  /** What is shown. */
  readonly state: MarketState;
  /** Only streamed prices changed since the last event. */
  readonly isStreamed: boolean;
  /** Undefined if neither rows nor staleness changed. */
  readonly change: MarketChange | undefined;
  /** The changes of a new poll since the previous one. */
  readonly reading?: ReadingChange | undefined;
  /** The stream that sent prices has ended. */
  readonly isStreamOver?: boolean;
}

/** The changes of a poll since another one. */
export interface ReadingChange extends TickerChange {
  readonly since: MarketState["tickers"];
}

/** An update from a source of market data. */
export type MarketUpdate =
  | {
      readonly kind: "reading";
      readonly reading: MarketState;
      /** Polled by this window. */
      readonly isOwn?: boolean;
      readonly change?: ReadingChange | undefined;
    }
  | { readonly kind: "failure"; readonly problem: unknown }
  | { readonly kind: "prices"; readonly prices: readonly StreamedPrice[] }
  | { readonly kind: "streamOver" };

/** Interval of paced changes, ms: the editor does not repaint lists more often. */
const PACE_MS = 250;
/** Older prices are stale at any poll interval. */
const LONGEST_FRESH_MS = 60_000;
/** Maximum number of streamed pairs. */
export const MOST_STREAMED = 60;

const EMPTY: MarketState = { tickers: new Map(), readAt: undefined, unreadable: 0, problem: undefined };

export interface TickerFeedOptions {
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  /** The expected poll interval. */
  readonly intervalMs: number;
  readonly polled: Polled<Venue, MarketUpdate>;
  /** The polls of another window for this one. */
  readonly remote?: Source<Venue, MarketUpdate>;
  /** Newer prices between two polls, if streams are available. */
  readonly streamed?: Source<Venue, MarketUpdate> | undefined;
  readonly log?: { warn(message: string): void };
}

/**
 * All tickers of the current venue, polled by this window or another one, and their changes. Streamed prices are shown
 * over the newest poll until the next one. Only polls decide whether the market is stale, and what an order is checked
 * against.
 */
export class TickerFeed extends Disposable {
  /** The requests of this window. */
  readonly polled: Polled<Venue, MarketUpdate>;
  readonly #options: TickerFeedOptions;
  readonly #timers: Timers;
  readonly #overlay: Overlay<Venue, MarketUpdate>;
  #stops: readonly (() => void)[] = [];
  #intervalMs: number;
  #cancelAging: (() => void) | undefined;
  /** The staleness last reported to listeners. */
  #reportedStale = false;
  readonly #changes = new Event<MarketEvent>();
  readonly #paced = new Event<MarketEvent>();
  readonly #pace: Collector<string>;
  readonly #watchedChanges = new Event<void>();
  readonly #watches = new Set<Watch>();
  #reading = EMPTY;
  #painted = EMPTY;
  /** Streamed prices newer than the newest poll. */
  readonly #streamed = new Map<string, StreamedPrice>();
  /** Pairs with a price from the current connection. */
  readonly #live = new Set<string>();
  #isDoubtful = false;
  readonly #decimals = new PriceDecimals();
  #stepOf: (pair: Pair) => Decimal | undefined = () => undefined;
  #doubtedAt = Number.NEGATIVE_INFINITY;

  /** Fires for every poll and every batch of streamed prices, and when the market becomes stale without one. */
  readonly onDidChange = this.#changes.add;
  /** The same, with streamed prices throttled to one event per 250 ms, for lists and other windows. */
  readonly onDidChangePaced: Event<MarketEvent>["add"];
  /** Fires when `isWatched` or `watched` may have changed. */
  readonly onDidChangeWatched = this.#watchedChanges.add;

  constructor(options: TickerFeedOptions) {
    super();
    this.#options = options;
    const { venue, timers, streamed, log } = options;
    this.polled = this.register(options.polled);
    this.#timers = timers;
    this.#intervalMs = options.intervalMs;
    this.onDidChangePaced = this.#paced.add;
    this.#pace = new Collector({
      timers,
      everyMs: () => PACE_MS,
      deliver: (symbols) => this.#firePaced(symbols, undefined),
    });
    this.#overlay = new Overlay({ name: "ticker stream", source: streamed, timers, log });
    this.register(
      venue.onDidChange(() => this.clear()),
      () => this.#stopSources(),
      this.#pace,
      () => this.#cancelAging?.(),
    );
    this.#follow();
  }

  /** The shown market: the newest poll, overlaid with newer streamed prices. */
  get state(): MarketState {
    return this.#painted;
  }

  /** The newest poll alone. Orders are checked against nothing else. */
  get reading(): MarketState {
    return this.#reading;
  }

  /** The shown ticker of a pair, by its key or by a stored symbol in another order or case. */
  ticker(symbol: string): Ticker | undefined {
    return findPair(this.#painted.tickers, symbol);
  }

  /** The ticker of a pair in the newest poll. */
  readTicker(symbol: string): Ticker | undefined {
    return findPair(this.#reading.tickers, symbol);
  }

  /** The decimals of a pair's prices on the open exchange. Prices of the ticker count as observed. */
  placesOf(ticker: Ticker): number {
    return this.#decimals.of(ticker, this.#stepOf(ticker.pair));
  }

  /** Sets the source of price steps: prices have no more decimals than the step of their pair. */
  setPriceSteps(stepOf: (pair: Pair) => Decimal | undefined): void {
    this.#stepOf = stepOf;
  }

  /** Whether prices are visible in this window. */
  get isWatched(): boolean {
    return [...this.#watches].some(({ rank }) => rank !== "alert" && rank !== "order");
  }

  /** Symbols to stream for this window, the most important ones first. */
  get watched(): readonly string[] {
    const byRank = ranks.flatMap((rank) => [...this.#watches].filter((watch) => watch.rank === rank));
    const symbols = new Set(byRank.flatMap((watch) => watch.symbols));
    // A restored page may contain anything, and other windows reject invalid symbols.
    return [...symbols].filter((symbol) => symbolPattern.test(symbol)).slice(0, MOST_STREAMED);
  }

  /**
   * Call when prices become visible, and the returned function when they are hidden. Visible prices are polled; those
   * of `symbols` are also streamed, if possible.
   */
  watch(symbols: readonly string[] = [], rank: WatchRank = "list"): () => void {
    const watch = { rank, symbols };
    this.#watches.add(watch);
    this.#watchedChanges.fire();
    return () => {
      if (this.#watches.delete(watch)) this.#watchedChanges.fire();
    };
  }

  /**
   * Time since the newest poll was requested, in ms. Undefined before the first response, negative after the clock was
   * set back.
   */
  get ageMs(): number | undefined {
    const { readAt } = this.#reading;
    return readAt === undefined ? undefined : this.#timers.now() - readAt;
  }

  /** The expected poll interval, in ms. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  /**
   * Whether the newest poll failed, the data are in doubt, or they are older than a minute or than two intervals and
   * ten seconds.
   */
  get isStale(): boolean {
    const { ageMs } = this;
    if (ageMs === undefined) return false;
    return this.#isKnownStale || ageMs > this.#longestFreshMs;
  }

  /** Whether a pair's shown price is stale: the market is, and this pair is not streamed. */
  isStaleOf(symbol: string): boolean {
    return this.isStale && !this.#live.has(symbol);
  }

  /** When a pair's shown price arrived or was requested, ms since the epoch. Undefined before the first response. */
  pricedAt(symbol: string): number | undefined {
    return this.#streamed.get(symbol)?.at ?? this.#reading.readAt;
  }

  /** The shown streamed price of a pair; undefined if the polled price is shown. */
  streamedPrice(symbol: string): StreamedPrice | undefined {
    return this.#streamed.get(symbol);
  }

  /** The time of the newest shown price, ms since the epoch. Undefined before the first response. */
  get newestAt(): number | undefined {
    const times = Array.from(this.#streamed.values(), ({ at }) => at);
    const { readAt } = this.#reading;
    return readAt === undefined ? undefined : Math.max(readAt, ...times);
  }

  /** Whether the age of the data is within the poll interval. */
  get isOnTime(): boolean {
    const { ageMs } = this;
    return ageMs !== undefined && !this.#isKnownStale && ageMs <= this.#longestOnTimeMs;
  }

  /** Sets the expected poll interval. Much older data are stale. */
  expectEvery(ms: number): void {
    if (ms === this.#intervalMs) return;
    this.#intervalMs = ms;
    this.#watchAge();
  }

  get #isKnownStale(): boolean {
    return this.#isDoubtful || this.#reading.problem !== undefined;
  }

  /** Call after a sleep: marks all data, and the response to any earlier request, as stale. */
  doubt(): void {
    this.#doubtedAt = this.#timers.now();
    this.#isDoubtful = this.#reading.readAt !== undefined;
    this.#live.clear();
    this.#watchAge();
  }

  /** Polls now, in the window that polls for this one. Resolves after the response or a timeout. */
  refresh(): Promise<void> {
    return this.polled.refresh();
  }

  /** Resets for another exchange. */
  clear(): void {
    const had = this.#painted.tickers.size > 0;
    this.#stopSources();
    this.#reading = this.#painted = EMPTY;
    this.#streamed.clear();
    this.#live.clear();
    this.#decimals.clear();
    this.#isDoubtful = false;
    this.#reportedStale = false;
    this.#watchAge();
    this.#fire(had ? { changed: [], rowsChanged: true, staleChanged: true } : undefined);
    this.#follow();
  }

  #follow(): void {
    const { venue } = this.#options.venue;
    if (!venue) return;
    const report = (update: MarketUpdate): void => this.#apply(update);
    this.#stops = [this.polled, this.#options.remote].flatMap(
      (source) => source?.follow(venue, report) ?? [],
    );
    this.#overlay.follow(venue, venue, report);
  }

  #stopSources(): void {
    this.#overlay.stop();
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  #apply(update: MarketUpdate): void {
    switch (update.kind) {
      case "reading":
        if (update.isOwn) this.#checkStream(update.reading);
        return this.adopt(update.reading, update.change);
      case "failure":
        return this.adopt({ ...this.#reading, problem: update.problem });
      case "prices":
        return this.overlay(update.prices);
      case "streamOver":
        return this.endOverlay();
    }
  }

  /**
   * Applies a poll of the current venue, successful or failed, by this window or another one. Data are in doubt if they
   * were requested before the last `doubt`, or if their time is in the future after the clock was set. Data older than
   * the newest ones are ignored, because polls of two windows may arrive in any order.
   */
  adopt(reading: MarketState, known?: ReadingChange): void {
    const before = this.#reading;
    const isOlder = isOlderThan(before.readAt, reading.readAt, this.#timers.now());
    if (isOlder && reading.problem === undefined) return;
    this.#reading = isOlder ? { ...before, problem: reading.problem } : reading;
    const { tickers } = this.#reading;
    const isSame = tickers === before.tickers;
    if (!isSame || reading.problem === undefined) this.#isDoubtful = !this.#isSinceDoubt(reading.readAt);
    const read = known?.since === before.tickers ? known : compareTickers(before.tickers, tickers);
    const change = this.#paint(read, isSame ? [] : this.#forgetOlder());
    const staleChanged = this.isStale !== this.#reportedStale;
    this.#reportedStale = this.isStale;
    this.#watchAge();
    const isChanged = staleChanged || change.rowsChanged || change.changed.length > 0;
    this.#fire(isChanged ? { ...change, staleChanged } : undefined, {
      reading: { ...read, since: before.tickers },
    });
  }

  /** Overlays streamed prices that arrived after the request of the newest poll. Unlisted pairs are ignored. */
  overlay(prices: Iterable<StreamedPrice>): void {
    const now = this.#timers.now();
    const { readAt = Number.POSITIVE_INFINITY } = this.#reading;
    const tickers = new Map(this.#painted.tickers);
    const changed: string[] = [];
    for (const price of prices) {
      const { ticker, at } = price;
      const { symbol } = ticker;
      const painted = tickers.get(symbol);
      if (!painted || at > now) continue;
      this.#live.add(symbol);
      if (at <= readAt || at < (this.#streamed.get(symbol)?.at ?? 0)) continue;
      this.#streamed.set(symbol, price);
      if (sameTicker(painted, ticker)) continue;
      tickers.set(symbol, ticker);
      changed.push(symbol);
    }
    if (changed.length === 0) return;
    this.#painted = { ...this.#painted, tickers };
    this.#fireStreamed(changed);
  }

  /**
   * Call when the stream ended. Its prices stay until the next poll, but are as stale as the market. `isWrong`: the
   * polled prices are shown again at once.
   */
  endOverlay(isWrong = false): void {
    const isStreamOver = this.#live.size > 0;
    this.#live.clear();
    const dropped = isWrong ? [...this.#streamed.keys()] : [];
    if (isWrong) this.#streamed.clear();
    const change = this.#paint({ changed: [], rowsChanged: false }, dropped);
    const staleChanged = isStreamOver && this.isStale;
    const isChanged = staleChanged || change.changed.length > 0;
    if (isStreamOver || isChanged)
      this.#fire(isChanged ? { ...change, staleChanged } : undefined, { isStreamOver });
  }

  /** Compares the prices streamed since the previous poll with a new one. */
  #checkStream({ tickers, readAt }: MarketState): void {
    if (readAt === undefined) return;
    const wrong = Array.from(this.#streamed).filter(([symbol, { ticker }]) => {
      const read = tickers.get(symbol);
      return read && this.#overlay.isContradicted(symbol, agree(ticker, read));
    });
    if (wrong.length === 0) return;
    this.#overlay.drop(` (${wrong.length} pairs)`);
    this.endOverlay(true);
  }

  /**
   * Drops prices streamed before the newest poll was requested or before the clock was set back. Returns their symbols.
   */
  #forgetOlder(): readonly string[] {
    const { tickers, readAt } = this.#reading;
    const now = this.#timers.now();
    const older = Array.from(this.#streamed).flatMap(([symbol, { at }]) =>
      at <= (readAt ?? now) || at > now || !tickers.has(symbol) ? symbol : [],
    );
    for (const symbol of older) this.#streamed.delete(symbol);
    return older;
  }

  /** Combines the newest poll and the streamed prices. Returns what has changed in the shown market. */
  #paint({ changed, rowsChanged }: TickerChange, dropped: readonly string[]): TickerChange {
    const before = this.#painted.tickers;
    const tickers = new Map(this.#reading.tickers);
    for (const [symbol, { ticker }] of this.#streamed) tickers.set(symbol, ticker);
    this.#painted = { ...this.#reading, tickers };
    const repainted = [...new Set([...changed, ...dropped])].filter((symbol) => {
      const [old, ticker] = [before.get(symbol), tickers.get(symbol)];
      return old && ticker && old !== ticker && !sameTicker(old, ticker);
    });
    return { changed: repainted, rowsChanged };
  }

  #fire(change: MarketChange | undefined, news: Pick<MarketEvent, "reading" | "isStreamOver"> = {}): void {
    this.#changes.fire({ state: this.#painted, change, isStreamed: false, ...news });
    this.#firePaced(this.#pace.drain(), change, news);
  }

  #fireStreamed(changed: readonly string[]): void {
    const change = { changed, rowsChanged: false, staleChanged: false };
    this.#changes.fire({ state: this.#painted, change, isStreamed: true });
    this.#pace.add(changed);
  }

  /** `news` is undefined if only streamed prices changed. */
  #firePaced(
    streamed: ReadonlySet<string>,
    change: MarketChange | undefined,
    news?: Pick<MarketEvent, "reading" | "isStreamOver">,
  ): void {
    const changed = [...new Set([...streamed, ...(change?.changed ?? [])])];
    const isSame = changed.length === 0 && !change;
    this.#paced.fire({
      state: this.#painted,
      isStreamed: !news,
      ...news,
      change: isSame ? undefined : { rowsChanged: false, staleChanged: false, ...change, changed },
    });
  }

  #isSinceDoubt(readAt: number | undefined): boolean {
    return readAt === undefined || (readAt >= this.#doubtedAt && readAt <= this.#timers.now());
  }

  get #longestOnTimeMs(): number {
    return 2 * this.#intervalMs + 10_000;
  }

  get #longestFreshMs(): number {
    return Math.min(LONGEST_FRESH_MS, this.#longestOnTimeMs);
  }

  /** Reports when data become stale without a poll: a window that the user left does not poll. */
  #watchAge(): void {
    this.#cancelAging?.();
    this.#cancelAging = undefined;
    const { ageMs, isStale } = this;
    if (isStale !== this.#reportedStale) {
      this.#reportedStale = isStale;
      this.#fire({ changed: [], rowsChanged: false, staleChanged: true });
    }
    if (ageMs === undefined || isStale) return;
    this.#cancelAging = this.#timers.after(this.#longestFreshMs + 1 - ageMs, () => this.#watchAge());
  }
}

function agree(streamed: Ticker, read: Ticker): boolean {
  if (streamed.frozen !== read.frozen) return false;
  if (streamed.last === undefined || read.last === undefined) return streamed.last === read.last;
  return Math.abs(streamed.last - read.last) <= TOLERANCE * read.last;
}

/**
 * Whether data are older than the shown ones, by the times of their requests. A shown time in the future counts as
 * unknown. Data from the future were requested before the clock was set back, so they count as older.
 */
export function isOlderThan(shownAt: number | undefined, readAt: number | undefined, now: number): boolean {
  if (shownAt === undefined || shownAt > now) return false;
  return readAt === undefined || readAt < shownAt || readAt > now;
}
