import {
  changeBetween,
  totalValue,
  type TradedAmount,
  type ValueSnapshot,
} from "../../market/holdings/valueSnapshot.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import type { PlotPoint } from "../../protocol/portfolioPage.ts";
import { numberOf } from "../wallet/portfolioText.ts";

/** Longer than the time between two hourly values, which a slow start or a busy disk may delay. */
const GAP_MS = 2 * 3_600_000;
/** A page is not wider in pixels; more points would only take time. */
const MAX_POINTS = 1500;

interface PlotLine {
  readonly parts: readonly (readonly PlotPoint[])[];
  readonly low: Decimal;
  readonly high: Decimal;
  readonly from: number;
  readonly to: number;
}

/**
 * The line of the totals, by time, with a gap where nothing was recorded; undefined without a value. What was deposited,
 * withdrawn or entered since the value before, and no trade explains, is a vertical step.
 */
export function plotLine(
  snapshots: readonly ValueSnapshot[],
  trades: readonly TradedAmount[],
): PlotLine | undefined {
  const [first] = snapshots;
  const last = snapshots.at(-1);
  if (!first || !last) return undefined;
  // Every nth of a long record; the line stays within its true bounds because those are of all values.
  const nth = Math.ceil(snapshots.length / MAX_POINTS);
  const parts: { readonly at: number; readonly total: Decimal }[][] = [];
  let before: ValueSnapshot | undefined;
  let drawn: ValueSnapshot | undefined;
  for (const [index, each] of snapshots.entries()) {
    const isGap = before === undefined || each.at - before.at > GAP_MS;
    before = each;
    if (!isGap && index % nth !== 0 && each !== last) continue;
    if (isGap) parts.push([]);
    const { at } = each;
    const total = totalValue(each);
    const hasChanged = drawn && !isGap && !changeBetween(drawn, each, []).transferred.eq("0");
    const step = drawn && hasChanged ? changeBetween(drawn, each, trades).transferred : undefined;
    if (step && !step.eq("0")) parts.at(-1)?.push({ at, total: total.minus(step) });
    parts.at(-1)?.push({ at, total });
    drawn = each;
  }
  const totals = [...snapshots.map(totalValue), ...parts.flat().map(({ total }) => total)];
  const [low, high] = totals.reduce<[Decimal, Decimal]>(
    ([least, most], total) => [total.lt(least) ? total : least, total.gt(most) ? total : most],
    [totalValue(first), totalValue(first)],
  );
  const [span, height] = [last.at - first.at, high.minus(low)];
  const pointOf = ({ at, total }: { readonly at: number; readonly total: Decimal }): PlotPoint => ({
    x: span === 0 ? 1 : (at - first.at) / span,
    y: height.eq("0") ? 0.5 : numberOf(total.minus(low).div(height)),
  });
  return { parts: parts.map((part) => part.map(pointOf)), low, high, from: first.at, to: last.at };
}
