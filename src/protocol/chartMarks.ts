import type { AlertEdge } from "../market/alertRule.ts";
import type { LineEnd } from "../market/drawnLine.ts";

interface Mark {
  /** Decimal text. */
  readonly rate: string;
  /** Its colour: that of rising prices for a buy, of falling ones for a sale, or the text's. */
  readonly tone: "up" | "down" | "plain";
  /** For screen readers, with the rate. */
  readonly text: string;
}

/** A line that the user can move, edit and remove in the chart. */
export type LineRef =
  | { readonly kind: "drawn"; readonly id: string }
  | { readonly kind: "alert"; readonly id: string; readonly edge: AlertEdge };

/** A line across the chart. */
export interface LineMark extends Mark {
  readonly kind: "last" | "order" | "alert" | "averageCost" | "drawn";
  /** Shown at the line; for an order, its side and quantity. */
  readonly label: string;
  /** Undefined if the chart cannot change it. */
  readonly ref?: LineRef | undefined;
  /** Its row is selected in Orders, Alerts or Wallet, or it is selected in the chart. */
  readonly isSelected?: boolean;
}

/** A line between two points. */
export interface TrendMark {
  readonly kind: "trend";
  readonly from: LineEnd;
  readonly to: LineEnd;
  /** Shown at its later end. */
  readonly label: string;
  /** For screen readers. */
  readonly text: string;
  readonly ref: LineRef;
  readonly isSelected?: boolean;
}

/** An arrow at the candle of its time. */
export interface FillMark extends Mark {
  readonly kind: "fill";
  /** Ms since the epoch. */
  readonly at: number;
}

/** A mark in the chart. Alerts on a price change or a volume have none. */
export type ChartMark = LineMark | TrendMark | FillMark;

export function isFill(mark: ChartMark): mark is FillMark {
  return mark.kind === "fill";
}

export function isTrend(mark: ChartMark): mark is TrendMark {
  return mark.kind === "trend";
}

export function isLine(mark: ChartMark): mark is LineMark {
  return !isFill(mark) && !isTrend(mark);
}

/** Kinds of marks that the user can hide separately. */
export const markNames = ["orders", "fills", "averageCost"] as const;
export type MarkName = (typeof markNames)[number];
export type ShownMarks = Readonly<Record<MarkName, boolean>>;
