import type { TickerFeed } from "../desk/feeds/tickerFeed.ts";
import type { WatchRank } from "../desk/feeds/watches.ts";

/** A switchable watch: prices are polled while it is on. */
export class MarketWatch {
  readonly #tickers: TickerFeed;
  readonly #rank: WatchRank | undefined;
  #shown: string | undefined;
  #stop: (() => void) | undefined;

  constructor(tickers: TickerFeed, rank?: WatchRank) {
    this.#tickers = tickers;
    this.#rank = rank;
  }

  /** Sets the visible symbols; undefined: none are visible. */
  set(symbols: readonly string[] | undefined): void {
    const shown = symbols?.join();
    if (shown === this.#shown) return;
    this.#shown = shown;
    // Start before stopping, so that prices that stay visible have no gap.
    const stop = this.#stop;
    this.#stop = symbols && this.#tickers.watches.add(symbols, this.#rank);
    stop?.();
  }

  dispose(): void {
    this.set(undefined);
  }
}
