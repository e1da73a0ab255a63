import {
  addSample,
  foldCandles,
  joinCandles,
  sampleOf,
  tradedBetween,
  type Candle,
  type PriceSample,
} from "../../market/candle.ts";
import { intervals, startOf, type Interval } from "../../market/intervals.ts";
import { parseSymbol, type Pair } from "../../market/pair.ts";
import type { PriceHistory } from "../../storage/prices/history.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { CurrentVenue, Watching } from "../venue.ts";
import { recordedSource } from "./historyRecorder.ts";
import type { TickerFeed } from "./tickerFeed.ts";

export interface ChartFeedOptions {
  readonly symbol: string;
  /** The initial interval. Default: one minute. */
  readonly interval?: Interval | undefined;
  readonly venue: CurrentVenue;
  readonly tickers: TickerFeed;
  /** The prices that Bidside recorded. */
  readonly recorded: Pick<PriceHistory, "candles">;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Called with the error if candles could not be read. */
  readonly onError: (error: unknown) => void;
}

export type ChartState =
  /** `isOtherVenue`: the candles shown before belong to another venue. */
  | { readonly kind: "loading"; readonly isOtherVenue: boolean }
  /** `error` says why there is no chart: an error of the venue or of its history. */
  | { readonly kind: "failed"; readonly error: unknown }
  | {
      readonly kind: "ready";
      /** Ordered by time. The newest candle is not complete yet. */
      readonly candles: readonly Candle[];
      /** The source: the exchange's own history, or the prices that Bidside recorded. */
      readonly from: "exchange" | "recorded";
      /** Whether any candle is from before the chart was opened. */
      readonly hasPast: boolean;
      /** Whether there may be older candles. */
      readonly hasOlder: boolean;
    };

/** Most candles of a chart, more than a year of hours. Older ones are in charts of longer intervals. */
const MAX_CANDLES = 10_000;

/**
 * The candles of one pair: from the exchange's history if the profile has one, else from recorded prices, plus every
 * new price. When a new candle begins, the previous ones are read again, which fills gaps and replaces computed figures
 * with the exchange's own.
 */
export class ChartFeed extends Disposable {
  readonly #options: ChartFeedOptions;
  readonly #changes = new Event<Candle | undefined>();
  #interval: Interval;
  #state: ChartState = { kind: "loading", isOtherVenue: false };
  #newestSample: PriceSample | undefined;
  #round = 0;
  #isShown = false;
  #refreshing: Promise<void> | undefined;
  #readingOlder: Promise<void> | undefined;
  /** Number of candles that were added before the first ones. */
  #olderCount = 0;

  /** Fires with the newest candle if only that one changed or was added, and with undefined for any other change. */
  readonly onDidChange = this.#changes.add;

  constructor(options: ChartFeedOptions) {
    super();
    this.#options = options;
    this.#interval = options.interval ?? "1m";
    this.register(
      options.tickers.onDidChange(({ change, isStreamed }) => {
        // Streamed prices of some pairs come many times a second.
        if (!isStreamed || change?.changed.includes(this.#options.symbol)) this.#applyPrice();
      }),
      options.venue.onDidChange(() => void this.#load(true)),
      // Discards a read in progress.
      () => (this.#round += 1),
    );
  }

  get interval(): Interval {
    return this.#interval;
  }

  get state(): ChartState {
    return this.#state;
  }

  /** Selects another interval and reads its candles. */
  async select(interval: Interval): Promise<void> {
    if (interval === this.#interval && this.#state.kind !== "failed") return;
    this.#interval = interval;
    await this.load();
  }

  /** Reads all candles. Never rejects: a failure is part of the state. */
  async load(): Promise<void> {
    await this.#load(false);
  }

  /**
   * Sets whether the chart is visible. A hidden chart is not updated; missed prices are read when it is shown again.
   */
  setShown(isShown: boolean): void {
    if (isShown === this.#isShown) return;
    this.#isShown = isShown;
    if (isShown && this.#state.kind === "ready") void this.#refresh();
  }

  /** Adds older candles before the shown ones, as many as a chart starts with. Never rejects: a failure changes nothing. */
  older(): Promise<void> {
    this.#readingOlder ??= this.#readOlder().finally(() => (this.#readingOlder = undefined));
    return this.#readingOlder;
  }

  async #load(isOtherVenue: boolean): Promise<void> {
    this.#olderCount = 0;
    const round = ++this.#round;
    const { state } = this.#options.venue;
    this.#newestSample = undefined;
    this.#set({ kind: "loading", isOtherVenue });
    if (state.kind === "unusable") this.#set({ kind: "failed", error: state.error });
    if (state.kind !== "ready") return;
    const { ms, count } = intervals[this.#interval];
    const from = startOf(this.#options.now(), ms) - (count - 1) * ms;
    try {
      const candles = await this.#read(state.venue, from, this.#options.now(), true);
      if (round !== this.#round) return;
      const hasPast = candles.length > 0;
      this.#set({ kind: "ready", candles, from: sourceOf(state.venue), hasPast, hasOlder: hasPast });
      this.#applyPrice();
    } catch (error) {
      this.#options.onError(error);
      if (round === this.#round) this.#set({ kind: "failed", error });
    }
  }

  /** Candles that begin between `from` and `to`. If there are none, `orEarlier` returns the last ones before. */
  async #read(venue: Watching, from: number, to: number, orEarlier: boolean): Promise<readonly Candle[]> {
    const { recorded } = this.#options;
    const pair = this.#pair;
    if (!pair) return [];
    const interval = this.#interval;
    const source = recordedSource(venue);
    if (source === undefined) {
      return await this.#options.venue.read(venue, async ({ history }) =>
        history ? await history(pair, interval, from, to, orEarlier) : [],
      );
    }
    const { ms, count } = intervals[interval];
    const until = startOf(to, ms) + ms;
    const minutes = await recorded.candles(source, pair, from, until);
    // Nothing is recorded while the editor is closed.
    const isGap = minutes.length === 0 && orEarlier;
    return foldCandles(isGap ? await recorded.candles(source, pair, 0, until) : minutes, ms).slice(-count);
  }

  /** Reads the newest candles again and replaces the shown ones. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#readNewest().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #readNewest(): Promise<void> {
    const { candles } = this.#state.kind === "ready" ? this.#state : { candles: [] };
    const [round, since] = [this.#round, candles.at(-3)?.time ?? candles[0]?.time];
    const { venue } = this.#options.venue;
    if (!venue || since === undefined) return;
    try {
      const read = await this.#read(venue, since, this.#options.now(), false);
      if (round !== this.#round || this.#state.kind !== "ready") return;
      const joined = joinNewest(this.#state.candles, read);
      const most = 2 * intervals[this.#interval].count + this.#olderCount;
      const hasPast = this.#state.hasPast || read.length > 0;
      this.#set({ ...this.#state, candles: joined.slice(-most), hasPast });
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #readOlder(): Promise<void> {
    const { venue } = this.#options.venue;
    const [first] = this.#state.kind === "ready" && this.#state.hasOlder ? this.#state.candles : [];
    if (!first || !venue) return;
    const round = this.#round;
    const { ms, count } = intervals[this.#interval];
    try {
      const read = await this.#read(venue, first.time - count * ms, first.time - 1, true);
      if (round !== this.#round || this.#state.kind !== "ready") return;
      const { candles } = this.#state;
      // Those that were dropped meanwhile would be missing between.
      if (candles[0]?.time !== first.time) return;
      const older = read.filter(({ time }) => time < first.time);
      this.#olderCount += older.length;
      const hasOlder = older.length > 0 && candles.length + older.length < MAX_CANDLES;
      this.#set({ ...this.#state, candles: [...older, ...candles], hasOlder });
    } catch (error) {
      this.#options.onError(error);
      if (round === this.#round) this.#changes.fire(undefined);
    }
  }

  /** Parsed from its key while the market is unknown. */
  get #pair(): Pair | undefined {
    const { tickers, symbol } = this.#options;
    return tickers.ticker(symbol)?.pair ?? parseSymbol(symbol, "quoteFirst");
  }

  #applyPrice(): void {
    const { tickers, symbol } = this.#options;
    const at = tickers.pricedAt(this.#options.symbol);
    const ticker = tickers.ticker(symbol);
    if (this.#state.kind !== "ready" || !this.#isShown || !ticker) return;
    if (at === undefined || tickers.isStaleOf(this.#options.symbol) || at === this.#newestSample?.at) return;
    const sample = sampleOf(ticker, at);
    if (!sample) return;
    const traded = tradedBetween(this.#newestSample, sample);
    this.#newestSample = sample;
    const { candles } = this.#state;
    const newest = candles.at(-1);
    const next = addSample(newest, sample, traded, intervals[this.#interval].ms);
    const isNew = next.time !== newest?.time;
    this.#state = { ...this.#state, candles: [...(isNew ? candles : candles.slice(0, -1)), next] };
    this.#changes.fire(next);
    if (isNew && newest) void this.#refresh();
  }

  #set(state: ChartState): void {
    this.#state = state;
    this.#changes.fire(undefined);
  }
}

function sourceOf(venue: Watching): "exchange" | "recorded" {
  return venue.client.history ? "exchange" : "recorded";
}

/** Replaces candles with newer versions. Prices that arrived since are merged into the newest, incomplete one. */
function joinNewest(candles: readonly Candle[], read: readonly Candle[]): readonly Candle[] {
  const [first, last] = [read[0], read.at(-1)];
  if (!first || !last) return candles;
  const seen = candles.find(({ time }) => time === last.time);
  return [
    ...candles.filter(({ time }) => time < first.time),
    ...read.slice(0, -1),
    seen ? joinCandles(last, seen, "largest") : last,
    ...candles.filter(({ time }) => time > last.time),
  ];
}
