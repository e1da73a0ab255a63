import { Event } from "../desk/event.ts";
import type { TickerFeed } from "../desk/feeds/tickerFeed.ts";

/**
 * The pair in front: the one that was selected in Markets, opened or focused last. Commands without a pair act on it, and
 * the selected row, the chart and the order ticket follow it.
 */
export class FrontPair {
  readonly #tickers: TickerFeed;
  readonly #changed = new Event<string>();
  /** Also fires if the pair is in front already: a page that was locked then may be free now. */
  readonly onDidSet = this.#changed.add;
  #symbol: string | undefined;

  constructor(tickers: TickerFeed) {
    this.#tickers = tickers;
  }

  /** Undefined while there is none, and if the open exchange does not list it. */
  get symbol(): string | undefined {
    return this.#symbol !== undefined && this.#tickers.ticker(this.#symbol) ? this.#symbol : undefined;
  }

  set(symbol: string): void {
    this.#symbol = symbol;
    this.#changed.fire(symbol);
  }
}
