import type { TickerFeed } from "../desk/feeds/tickerFeed.ts";
import type { PricePriority } from "../desk/feeds/priceDemand.ts";

/** The prices that a view shows, which are polled while it shows any. */
export class VisiblePrices {
  readonly #tickers: TickerFeed;
  readonly #priority: PricePriority | undefined;
  #shown: string | undefined;
  #stop: (() => void) | undefined;

  constructor(tickers: TickerFeed, priority?: PricePriority) {
    this.#tickers = tickers;
    this.#priority = priority;
  }

  /** Sets the visible symbols; undefined: none are visible. */
  set(symbols: readonly string[] | undefined): void {
    const shown = symbols?.join();
    if (shown === this.#shown) return;
    this.#shown = shown;
    // Start before stopping, so that prices that stay visible have no gap.
    const stop = this.#stop;
    this.#stop = symbols && this.#tickers.demand.add(symbols, this.#priority);
    stop?.();
  }

  dispose(): void {
    this.set(undefined);
  }
}
