import { PriceDecimals } from "../../market/numbers/priceDecimals.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import type { Pair } from "../../market/pair.ts";
import { compareTickers, sameTicker, type Ticker, type TickerChange } from "../../market/ticker.ts";
import { Throttle } from "../time/throttle.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { Timers } from "../../time/timers.ts";
import type { CurrentVenue, Watching } from "../venue.ts";
import { Freshness } from "./freshness.ts";
import {
  isOlderThan,
  type MarketChange,
  type MarketEvent,
  type MarketState,
  type MarketUpdate,
  type PollChange,
  type StreamedPrice,
} from "./marketState.ts";
import { Overlay, TOLERANCE } from "./overlay.ts";
import type { Polled } from "./polled.ts";
import type { Source } from "./source.ts";
import { PriceDemand } from "./priceDemand.ts";

/** Interval of paced changes, ms: the editor does not repaint lists more often. */
const PACE_MS = 250;

const EMPTY: MarketState = { tickers: new Map(), readAt: undefined, unreadable: 0, problem: undefined };

export interface TickerFeedOptions {
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  /** The expected poll interval. */
  readonly intervalMs: number;
  readonly polled: Polled<Watching, MarketUpdate>;
  /** The polls of another window for this one. */
  readonly remote?: Source<Watching, MarketUpdate>;
  /** Newer prices between two polls, if streams are available. */
  readonly streamed?: Source<Watching, MarketUpdate> | undefined;
  readonly log?: { warn(message: string): void };
}

/**
 * All tickers of the current venue, polled by this window or another one, and their changes. Streamed prices are shown
 * over the newest poll until the next one. Only polls decide whether the market is stale, and what an order is checked
 * against.
 */
export class TickerFeed extends Disposable {
  /** The requests of this window. */
  readonly polled: Polled<Watching, MarketUpdate>;
  readonly #options: TickerFeedOptions;
  readonly #timers: Timers;
  readonly #overlay: Overlay<Watching, MarketUpdate>;
  #stops: readonly (() => void)[] = [];
  readonly #changes = new Event<MarketEvent>();
  readonly #paced = new Event<MarketEvent>();
  readonly #pace: Throttle<string>;
  #newestPoll = EMPTY;
  #painted = EMPTY;
  /** Streamed prices newer than the newest poll. */
  readonly #streamed = new Map<string, StreamedPrice>();
  /** Pairs with a price from the current connection. */
  readonly #live = new Set<string>();
  readonly #decimals = new PriceDecimals();
  #stepOf: (pair: Pair) => Decimal | undefined = () => undefined;

  /** Fires for every poll and every batch of streamed prices, and when the market becomes stale without one. */
  readonly onDidChange = this.#changes.add;
  /** The same, with streamed prices throttled to one event per 250 ms, for lists and other windows. */
  readonly onDidChangePaced: Event<MarketEvent>["add"];
  /** The prices that this window needs. */
  readonly demand = new PriceDemand();
  readonly freshness: Freshness;

  constructor(options: TickerFeedOptions) {
    super();
    this.#options = options;
    const { venue, timers, streamed, log } = options;
    this.polled = this.register(options.polled);
    this.#timers = timers;
    this.freshness = new Freshness(timers, options.intervalMs);
    this.onDidChangePaced = this.#paced.add;
    this.#pace = new Throttle({
      timers,
      everyMs: () => PACE_MS,
      deliver: (symbols) => this.#firePaced(symbols, undefined),
    });
    this.#overlay = new Overlay({ name: "ticker stream", source: streamed, timers, log });
    this.register(
      venue.onDidChange(() => this.clear()),
      () => this.#stopSources(),
      this.#pace,
      this.freshness,
      this.freshness.onDidChange(() => this.#fire({ changed: [], rowsChanged: false, staleChanged: true })),
    );
    this.#follow();
  }

  /** The shown market: the newest poll, overlaid with newer streamed prices. */
  get state(): MarketState {
    return this.#painted;
  }

  /** The newest poll alone. Orders are checked against nothing else. */
  get newestPoll(): MarketState {
    return this.#newestPoll;
  }

  /** The shown ticker of a pair, by its key. */
  ticker(symbol: string): Ticker | undefined {
    return this.#painted.tickers.get(symbol);
  }

  /** The ticker of a pair in the newest poll. */
  readTicker(symbol: string): Ticker | undefined {
    return this.#newestPoll.tickers.get(symbol);
  }

  /** The decimals of a pair's prices on the active exchange. Prices of the ticker count as observed. */
  placesOf(ticker: Ticker): number {
    return this.#decimals.of(ticker, this.#stepOf(ticker.pair));
  }

  /** Sets the source of price steps: prices have no more decimals than the step of their pair. */
  setPriceSteps(stepOf: (pair: Pair) => Decimal | undefined): void {
    this.#stepOf = stepOf;
  }

  /** Time since the newest poll was requested, in ms: see `Freshness`. */
  get ageMs(): number | undefined {
    return this.freshness.ageMs;
  }

  get isStale(): boolean {
    return this.freshness.isStale;
  }

  /** Whether a pair's shown price is stale: the market is, and this pair is not streamed. */
  isStaleOf(symbol: string): boolean {
    return this.isStale && !this.#live.has(symbol);
  }

  /** When a pair's shown price arrived or was requested, ms since the epoch. Undefined before the first response. */
  pricedAt(symbol: string): number | undefined {
    return this.#streamed.get(symbol)?.at ?? this.#newestPoll.readAt;
  }

  /** The shown streamed price of a pair; undefined if the polled price is shown. */
  streamedPrice(symbol: string): StreamedPrice | undefined {
    return this.#streamed.get(symbol);
  }

  /** The time of the newest shown price, ms since the epoch. Undefined before the first response. */
  get newestAt(): number | undefined {
    const times = Array.from(this.#streamed.values(), ({ at }) => at);
    const { readAt } = this.#newestPoll;
    return readAt === undefined ? undefined : Math.max(readAt, ...times);
  }

  /** Call after a sleep: marks all data, and the response to any earlier request, as stale. */
  markStale(): void {
    this.#live.clear();
    this.freshness.markStale();
  }

  /** Polls now, in the window that polls for this one. Resolves after the response or a timeout. */
  refresh(): Promise<void> {
    return this.polled.refresh();
  }

  /** Resets for another exchange. */
  clear(): void {
    const had = this.#painted.tickers.size > 0;
    this.#stopSources();
    this.#newestPoll = this.#painted = EMPTY;
    this.#streamed.clear();
    this.#live.clear();
    this.#decimals.clear();
    this.freshness.clear();
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
      case "poll":
        if (update.isOwn) this.#checkStream(update.poll);
        return this.adopt(update.poll, update.change);
      case "failure":
        return this.adopt({ ...this.#newestPoll, problem: update.problem });
      case "prices":
        return this.overlay(update.prices);
      case "streamOver":
        return this.endOverlay();
    }
  }

  /**
   * Applies a poll of the current venue, successful or failed, by this window or another one. Data older than the
   * newest ones are ignored, because polls of two windows may arrive in any order.
   */
  adopt(poll: MarketState, known?: PollChange): void {
    const before = this.#newestPoll;
    const isOlder = isOlderThan(before.readAt, poll.readAt, this.#timers.now());
    if (isOlder && poll.problem === undefined) return;
    this.#newestPoll = isOlder ? { ...before, problem: poll.problem } : poll;
    const { tickers } = this.#newestPoll;
    const isSame = tickers === before.tickers;
    const read = known?.since === before.tickers ? known : compareTickers(before.tickers, tickers);
    const change = this.#paint(read, isSame ? [] : this.#forgetOlder());
    const staleChanged = this.freshness.apply(this.#newestPoll, !isSame || poll.problem === undefined);
    const isChanged = staleChanged || change.rowsChanged || change.changed.length > 0;
    this.#fire(isChanged ? { ...change, staleChanged } : undefined, {
      poll: { ...read, since: before.tickers },
    });
  }

  /** Overlays streamed prices that arrived after the request of the newest poll. Unlisted pairs are ignored. */
  overlay(prices: Iterable<StreamedPrice>): void {
    const now = this.#timers.now();
    const { readAt = Number.POSITIVE_INFINITY } = this.#newestPoll;
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
    const { tickers, readAt } = this.#newestPoll;
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
    const tickers = new Map(this.#newestPoll.tickers);
    for (const [symbol, { ticker }] of this.#streamed) tickers.set(symbol, ticker);
    this.#painted = { ...this.#newestPoll, tickers };
    const repainted = [...new Set([...changed, ...dropped])].filter((symbol) => {
      const [old, ticker] = [before.get(symbol), tickers.get(symbol)];
      return old && ticker && old !== ticker && !sameTicker(old, ticker);
    });
    return { changed: repainted, rowsChanged };
  }

  #fire(change: MarketChange | undefined, news: Pick<MarketEvent, "poll" | "isStreamOver"> = {}): void {
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
    news?: Pick<MarketEvent, "poll" | "isStreamOver">,
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
}

function agree(streamed: Ticker, read: Ticker): boolean {
  if (streamed.frozen !== read.frozen) return false;
  if (streamed.last === undefined || read.last === undefined) return streamed.last === read.last;
  return Math.abs(streamed.last - read.last) <= TOLERANCE * read.last;
}
