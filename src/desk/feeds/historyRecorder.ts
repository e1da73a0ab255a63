import type { PriceHistory } from "../../storage/prices/history.ts";
import { type CurrentVenue, exchangeOf, type Venue } from "../venue.ts";
import type { TickerFeed } from "./tickerFeed.ts";

/** The interval at which prices of a stream are recorded, in ms. */
const LIVE_EVERY_MS = 1000;

export interface HistoryRecorderOptions {
  readonly tickers: TickerFeed;
  readonly venue: CurrentVenue;
  /** Opens the price history of this window. */
  readonly open: () => Promise<PriceHistory>;
  /** Whether this window is the one that records. Asked at every reading. */
  readonly isMine: () => boolean;
  /** Called if prices could not be written: once, and again only after a success. */
  readonly onError: (error: unknown) => void;
}

/**
 * The name under which Bidside records the prices of a venue; undefined if the venue has a price history of its own.
 */
export function recordedSource(venue: Venue | undefined): string | undefined {
  return !venue || venue.client.history ? undefined : exchangeOf(venue);
}

/**
 * Records every fresh reading of the market. After a failed reading the older prices stay, and are not recorded
 * again.
 */
export class HistoryRecorder {
  readonly #options: HistoryRecorderOptions;
  readonly #stop: () => void;
  #history: PriceHistory | undefined;
  #lastReadAt: number | undefined;
  #hasFailed = false;

  constructor(options: HistoryRecorderOptions) {
    this.#options = options;
    this.#stop = options.tickers.onDidChange(() => void this.#take());
  }

  /** Writes the current minute. */
  dispose(): void {
    this.#stop();
    this.#guard(() => this.#history?.pause());
  }

  async #take(): Promise<void> {
    const { tickers, venue, isMine, open } = this.#options;
    const { tickers: market, problem, live } = tickers.state;
    const readAt = tickers.newestAt;
    const source = recordedSource(venue.venue);
    if (source === undefined || !isMine()) {
      this.#guard(() => this.#history?.pause());
      return;
    }
    if (readAt === undefined || problem !== undefined || readAt === this.#lastReadAt) return;
    // A stream changes many times a second; a candle needs no more than this.
    if (live && Math.abs(readAt - (this.#lastReadAt ?? 0)) < LIVE_EVERY_MS) return;
    this.#lastReadAt = readAt;
    // What a stream does not confirm any more was recorded before.
    const fresh = live
      ? [...market.values()].filter(({ symbol }) => !live.quiet.has(symbol))
      : [...market.values()];
    try {
      this.#history ??= await open();
    } catch (error) {
      this.#guard(() => {
        throw error;
      });
    }
    this.#guard(() => this.#history?.record(source, readAt, fresh));
  }

  #guard(action: () => void): void {
    try {
      action();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#options.onError(error);
      this.#hasFailed = true;
    }
  }
}
