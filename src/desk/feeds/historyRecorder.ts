import type { PriceHistory } from "../../storage/prices/history.ts";
import type { CurrentVenue, Watching } from "../venue.ts";
import type { TickerFeed } from "./tickerFeed.ts";

/** The interval at which prices of a stream are recorded, in ms. */
const STREAMED_EVERY_MS = 1000;

export interface HistoryRecorderOptions {
  readonly tickers: TickerFeed;
  readonly venue: CurrentVenue;
  readonly history: PriceHistory;
  /** Whether this window is the one that records. Evaluated at every update. */
  readonly isMine: () => boolean;
  /** Called if prices could not be written: once, and again only after a success. */
  readonly onError: (error: unknown) => void;
}

/**
 * The name under which Bidside records the prices of a venue; undefined if the venue has a price history of its own.
 */
export function recordedSource(venue: Watching | undefined): string | undefined {
  return !venue || venue.client.history ? undefined : venue.account.id;
}

/** Records every successful market poll, and streamed prices once a second. */
export class HistoryRecorder {
  readonly #options: HistoryRecorderOptions;
  readonly #stop: () => void;
  #recordedAt: number | undefined;
  #hasFailed = false;

  constructor(options: HistoryRecorderOptions) {
    this.#options = options;
    this.#stop = options.tickers.onDidChange(({ isStreamed }) => this.#record(isStreamed));
  }

  /** Writes the current minute. */
  dispose(): void {
    this.#stop();
    this.#guard(() => this.#options.history.pause());
  }

  #record(isStreamed: boolean): void {
    const { tickers, venue, isMine, history } = this.#options;
    const { tickers: market } = tickers.state;
    const at = tickers.newestAt;
    const source = recordedSource(venue.venue);
    if (source === undefined || !isMine()) {
      this.#guard(() => history.pause());
      return;
    }
    if (at === undefined || at === this.#recordedAt) return;
    // A stream changes many times a second; a candle needs no more than this.
    if (isStreamed && Math.abs(at - (this.#recordedAt ?? 0)) < STREAMED_EVERY_MS) return;
    const fresh = [...market.values()].filter(({ symbol }) => !tickers.isStaleOf(symbol));
    if (fresh.length === 0) return;
    this.#recordedAt = at;
    this.#guard(() => history.record(source, at, fresh));
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
