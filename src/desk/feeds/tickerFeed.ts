import type { ReadGate } from "../../exchange/readRetry.ts";
import { NotSentError, retryTime } from "../../exchange/errors.ts";
import { PriceDecimals } from "../../market/numbers/priceDecimals.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import { findPair, type Pair } from "../../market/pair.ts";
import { compareTickers, type Ticker, type TickerChange } from "../../market/ticker.ts";
import { Collector } from "../collector.ts";
import { Event } from "../event.ts";
import type { Timers } from "../time/timers.ts";
import { sameVenue, type CurrentVenue } from "../venue.ts";
import { Poll, type PollResult } from "./poll.ts";

/** The market as last seen. On failure the last data stay, with the problem beside them. */
export interface MarketState {
  /** Keyed by pair key. */
  readonly tickers: ReadonlyMap<string, Ticker>;
  /**
   * When the shown data were requested, ms since the epoch. They are not older. Undefined before the first answer. Of prices
   * from a stream: the oldest arrival.
   */
  readonly readAt: number | undefined;
  /** Pairs left out of the newest answer because their entry could not be read. */
  readonly unreadable: number;
  /** The error of the newest attempt; undefined without one. */
  readonly problem: unknown;
  /** When the newest price of a stream that has ended arrived: `readAt` is before it, so that the prices count as stale. */
  readonly heardAt?: number | undefined;
  /** Present while prices come from a stream that is proven to be right. */
  readonly live?: LiveTimes | undefined;
}

/** The times of prices from a stream, ms since the epoch. */
interface LiveTimes {
  /** When the newest price arrived. */
  readonly at: number;
  /** The pairs whose price is older than `readAt`, by symbol: when it arrived or was requested. */
  readonly quiet: ReadonlyMap<string, number>;
}

/**
 * What becomes of the readings of this window while a stream runs: it proves the stream, and gets the newer prices of the stream
 * in. Undefined: the result is not shown.
 */
export interface ReadingFilter {
  /** A reading begins. Called before its request. */
  readonly begins: () => void;
  readonly taken: (reading: MarketState & { readonly readAt: number }) => MarketState;
  readonly failed: (state: MarketState) => MarketState | undefined;
}

/** The changes of the market. */
export interface MarketChange extends TickerChange {
  /** The market became stale or fresh. */
  readonly staleChanged: boolean;
}

/** A reading of the market, or the moment at which it became stale. */
export interface MarketEvent {
  readonly state: MarketState;
  /** Undefined if neither rows nor staleness changed. */
  readonly change: MarketChange | undefined;
}

/** The interval of the paced changes, in ms: the editor paints a list no sooner. */
export const PACE_MS = 250;
/** Older prices are always stale, also at long intervals. */
export const LONGEST_FRESH_MS = 60_000;

const EMPTY: MarketState = { tickers: new Map(), readAt: undefined, unreadable: 0, problem: undefined };

export interface FeedOptions {
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  /** 0 (inclusive) to 1, for the jitter. */
  readonly random: () => number;
  /** The expected interval of readings. */
  readonly intervalMs: number;
  /**
   * Called right before each request, once. False if this window must not send it: of several windows one asks, and
   * the others adopt its readings.
   */
  readonly begin?: () => boolean;
  /** Called right before the first byte of each request. False if another window has taken over since `begin`. */
  readonly mayStillRead?: () => boolean;
}

/** A read of a feed, which is one request, or more if it fails. */
interface FeedRead {
  /** When its newest request was sent, ms since the epoch. Its answer is not older. */
  readonly readAt: number;
  /** The client's questions during the read. */
  readonly gate: ReadGate;
}

/** Begins a read. Between its begin and its request, a keyring may wait for the person, or a first request may fail. */
export function beginFeedRead({ begin, mayStillRead, timers }: FeedOptions): FeedRead {
  const read = {
    readAt: timers.now(),
    gate: {
      ...(begin && { beginAgain: begin }),
      mayStillGo: () => {
        read.readAt = timers.now();
        return mayStillRead?.() ?? true;
      },
    },
  };
  return read;
}

/** Whether a read was not sent because another window has taken over. That window's reading is adopted instead. */
export function isTakenOver(problem: unknown): boolean {
  return problem instanceof NotSentError && problem.reason === "tooLate";
}

/** All tickers of the current venue, read in this window or another one, and their changes. */
export class TickerFeed {
  readonly poll: Poll;
  readonly #options: FeedOptions;
  readonly #venue: CurrentVenue;
  readonly #timers: Timers;
  #intervalMs: number;
  #cancelAging: (() => void) | undefined;
  /** Whether the rows know that their prices are stale. */
  #toldStale = false;
  readonly #changes = new Event<MarketEvent>();
  readonly #paced = new Event<MarketEvent>();
  readonly #pace: Collector<string>;
  /** The times of a stream that went on without a change of any row: these must not hold back the next change. */
  readonly #times: Collector<"times">;
  readonly #watchedChanges = new Event<void>();
  #watchers = 0;
  #closeWatchers = 0;
  #state = EMPTY;
  #filter: ReadingFilter | undefined;
  /** Pairs that are shown as stale although the market is not. */
  #toldQuiet: ReadonlySet<string> = new Set();
  #isDoubtful = false;
  #doubts = 0;
  readonly #decimals = new PriceDecimals();
  #stepOf: (pair: Pair) => Decimal | undefined = () => undefined;
  #doubtedAt = Number.NEGATIVE_INFINITY;

  /** Fires once for every reading, and when the market becomes stale without one. */
  readonly onDidChange = this.#changes.add;
  /**
   * The same for lists and other windows. The changes of a stream come together: the first ones at once, the next ones at an
   * interval of 250 ms.
   */
  readonly onDidChangePaced: Event<MarketEvent>["add"];
  /** Fires when the first watcher comes, or the last one has left. */
  readonly onDidChangeWatched = this.#watchedChanges.add;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#venue = options.venue;
    this.#timers = options.timers;
    this.#intervalMs = options.intervalMs;
    this.poll = new Poll({ ...options, run: () => this.#read() });
    this.onDidChangePaced = this.#paced.add;
    const pacing = { timers: options.timers, everyMs: () => PACE_MS };
    this.#pace = new Collector({ ...pacing, deliver: (symbols) => this.#firePaced(symbols) });
    this.#times = new Collector({ ...pacing, deliver: () => this.#firePaced(new Set()) });
  }

  get state(): MarketState {
    return this.#state;
  }

  /** The ticker of a pair: by its key, or by a symbol that was kept before, in an exchange's own order and case. */
  ticker(symbol: string): Ticker | undefined {
    return findPair(this.#state.tickers, symbol);
  }

  /** The decimals of a pair's prices on the open exchange. Prices of the ticker count as observed. */
  placesOf(ticker: Ticker): number {
    return this.#decimals.of(ticker, this.#stepOf(ticker.pair));
  }

  /** From now on, prices have no more decimals than the step that the exchange states for a pair. */
  takeSteps(stepOf: (pair: Pair) => Decimal | undefined): void {
    this.#stepOf = stepOf;
  }

  /** Whether prices are visible in this window. */
  get isWatched(): boolean {
    return this.#watchers > 0;
  }

  /** Whether prices are visible in this window that follow a stream faster than a list. */
  get isWatchedClosely(): boolean {
    return this.#closeWatchers > 0;
  }

  /**
   * Call this when prices become visible, and the returned function when they are hidden. Visible prices are read. `isClose`: they
   * follow a stream faster than a list.
   */
  watch(isClose = false): () => void {
    this.#watchers += 1;
    if (isClose) this.#closeWatchers += 1;
    if (this.#watchers === 1) this.#watchedChanges.fire();
    let watching = true;
    return () => {
      if (!watching) return;
      watching = false;
      this.#watchers -= 1;
      if (isClose) this.#closeWatchers -= 1;
      if (this.#watchers === 0) this.#watchedChanges.fire();
    };
  }

  /**
   * Time since the shown data were requested, in ms. Undefined before the first answer, below zero after the clock
   * was set back.
   */
  get ageMs(): number | undefined {
    const { readAt } = this.#state;
    return readAt === undefined ? undefined : this.#timers.now() - readAt;
  }

  /** The time since the newest shown price arrived, in ms, for the words about old prices. */
  get shownAgeMs(): number | undefined {
    const { live, heardAt, readAt } = this.#state;
    const at = live?.at ?? heardAt ?? readAt;
    return at === undefined ? undefined : this.#timers.now() - at;
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

  /** The age of a pair's price in ms: of a stream, that of this pair. */
  ageOf(symbol: string): number | undefined {
    const at = this.#state.live?.quiet.get(symbol);
    return at === undefined ? this.ageMs : this.#timers.now() - at;
  }

  /** Whether a pair's price is stale: the market is, or its stream sent nothing of this pair for as long. */
  isStaleOf(symbol: string): boolean {
    return this.isStale || (this.ageOf(symbol) ?? 0) > this.#longestFreshMs;
  }

  /** The time of the newest price, ms since the epoch. Undefined before the first answer. */
  get newestAt(): number | undefined {
    return this.#state.live?.at ?? this.#state.readAt;
  }

  /** From now on each reading of this window passes the filter. */
  filterReadings(filter: ReadingFilter): void {
    this.#filter = filter;
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
    return this.#isDoubtful || this.#state.problem !== undefined;
  }

  /** Marks all data as stale, and any answer that is still to come, because the computer slept. */
  doubt(): void {
    this.#doubts += 1;
    this.#doubtedAt = this.#timers.now();
    this.#isDoubtful = this.#state.readAt !== undefined;
    this.#watchAge();
  }

  /** Forgets the market, because the venue has changed. */
  clear(): void {
    const had = this.#state.tickers.size > 0;
    this.#state = EMPTY;
    this.#decimals.clear();
    this.#isDoubtful = false;
    this.#toldStale = false;
    this.#toldQuiet = new Set();
    this.#watchAge();
    this.#fire(had ? { changed: [], rowsChanged: true, staleChanged: true } : undefined);
  }

  /**
   * Takes a reading of the current venue, from this window or another one, or the failure of a reading. Data are in
   * doubt if they were requested before the last doubt, or, after the clock was set, if their time is in the future.
   * Data that are older than the shown ones are left out: of two windows that read, either may be the later one. After a
   * stream that is not believed any more, the reading is what is left. `isPaced`: such states already come at the interval of lists, so
   * lists are told of this one at once.
   */
  adopt(state: MarketState, isDoubtful = !this.#isSinceDoubt(state.readAt), isPaced = false): void {
    const isStreamOver = this.#state.live !== undefined && state.live === undefined;
    const isOlder = !isStreamOver && isOlderThan(this.#state.readAt, state.readAt, this.#timers.now());
    if (isOlder && state.problem === undefined) return;
    const compared = compareTickers(this.#state.tickers, isOlder ? this.#state.tickers : state.tickers);
    this.#state = isOlder ? { ...this.#state, problem: state.problem } : state;
    this.#isDoubtful = isDoubtful;
    const change = this.#withQuiet(compared);
    const staleChanged = this.isStale !== this.#toldStale;
    this.#toldStale = this.isStale;
    this.#watchAge();
    const isChanged = staleChanged || change.rowsChanged || change.changed.length > 0;
    this.#fire(isChanged ? { ...change, staleChanged } : undefined, isPaced);
  }

  dispose(): void {
    this.poll.dispose();
    this.#pace.dispose();
    this.#times.dispose();
    this.#cancelAging?.();
  }

  async #read(): Promise<PollResult> {
    const venue = this.#venue.venue;
    if (!venue) return { ok: true };
    this.#filter?.begins();
    const [read, doubts] = [beginFeedRead(this.#options), this.#doubts];
    try {
      const { tickers, unreadable } = await this.#venue.read(venue, (client) => client.tickers(read.gate));
      if (!sameVenue(venue, this.#venue.venue)) return { ok: true };
      const reading = { tickers, unreadable, readAt: read.readAt, problem: undefined };
      this.adopt(this.#filter?.taken(reading) ?? reading, doubts !== this.#doubts);
      return { ok: true };
    } catch (problem) {
      if (isTakenOver(problem) || !sameVenue(venue, this.#venue.venue)) return { ok: true };
      const failed = { ...this.#state, problem };
      const shown = this.#filter ? this.#filter.failed(failed) : failed;
      if (shown) this.adopt(shown, this.#isDoubtful);
      return { ok: false, retryAt: retryTime(problem) };
    }
  }

  /** Adds the pairs whose own price became stale or fresh. */
  #withQuiet(change: TickerChange): TickerChange {
    const { live } = this.#state;
    if (!live && this.#toldQuiet.size === 0) return change;
    const now = this.#timers.now();
    const quiet = new Set<string>();
    for (const [symbol, at] of live?.quiet ?? []) if (now - at > this.#longestFreshMs) quiet.add(symbol);
    const told = this.#toldQuiet;
    const others = [...quiet, ...told].filter((symbol) => quiet.has(symbol) !== told.has(symbol));
    this.#toldQuiet = quiet;
    return others.length === 0
      ? change
      : { ...change, changed: [...new Set([...change.changed, ...others])] };
  }

  #fire(change: MarketChange | undefined, isPaced = false): void {
    const event = { state: this.#state, change };
    const isTick = !isPaced && this.#state.live && !change?.rowsChanged && !change?.staleChanged;
    this.#changes.fire(event);
    if (!isTick) this.#firePaced(this.#pace.take(), change);
    else if (change) this.#pace.add(change.changed);
    else this.#times.add(["times"]);
  }

  #firePaced(ticks: ReadonlySet<string>, change?: MarketChange): void {
    const changed = [...new Set([...ticks, ...(change?.changed ?? [])])];
    const isSame = changed.length === 0 && !change;
    this.#paced.fire({
      state: this.#state,
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
    if (isStale !== this.#toldStale) {
      this.#toldStale = isStale;
      this.#fire({ changed: [], rowsChanged: false, staleChanged: true });
    }
    if (ageMs === undefined || isStale) return;
    this.#cancelAging = this.#timers.after(this.#longestFreshMs + 1 - ageMs, () => this.#watchAge());
  }
}

/**
 * Whether data are older than the shown ones, by the times of their requests. A shown time in the future counts as unknown. Data
 * from the future were requested before the clock was set back, so they are not newer than shown ones of the past.
 */
export function isOlderThan(shownAt: number | undefined, readAt: number | undefined, now: number): boolean {
  if (shownAt === undefined || shownAt > now) return false;
  return readAt === undefined || readAt < shownAt || readAt > now;
}
