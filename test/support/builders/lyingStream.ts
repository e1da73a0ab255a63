import type { Market, PracticeTicker } from "../../../src/practice/market/market.ts";
import type { PracticeOptions } from "../../../src/practice/http/server.ts";

/** Lets a practice exchange stream other prices than it answers. */
export class LyingStream {
  /** What the streams multiply each last price by; 1: the truth. */
  factor = 1;
  /** The options of `startPractice`. */
  readonly options: Required<Pick<PracticeOptions, "market" | "after">>;
  #isStreaming = false;

  constructor(market: Market) {
    this.options = {
      market: { ...market, tickerAt: (symbol, at) => this.#told(market.tickerAt(symbol, at)) },
      // Only streams work by this timer.
      after: (ms, task) => {
        const timer = setTimeout(() => {
          this.#isStreaming = true;
          task();
          this.#isStreaming = false;
        }, ms);
        return () => clearTimeout(timer);
      },
    };
  }

  #told(ticker: PracticeTicker): PracticeTicker {
    return this.#isStreaming ? { ...ticker, last: ticker.last * this.factor } : ticker;
  }
}
