import { type Alert, alertFigure, alertPrice, hasMovedBack, isReached } from "../../market/alertRule.ts";
import type { Ticker } from "../../market/ticker.ts";
import { TrailingRange } from "../../market/trailingRange.ts";

const MINUTE_MS = 60_000;

/** An alert whose rule is met (`fires`), or that turns on again because the price or volume moved back (`arms`). */
interface DueAlert {
  readonly alert: Alert;
  readonly transition: "fires" | "arms";
  readonly price: number;
}

/** Price ranges of one symbol, by span in minutes. */
type Ranges = Map<number, TrailingRange>;

/** Compares rules with tickers. It has no side effects, and keeps the past prices that "change" rules need. */
export class Evaluator {
  #ranges = new Map<string, Ranges>();

  /** Forgets all past prices. */
  clear(): void {
    this.#ranges.clear();
  }

  /**
   * Returns the alerts that change at these prices, grouped by symbol. `alerts`: all waiting alerts. `at`: time of the
   * prices, ms since the epoch. Call it once per update, in order of time.
   */
  evaluate(
    alerts: readonly Alert[],
    tickerOf: (symbol: string) => Ticker | undefined,
    at: number,
  ): readonly DueAlert[] {
    const due: DueAlert[] = [];
    const needed = new Map<string, Ranges>();
    for (const [symbol, ofSymbol] of Map.groupBy(alerts, (alert) => alert.symbol)) {
      const ticker = tickerOf(symbol);
      const price = ticker && alertPrice(ticker);
      const ranges = neededRanges(ofSymbol, this.#ranges.get(symbol));
      if (ranges.size > 0) needed.set(symbol, ranges);
      if (!ticker || price === undefined) continue;
      for (const range of ranges.values()) range.add(at, price);
      for (const alert of ofSymbol) {
        const figure = alertFigure(alert.rule, ticker);
        if (figure === undefined || at < alert.armedAt) continue;
        const transition = changeOf(alert, figure, at, ranges);
        if (transition) due.push({ alert, transition, price });
      }
    }
    this.#ranges = needed;
    return due;
  }
}

/** The ranges that the alerts of one symbol need: existing ones with their past prices, and new ones. */
function neededRanges(alerts: readonly Alert[], known: Ranges | undefined): Ranges {
  const ranges: Ranges = new Map();
  for (const { rule } of alerts) {
    if (rule.kind !== "change" || ranges.has(rule.minutes)) continue;
    ranges.set(rule.minutes, known?.get(rule.minutes) ?? new TrailingRange(rule.minutes * MINUTE_MS));
  }
  return ranges;
}

function changeOf(
  { rule, phase, armedAt }: Alert,
  figure: number,
  at: number,
  ranges: Ranges,
): DueAlert["transition"] | undefined {
  if (phase === "waiting") return hasMovedBack(rule, figure) ? "arms" : undefined;
  const range =
    rule.kind === "change"
      ? ranges.get(rule.minutes)?.since(Math.max(armedAt, at - rule.minutes * MINUTE_MS))
      : undefined;
  return isReached(rule, figure, range) ? "fires" : undefined;
}
