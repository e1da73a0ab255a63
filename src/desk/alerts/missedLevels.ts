import { levelPassedIn } from "../../market/alertRule.ts";
import type { Candle } from "../../market/candle.ts";
import { intervalNames, intervals } from "../../market/intervals.ts";
import { parseSymbol } from "../../market/pair.ts";
import type { WatchedTimes } from "../../storage/watchedTimes.ts";
import { Disposable } from "../disposable.ts";
import type { TickerFeed } from "../feeds/tickerFeed.ts";
import type { CurrentVenue, Watching } from "../venue.ts";
import type { Alerts, LevelAlert } from "./alerts.ts";

interface MissedLevelsOptions {
  readonly alerts: Alerts;
  readonly watched: WatchedTimes;
  readonly tickers: TickerFeed;
  readonly venue: CurrentVenue;
  /** Poll interval of the market, ms. */
  readonly intervalMs: () => number;
  /** Whether this window reads the market for the others. */
  readonly isMine: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** How often the time is recorded. */
const NOTE_MS = 60_000;
/** Nothing is missed in a shorter time, and not between this many polls. */
const GAP_MS = 3 * NOTE_MS;
const GAP_POLLS = 3;
/** Each pair costs one request. The others are read a minute later. */
const MAX_PAIRS = 20;
/** How often the candles of a pair are requested, once a minute, if that fails. */
const MAX_TRIES = 5;

/** A time in which nothing watched the price of a pair, ms since the epoch. */
interface MissedTime {
  readonly since: number;
  readonly until: number;
  readonly failures: number;
}

/**
 * Fires alerts whose level the price passed, and left again, while nothing watched it: no window was open, the computer slept, or
 * the exchange was unreachable. It asks the exchange's candles, once prices arrive again.
 */
export class MissedLevels extends Disposable {
  readonly #options: MissedLevelsOptions;
  /** When prices last arrived, ms since the epoch; undefined since the account was opened. */
  #seenAt: number | undefined;
  #notedAt = Number.NEGATIVE_INFINITY;
  /** By symbol, until its candles were read. */
  readonly #missed = new Map<string, MissedTime>();
  #searchedAt = Number.NEGATIVE_INFINITY;
  #isSearching = false;

  constructor(options: MissedLevelsOptions) {
    super();
    this.#options = options;
    this.register(
      options.tickers.onDidChange(() => this.#follow()),
      options.venue.onDidChange(() => {
        this.#seenAt = undefined;
        this.#notedAt = this.#searchedAt = Number.NEGATIVE_INFINITY;
        this.#missed.clear();
      }),
    );
  }

  #follow(): void {
    const { alerts, watched, tickers, venue, intervalMs, isMine } = this.#options;
    const at = tickers.newestAt;
    if (!venue.venue || at === undefined || tickers.isStale || !isMine()) return;
    const { id } = venue.venue.account;
    const since = this.#seenAt ?? watched.read(id) ?? at;
    this.#seenAt = at;
    const armed = alerts.armedLevels(venue.venue.ref);
    if (armed.length === 0) return;
    if (at - since > Math.max(GAP_MS, GAP_POLLS * intervalMs()))
      for (const { symbol } of armed)
        this.#missed.set(symbol, {
          since: this.#missed.get(symbol)?.since ?? since,
          until: at,
          failures: 0,
        });
    void this.#search(venue.venue, at);
    this.#note(id, at);
  }

  /** Records that nothing was missed until a time. What is not searched yet is searched after a restart. */
  #note(id: string, at: number): void {
    if (this.#missed.size > 0 || at - this.#notedAt < NOTE_MS) return;
    this.#notedAt = at;
    try {
      this.#options.watched.note(id, at);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #search(venue: Watching, at: number): Promise<void> {
    if (this.#missed.size === 0 || this.#isSearching || at - this.#searchedAt < NOTE_MS) return;
    this.#isSearching = true;
    this.#searchedAt = at;
    const { alerts, venue: current, onError } = this.#options;
    for (const [symbol, missed] of [...this.#missed].slice(0, MAX_PAIRS)) {
      const isWanted = alerts.armedLevels(venue.ref).some((alert) => alert.symbol === symbol);
      try {
        const candles = isWanted ? await this.#candles(venue, symbol, missed) : [];
        if (current.venue?.account.id !== venue.account.id) break;
        for (const alert of alerts.armedLevels(venue.ref)) {
          const passed = alert.symbol === symbol ? firstPassed(alert, candles, missed.since) : undefined;
          if (passed) alerts.fireMissed(alert, passed);
        }
        this.#missed.delete(symbol);
      } catch (error) {
        onError(error);
        // Again, after the other pairs.
        this.#missed.delete(symbol);
        const failures = missed.failures + 1;
        if (failures < MAX_TRIES) this.#missed.set(symbol, { ...missed, failures });
      }
    }
    this.#isSearching = false;
    if (current.venue?.account.id === venue.account.id) this.#note(venue.account.id, at);
  }

  /** The shortest candles that reach back far enough; none if the exchange has no history. */
  async #candles(venue: Watching, symbol: string, { since, until }: MissedTime): Promise<readonly Candle[]> {
    const { tickers, venue: current } = this.#options;
    const pair = tickers.ticker(symbol)?.pair ?? parseSymbol(symbol, "quoteFirst");
    const interval =
      intervalNames.find((name) => until - since <= intervals[name].ms * intervals[name].count) ?? "1d";
    if (!pair) return [];
    return await current.read(venue, async ({ history }) =>
      history ? await history(pair, interval, since, until) : [],
    );
  }
}

/** Where a level was passed: in the first candle that began after the alert was armed and its price was last watched. */
function firstPassed(
  alert: LevelAlert,
  candles: readonly Candle[],
  since: number,
): { readonly price: number; readonly at: number } | undefined {
  for (const candle of candles) {
    if (candle.time < Math.max(since, alert.armedAt)) continue;
    const price = levelPassedIn(alert.rule, candle);
    if (price !== undefined) return { price, at: candle.time };
  }
  return undefined;
}
