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
/** Each pair costs one request. */
const MAX_PAIRS = 20;

/**
 * Fires alerts whose level the price passed, and left again, while nothing watched it: no window was open, the computer slept, or
 * the exchange was unreachable. It asks the exchange's candles, once prices arrive again.
 */
export class MissedLevels extends Disposable {
  readonly #options: MissedLevelsOptions;
  /** When prices last arrived, ms since the epoch; undefined since the account was opened. */
  #seenAt: number | undefined;
  #notedAt = Number.NEGATIVE_INFINITY;

  constructor(options: MissedLevelsOptions) {
    super();
    this.#options = options;
    this.register(
      options.tickers.onDidChange(() => this.#follow()),
      options.venue.onDidChange(() => {
        this.#seenAt = undefined;
        this.#notedAt = Number.NEGATIVE_INFINITY;
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
    if (alerts.armedLevels(venue.venue.ref).length === 0) return;
    if (at - since > Math.max(GAP_MS, GAP_POLLS * intervalMs())) void this.#search(venue.venue, since, at);
    if (at - this.#notedAt < NOTE_MS) return;
    this.#notedAt = at;
    try {
      watched.note(id, at);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #search(venue: Watching, since: number, until: number): Promise<void> {
    const { alerts, venue: current, onError } = this.#options;
    const byPair = [...Map.groupBy(alerts.armedLevels(venue.ref), ({ symbol }) => symbol)].slice(
      0,
      MAX_PAIRS,
    );
    try {
      for (const [symbol, ofPair] of byPair) {
        const candles = await this.#candles(venue, symbol, since, until);
        if (current.venue?.account.id !== venue.account.id) return;
        for (const alert of ofPair) {
          const passed = firstPassed(alert, candles, since);
          if (passed) alerts.fireMissed(alert, passed);
        }
      }
    } catch (error) {
      onError(error);
    }
  }

  /** The shortest candles that reach back far enough; none if the exchange has no history. */
  async #candles(venue: Watching, symbol: string, since: number, until: number): Promise<readonly Candle[]> {
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
