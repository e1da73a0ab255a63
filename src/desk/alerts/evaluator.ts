import { type Alert, canAlert, hasMovedBack, isReached } from "../../market/alertRule.ts";
import type { Ticker } from "../../market/ticker.ts";
import { TrailingRange } from "../../market/trailingRange.ts";

/** An alert whose rule a price has met (`fires`), or that turns on again because the price moved back (`arms`). */
interface DueAlert {
  readonly alert: Alert;
  readonly becomes: "fires" | "arms";
  readonly price: number;
}

/** Compares rules with prices, without clock, disk or messages. It keeps the past prices that "change" rules need. */
export class Evaluator {
  readonly #ranges = new Map<string, TrailingRange>();

  /** Forgets all past prices. */
  clear(): void {
    this.#ranges.clear();
  }

  /**
   * The alerts that a reading changes. `alerts`: all that wait for the market. `tickerOf`: the ticker of a symbol in this
   * reading. `at`: time of the reading, ms since the epoch. Call it once for each reading, in the order of time.
   */
  evaluate(
    alerts: readonly Alert[],
    tickerOf: (symbol: string) => Ticker | undefined,
    at: number,
  ): readonly DueAlert[] {
    this.#recordPrices(alerts, tickerOf, at);
    return alerts.flatMap((alert): DueAlert[] => {
      const ticker = tickerOf(alert.symbol);
      if (!ticker || !canAlert(ticker) || at < alert.armedAt) return [];
      const { last: price } = ticker;
      if (alert.phase === "waiting")
        return hasMovedBack(alert.rule, price) ? [{ alert, becomes: "arms", price }] : [];
      return isReached(alert.rule, price, this.#rangeOf(alert, at))
        ? [{ alert, becomes: "fires", price }]
        : [];
    });
  }

  /** Adds this reading to the ranges that are needed, and drops all others. */
  #recordPrices(
    alerts: readonly Alert[],
    tickerOf: (symbol: string) => Ticker | undefined,
    at: number,
  ): void {
    const needed = new Set<string>();
    for (const { rule, symbol } of alerts) {
      if (rule.kind !== "change") continue;
      const key = rangeKey(symbol, rule.minutes);
      if (needed.has(key)) continue;
      needed.add(key);
      const range = this.#ranges.get(key) ?? new TrailingRange(rule.minutes * 60_000);
      this.#ranges.set(key, range);
      const ticker = tickerOf(symbol);
      if (ticker && canAlert(ticker)) range.add(at, ticker.last);
    }
    for (const key of this.#ranges.keys()) if (!needed.has(key)) this.#ranges.delete(key);
  }

  #rangeOf({ rule, symbol, armedAt }: Alert, at: number): ReturnType<TrailingRange["since"]> {
    if (rule.kind !== "change") return undefined;
    const since = Math.max(armedAt, at - rule.minutes * 60_000);
    return this.#ranges.get(rangeKey(symbol, rule.minutes))?.since(since);
  }
}

function rangeKey(symbol: string, minutes: number): string {
  return `${minutes} ${symbol}`;
}
