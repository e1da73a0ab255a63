import type { Side } from "../market/order.ts";

export interface ChartLine {
  /** Decimal text. */
  readonly rate: string;
  /** Shown at the line; for an order, its side and quantity. */
  readonly label: string;
  /** For screen readers, with the rate. */
  readonly text: string;
}

export interface ChartOrder extends ChartLine {
  readonly side: Side;
}

export interface ChartFill {
  /** Ms since the epoch. */
  readonly at: number;
  readonly side: Side;
  /** For screen readers: side, quantity, rate and time. */
  readonly text: string;
}

/** Kinds of marks that the user can hide separately. */
export const markNames = ["orders", "fills", "averageCost"] as const;
export type MarkName = (typeof markNames)[number];
export type ShownMarks = Readonly<Record<MarkName, boolean>>;

/** The user's orders and alerts in the chart, without those disabled in the settings. */
export interface ChartMarks {
  readonly orders: readonly ChartOrder[];
  /** Sorted by time. */
  readonly fills: readonly ChartFill[];
  /** Armed alerts. Those on a price change have no line. */
  readonly alerts: readonly ChartLine[];
  readonly averageCost: ChartLine | undefined;
}

/** Initial marks of a page. */
export const NO_MARKS: ChartMarks = { orders: [], fills: [], alerts: [], averageCost: undefined };
