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
  return [...Map.groupBy(snapshots, ({ at }) => startOf(at))].flatMap(([day, ofDay]) => {
    const [first] = ofDay;
    const last = ofDay.at(-1);
    if (!first || !last) return [];
    const before = snapshots.findLast(({ at }) => day - HOUR_MS <= at && at < day);
    const isNearer = before !== undefined && day - before.at <= first.at - day;
    const start = isNearer ? before : first;
    const all = isNearer ? [before, ...ofDay] : ofDay;
    const { result, transferred } = changeOver(all, trades);
    return { day, since: start.at, from: totalValue(start), value: totalValue(last), result, transferred };
  });
}
