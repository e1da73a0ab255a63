import type { Alert } from "../../market/alertRule.ts";
import type { Candle } from "../../market/candle.ts";
import { type Interval, intervalNames, intervals } from "../../market/intervals.ts";
import { type CandleSeries, firstMet, lookBackOf } from "../../market/missedAlert.ts";
import { type Pair, parseSymbol } from "../../market/pair.ts";
import type { WatchedTimes } from "../../storage/watchedTimes.ts";
import { Disposable } from "../disposable.ts";
import type { TickerFeed } from "../feeds/tickerFeed.ts";
import type { CurrentVenue, Watching } from "../venue.ts";
import type { Alerts } from "./alerts.ts";

interface MissedAlertsOptions {
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
/** How many answers the candles of a pair may take. */
const MAX_ANSWERS = 4;

/** A time in which nothing watched the price of a pair, ms since the epoch. */
interface MissedTime {
  readonly since: number;
  readonly until: number;
  readonly failures: number;
}

/**
 * Fires alerts whose rule was met, and is no longer, while nothing watched the price: no window was open, the computer slept, or the
 * exchange was unreachable. It asks the exchange's candles, once prices arrive again.
 */
export class MissedAlerts extends Disposable {
  readonly #options: MissedAlertsOptions;
  /** When prices last arrived, ms since the epoch; undefined since the account was opened. */
  #seenAt: number | undefined;
  #notedAt = Number.NEGATIVE_INFINITY;
  /** By symbol, until its candles were read. */
  readonly #missed = new Map<string, MissedTime>();
  #searchedAt = Number.NEGATIVE_INFINITY;
  #isSearching = false;

  constructor(options: MissedAlertsOptions) {
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
    const armed = alerts.armed(venue.venue.ref);
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
      const waiting = () => alerts.armed(venue.ref).filter((alert) => alert.symbol === symbol);
      try {
        const series = await this.#series(venue, symbol, missed, waiting());
        if (current.venue?.account.id !== venue.account.id) break;
        for (const alert of waiting()) {
          const met = series && firstMet(alert, series, missed.since);
          if (met) alerts.fireMissed(alert, met);
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

  /** The shortest candles that reach back far enough; undefined if no alert waits, or the exchange has no history. */
  async #series(
    venue: Watching,
    symbol: string,
    { since, until }: MissedTime,
    waiting: readonly Alert[],
  ): Promise<CandleSeries | undefined> {
    const { tickers, venue: current } = this.#options;
    const pair = tickers.ticker(symbol)?.pair ?? parseSymbol(symbol, "quoteFirst");
    const from = since - Math.max(...waiting.map(({ rule }) => lookBackOf(rule)));
    const interval =
      intervalNames.find((name) => until - from <= intervals[name].ms * intervals[name].count) ?? "1d";
    if (!pair || waiting.length === 0) return undefined;
    const { ms } = intervals[interval];
    return await current.read(venue, async ({ history }) =>
      history ? { candles: await allOf(history, pair, interval, from - ms, until), ms, pair } : undefined,
    );
  }
}

/** The candles that begin in a range, and those before the first one if the exchange answers with the newest ones only. */
async function allOf(
  history: (pair: Pair, interval: Interval, from: number, to: number) => Promise<readonly Candle[]>,
  pair: Pair,
  interval: Interval,
  from: number,
  to: number,
): Promise<readonly Candle[]> {
  const { ms } = intervals[interval];
  let candles = await history(pair, interval, from, to);
  for (let answers = 1; answers < MAX_ANSWERS; answers += 1) {
    const first = candles[0]?.time ?? from;
    if (first < from + ms) break;
    const older = (await history(pair, interval, from, first - ms)).filter(({ time }) => time < first);
    if (older.length === 0) break;
    candles = [...older, ...candles];
  }
  return candles;
}
