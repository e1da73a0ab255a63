import type { Decimal } from "../numbers/decimal.ts";
import {
  changeOver,
  totalValue,
  type TradedAmount,
  type ValueChange,
  type ValueSnapshot,
} from "./valueSnapshot.ts";

const HOUR_MS = 3_600_000;
/** From the start of any day of 23 to 25 hours, this leads into the next one. */
const INTO_NEXT_DAY_MS = 30 * HOUR_MS;

/** What the snapshots of a day show. */
export interface DailyValue extends ValueChange {
  /** Start of the day, ms. */
  readonly day: number;
  /** The time and the total of the snapshot that the day begins with: the nearest to its start. */
  readonly since: number;
  readonly from: Decimal;
  /** The total of the snapshot that the day ends with: the nearest to its end. The next day begins with it. */
  readonly value: Decimal;
}

interface Day {
  readonly day: number;
  readonly snapshots: readonly ValueSnapshot[];
}

/**
 * The days that have snapshots, by time; all snapshots are of one account in one quote asset, by time. `startOf` returns
 * the start of a time's day. Two days share the snapshot nearest to midnight, so that their results add up. Without one
 * within an hour of midnight, what changed across it belongs to no day.
 */
export function* dailyValues(
  snapshots: readonly ValueSnapshot[],
  trades: readonly TradedAmount[],
  startOf: (at: number) => number,
): Generator<DailyValue> {
  const days = [...Map.groupBy(snapshots, ({ at }) => startOf(at))].map(([day, all]) => ({
    day,
    snapshots: all,
  }));
  for (const [index, each] of days.entries()) {
    const start = sharedBy(days[index - 1], each, startOf);
    const end = sharedBy(each, days[index + 1], startOf);
    const all = [...new Set([start, ...each.snapshots, end])].filter((one) => one !== undefined);
    const [first] = all;
    const last = all.at(-1);
    if (!first || !last) continue;
    const ofTime = trades.filter(({ at }) => first.at < at && at <= last.at);
    const { result, transferred } = changeOver(all, ofTime);
    yield {
      day: each.day,
      since: first.at,
      from: totalValue(first),
      value: totalValue(last),
      result,
      transferred,
    };
  }
}

/** The snapshot nearest to the midnight between two days, if it is within an hour; undefined if they do not meet. */
function sharedBy(
  one: Day | undefined,
  next: Day | undefined,
  startOf: (at: number) => number,
): ValueSnapshot | undefined {
  const [before, after] = [one?.snapshots.at(-1), next?.snapshots[0]];
  if (!one || !next || !before || !after || startOf(one.day + INTO_NEXT_DAY_MS) !== next.day)
    return undefined;
  const [toBefore, toAfter] = [next.day - before.at, after.at - next.day];
  const nearest = toBefore <= toAfter ? before : after;
  return Math.min(toBefore, toAfter) <= HOUR_MS ? nearest : undefined;
}
