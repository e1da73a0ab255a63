import type { Side } from "../market/order.ts";

/** An open order. */
export interface ChartOrder {
  readonly side: Side;
  /** Decimal text. */
  readonly rate: string;
  /** At its line: side and quantity. */
  readonly label: string;
  /** The same in words, with the rate. */
  readonly text: string;
}

/** An alert that is on, at its price. An alert on a change of the price has no line. */
export interface ChartAlert {
  /** Decimal text. */
  readonly rate: string;
  /** At its line. */
  readonly label: string;
  /** The same in words, with the price. */
  readonly text: string;
}

/** One match of an order. */
export interface ChartFill {
  /** ms since the epoch. */
  readonly at: number;
  readonly side: Side;
  /** In words: side, quantity, rate and time. */
  readonly text: string;
}

/** The kinds of marks, each of which the person can hide. */
export const markNames = ["orders", "fills", "averageCost"] as const;
export type MarkName = (typeof markNames)[number];
/** Which marks the person wants. */
export type ShownMarks = Readonly<Record<MarkName, boolean>>;

/** The person's own orders and alerts in the chart. What the settings switch off is left out. */
export interface ChartMarks {
  readonly orders: readonly ChartOrder[];
  /** In the order of their times. */
  readonly fills: readonly ChartFill[];
  readonly alerts: readonly ChartAlert[];
  readonly averageCost: { readonly rate: string; readonly label: string; readonly text: string } | undefined;
}

/** The marks of a page until it gets others. */
export const NO_MARKS: ChartMarks = { orders: [], fills: [], alerts: [], averageCost: undefined };
