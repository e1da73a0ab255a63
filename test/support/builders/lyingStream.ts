import type { Market, PracticeTicker } from "../../../src/practice/market/market.ts";
import type { PracticeOptions } from "../../../src/practice/http/server.ts";

/** Makes a practice exchange stream prices that differ from those of its endpoints. */
export class LyingStream {
  /** Factor applied to every streamed last price; 1: correct. */
  factor = 1;
  /** The options of `startPractice`. */
  readonly options: Required<Pick<PracticeOptions, "market" | "after">>;
  #isStreaming = false;

  constructor(market: Market) {
    this.options = {
      market: { ...market, tickerAt: (symbol, at) => this.#told(market.tickerAt(symbol, at)) },
      // Only streams use this timer.
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
