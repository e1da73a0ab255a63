import type { Decimal } from "../numbers/decimal.ts";
import type { Pair } from "../pair.ts";
import { type OpeningLot, soldLots, type Trade } from "./cost.ts";

interface Trades {
  readonly pair: Pair;
  readonly trades: readonly Trade[];
  readonly entered: OpeningLot | undefined;
}

/** The realised result of a period in one quote asset. */
export interface PeriodResult {
  readonly period: string;
  readonly quote: string;
  /** Proceeds after fees less the cost of what was sold, first in, first out: as in the export. */
  readonly result: Decimal;
}

/**
 * The results of all sales whose cost is known, by the period of the sale and the quote asset; the latest period first.
 * `periodOf` returns the name of a time's period, and names sort by time.
 */
export function realisedByPeriod(
  all: readonly Trades[],
  periodOf: (at: number) => string,
): readonly PeriodResult[] {
  const sums = new Map<string, PeriodResult>();
  for (const { pair, trades, entered } of all)
    for (const { sale, cost, proceeds } of soldLots(trades, entered)) {
      if (!cost) continue;
      const [period, { quote }] = [periodOf(sale.at), pair];
      const key = JSON.stringify([period, quote]);
      const result = proceeds.minus(cost);
      sums.set(key, { period, quote, result: sums.get(key)?.result.plus(result) ?? result });
    }
  return [...sums.values()].sort((one, other) =>
    one.period === other.period ? (one.quote < other.quote ? -1 : 1) : one.period < other.period ? 1 : -1,
  );
}
