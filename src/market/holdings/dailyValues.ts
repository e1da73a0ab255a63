import type { Decimal } from "../numbers/decimal.ts";
import {
  changeOver,
  totalValue,
  type TradedAmount,
  type ValueChange,
  type ValueSnapshot,
} from "./valueSnapshot.ts";

const HOUR_MS = 3_600_000;

/** What the snapshots of a day show. */
export interface DailyValue extends ValueChange {
  /** Start of the day, ms. */
  readonly day: number;
  /** The time and the total of the snapshot that the day begins with: the nearest to its start. */
  readonly since: number;
  readonly from: Decimal;
  /** The last total of the day. */
  readonly value: Decimal;
}

/**
 * The days that have snapshots, by time; all snapshots are of one account in one quote asset, by time. `startOf` returns
 * the start of a time's day. What changed between two snapshots more than an hour apart across midnight belongs to no day.
 */
export function dailyValues(
  snapshots: readonly ValueSnapshot[],
  trades: readonly TradedAmount[],
  startOf: (at: number) => number,
): readonly DailyValue[] {
  const days = [...Map.groupBy(snapshots, ({ at }) => startOf(at))];
  return days.flatMap(([day, ofDay], index) => {
    const [first] = ofDay;
    const last = ofDay.at(-1);
    if (!first || !last) return [];
    const before = days[index - 1]?.[1].at(-1);
    const isNearer = before !== undefined && day - before.at <= Math.min(HOUR_MS, first.at - day);
    const start = isNearer ? before : first;
    const all = isNearer ? [before, ...ofDay] : ofDay;
    const { result, transferred } = changeOver(all, trades);
    return { day, since: start.at, from: totalValue(start), value: totalValue(last), result, transferred };
  });
}
