import { totalValue, type ValueSnapshot } from "../../market/holdings/valueSnapshot.ts";
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

/** The line of the totals, by time, with a gap where nothing was recorded; undefined without a value. */
export function plotLine(snapshots: readonly ValueSnapshot[]): PlotLine | undefined {
  const values = snapshots.map((each) => ({ at: each.at, total: totalValue(each) }));
  const [first] = values;
  const last = values.at(-1);
  if (!first || !last) return undefined;
  const [low, high] = values.reduce<[Decimal, Decimal]>(
    ([least, most], { total }) => [total.lt(least) ? total : least, total.gt(most) ? total : most],
    [first.total, first.total],
  );
  const [span, height] = [last.at - first.at, high.minus(low)];
  // Every nth of a long record; the line stays within its true bounds because those are of all values.
  const step = Math.ceil(values.length / MAX_POINTS);
  const parts: PlotPoint[][] = [];
  let before: number | undefined;
  for (const [index, { at, total }] of values.entries()) {
    const isGap = before === undefined || at - before > GAP_MS;
    before = at;
    if (!isGap && index % step !== 0 && index !== values.length - 1) continue;
    if (isGap) parts.push([]);
    parts.at(-1)?.push({
      x: span === 0 ? 1 : (at - first.at) / span,
      y: height.eq("0") ? 0.5 : numberOf(total.minus(low).div(height)),
    });
  }
  return { parts, low, high, from: first.at, to: last.at };
}
