import { Event } from "../desk/event.ts";
import type { TickerFeed } from "../desk/feeds/tickerFeed.ts";

/**
 * The active pair: the one last selected in Markets, opened or focused. Commands without a pair act on it, and the
 * selected row, the chart and the order ticket follow it.
 */
export class ActivePair {
  readonly #tickers: TickerFeed;
  readonly #changed = new Event<string>();
  /** Also fires if the pair is already active, because a page that was locked may be unlocked now. */
  readonly onDidSet = this.#changed.add;
  #symbol: string | undefined;

  constructor(tickers: TickerFeed) {
    this.#tickers = tickers;
  }

  /** Undefined if there is none or the current exchange does not list it. */
  get symbol(): string | undefined {
    return this.#symbol !== undefined && this.#tickers.ticker(this.#symbol) ? this.#symbol : undefined;
  }

  set(symbol: string): void {
    this.#symbol = symbol;
    this.#changed.fire(symbol);
  }
}
