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

/** The market as last seen. On failure the last data stay, with the problem beside them. */
export interface MarketState {
  /** Keyed by pair key. */
  readonly tickers: ReadonlyMap<string, Ticker>;
  /** When the newest reading was requested, ms since the epoch: it is not older. Undefined before the first answer. */
  readonly readAt: number | undefined;
  /** Pairs left out of the newest answer because their entry could not be read. */
  readonly unreadable: number;
  /** The error of the newest attempt; undefined without one. */
  readonly problem: unknown;
}

/** A price that a stream sent, and when it arrived, ms since the epoch. */
export interface StreamedPrice {
  readonly ticker: Ticker;
  readonly at: number;
}

/**
 * How important a watched price is to a person. `page`: of a chart or ticket in front. `favourite`: also of a pinned pair. `list`:
 * a row. `alert` and `order`: nobody sees the price, but something waits for it.
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

/** A reading of the market, newer prices from a stream, or the moment at which the market became stale. */
export interface MarketEvent {
  /** What is shown. */
  readonly state: MarketState;
  /** Nothing but streamed prices came since the last event. */
  readonly isStreamed: boolean;
  /** Undefined if neither rows nor staleness changed. */
  readonly change: MarketChange | undefined;
  /** A new reading, with its changes since the one before. */
  readonly reading?: ReadingChange | undefined;
  /** The stream that sent prices has ended. */
  readonly isStreamOver?: boolean;
}

/** The changes of a reading since another one. */
export interface ReadingChange extends TickerChange {
  readonly since: MarketState["tickers"];
}

/** What a source reports of the market. */
export type MarketUpdate =
  | {
      readonly kind: "reading";
      readonly reading: MarketState;
      /** Read by this window. */
      readonly isOwn?: boolean;
      readonly change?: ReadingChange | undefined;
    }
  | { readonly kind: "failure"; readonly problem: unknown }
  | { readonly kind: "prices"; readonly prices: readonly StreamedPrice[] }
  | { readonly kind: "streamOver" };

/** The interval of the paced changes, in ms: the editor paints a list no sooner. */
const PACE_MS = 250;
/** Older prices are always stale, also at long intervals. */
const LONGEST_FRESH_MS = 60_000;
/** The most pairs whose prices are streamed. */
export const MOST_STREAMED = 60;

const EMPTY: MarketState = { tickers: new Map(), readAt: undefined, unreadable: 0, problem: undefined };

export interface TickerFeedOptions {
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  /** The expected interval of readings. */
  readonly intervalMs: number;
  readonly polled: Polled<Venue, MarketUpdate>;
  /** What another window reads for this one. */
  readonly remote?: Source<Venue, MarketUpdate>;
  /** Newer prices between two readings, if there is a port to streams. */
  readonly streamed?: Source<Venue, MarketUpdate> | undefined;
  readonly log?: { warn(message: string): void };
}

/**
 * All tickers of the current venue, read in this window or another one, and their changes. Prices from a stream are painted over
 * those of the newest reading until the next one. Only readings decide anything: whether the market is stale, and what an order
 * is checked against.
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
  /** Whether the rows know that their prices are stale. */
  #reportedStale = false;
  readonly #changes = new Event<MarketEvent>();
  readonly #paced = new Event<MarketEvent>();
  readonly #pace: Collector<string>;
  readonly #watchedChanges = new Event<void>();
  readonly #watches = new Set<Watch>();
  #reading = EMPTY;
  #painted = EMPTY;
  /** Streamed prices that are newer than the newest reading. */
  readonly #streamed = new Map<string, StreamedPrice>();
  /** The pairs that the present connection of the stream has sent a price of. */
  readonly #live = new Set<string>();
  #isDoubtful = false;
  readonly #decimals = new PriceDecimals();
  #stepOf: (pair: Pair) => Decimal | undefined = () => undefined;
  #doubtedAt = Number.NEGATIVE_INFINITY;

  /** Fires for every reading and every batch of streamed prices, and when the market becomes stale without one. */
  readonly onDidChange = this.#changes.add;
  /**
   * The same for lists and other windows. Streamed prices come together: the first ones at once, the next ones at an interval of
   * 250 ms.
   */
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

  /** What is shown: the newest reading, and streamed prices that are newer. */
  get state(): MarketState {
    return this.#painted;
  }

  /** The newest reading alone. An order is checked against nothing else. */
  get reading(): MarketState {
    return this.#reading;
  }

  /** The shown ticker of a pair: by its key, or by a symbol that was kept before, in an exchange's own order and case. */
  ticker(symbol: string): Ticker | undefined {
    return findPair(this.#painted.tickers, symbol);
  }

  /** The ticker of a pair in the newest reading. */
  readTicker(symbol: string): Ticker | undefined {
    return findPair(this.#reading.tickers, symbol);
  }

  /** The decimals of a pair's prices on the open exchange. Prices of the ticker count as observed. */
  placesOf(ticker: Ticker): number {
    return this.#decimals.of(ticker, this.#stepOf(ticker.pair));
  }

  /** From now on, prices have no more decimals than the step that the exchange states for a pair. */
  setPriceSteps(stepOf: (pair: Pair) => Decimal | undefined): void {
    this.#stepOf = stepOf;
  }

  /** Whether prices are visible in this window. */
  get isWatched(): boolean {
    return [...this.#watches].some(({ rank }) => rank !== "alert" && rank !== "order");
  }

  /** The symbols whose prices this window wants streamed, the most important ones first. */
  get watched(): readonly string[] {
    const byRank = ranks.flatMap((rank) => [...this.#watches].filter((watch) => watch.rank === rank));
    const symbols = new Set(byRank.flatMap((watch) => watch.symbols));
    // A page from an earlier session may name anything. Other windows refuse what is no symbol.
    return [...symbols].filter((symbol) => symbolPattern.test(symbol)).slice(0, MOST_STREAMED);
  }

  /**
   * Call this when prices become visible, and the returned function when they are hidden. Visible prices are read; those of
   * `symbols` are streamed too, if there is a stream.
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
   * Time since the newest reading was requested, in ms. Undefined before the first answer, below zero after the clock
   * was set back.
   */
  get ageMs(): number | undefined {
    const { readAt } = this.#reading;
    return readAt === undefined ? undefined : this.#timers.now() - readAt;
  }

  /** The expected interval of readings, in ms. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  /**
   * Stale: the newest attempt failed, the data are in doubt, or they are older than two rounds and ten seconds, or
   * older than a minute.
   */
  get isStale(): boolean {
    const { ageMs } = this;
    if (ageMs === undefined) return false;
    return this.#isKnownStale || ageMs > this.#longestFreshMs;
  }

  /** Whether a pair's shown price is stale: the market is, and no stream sends this pair. */
  isStaleOf(symbol: string): boolean {
    return this.isStale && !this.#live.has(symbol);
  }

  /** When a pair's shown price arrived or was requested, ms since the epoch. Undefined before the first answer. */
  pricedAt(symbol: string): number | undefined {
    return this.#streamed.get(symbol)?.at ?? this.#reading.readAt;
  }

  /** The streamed price that is shown of a pair; undefined if the newest reading is shown. */
  streamedPrice(symbol: string): StreamedPrice | undefined {
    return this.#streamed.get(symbol);
  }

  /** The time of the newest shown price, ms since the epoch. Undefined before the first answer. */
  get newestAt(): number | undefined {
    const times = Array.from(this.#streamed.values(), ({ at }) => at);
    const { readAt } = this.#reading;
    return readAt === undefined ? undefined : Math.max(readAt, ...times);
  }

  /** Whether the age of the data is within the interval of the readings. */
  get isOnTime(): boolean {
    const { ageMs } = this;
    return ageMs !== undefined && !this.#isKnownStale && ageMs <= this.#longestOnTimeMs;
  }

  /** Sets the expected interval of readings. Much older data are stale. */
  expectEvery(ms: number): void {
    if (ms === this.#intervalMs) return;
    this.#intervalMs = ms;
    this.#watchAge();
  }

  get #isKnownStale(): boolean {
    return this.#isDoubtful || this.#reading.problem !== undefined;
  }

  /** Marks all data as stale, and any answer that is still to come, because the computer slept. */
  doubt(): void {
    this.#doubtedAt = this.#timers.now();
    this.#isDoubtful = this.#reading.readAt !== undefined;
    this.#live.clear();
    this.#watchAge();
  }

  /** Reads now, in the window that reads for this one. Resolves when that was answered or given up. */
  refresh(): Promise<void> {
    return this.polled.refresh();
  }

  /** Begins anew: another exchange. */
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
   * Takes a reading of the current venue, from this window or another one, or the failure of a reading. Data are in
   * doubt if they were requested before the last doubt, or, after the clock was set, if their time is in the future.
   * Data that are older than the newest ones are left out: of two windows that read, either may be the later one.
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

  /** Paints streamed prices over the newest reading, if they arrived after its request. Pairs that are not listed are left out. */
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
   * The stream ended. What it sent stays until the next reading, but is as stale as the market. `isWrong`: the newest reading is shown
   * again at once.
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

  /** Compares what was streamed since the reading before with a new one. */
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

  /** The newest reading replaces what was streamed before its request. After the clock was set back, also what was streamed before that. */
  #forgetOlder(): readonly string[] {
    const { tickers, readAt } = this.#reading;
    const now = this.#timers.now();
    const older = Array.from(this.#streamed).flatMap(([symbol, { at }]) =>
      at <= (readAt ?? now) || at > now || !tickers.has(symbol) ? symbol : [],
    );
    for (const symbol of older) this.#streamed.delete(symbol);
    return older;
  }

  /** Puts together what is shown, after a reading and the end of some streamed prices. Returns what has changed on it. */
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

  /** `news` is undefined for nothing but streamed prices. */
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

  /** Data become stale without a reading, because no prices are requested in a window that the person left. */
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
 * Whether data are older than the shown ones, by the times of their requests. A shown time in the future counts as unknown. Data
 * from the future were requested before the clock was set back, so they are not newer than shown ones of the past.
 */
export function isOlderThan(shownAt: number | undefined, readAt: number | undefined, now: number): boolean {
  if (shownAt === undefined || shownAt > now) return false;
  return readAt === undefined || readAt < shownAt || readAt > now;
}
