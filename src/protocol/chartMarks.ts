import type { Side } from "../market/order.ts";

export interface ChartOrder {
  readonly side: Side;
  /** Decimal text. */
  readonly rate: string;
  /** At its line: side and quantity. */
  readonly label: string;
  /** For screen readers, with the rate. */
  readonly text: string;
}

/** An armed alert at its price. Alerts on a price change have no line. */
export interface ChartAlert {
  /** Decimal text. */
  readonly rate: string;
  /** At its line. */
  readonly label: string;
  /** For screen readers, with the price. */
  readonly text: string;
}

export interface ChartFill {
  /** ms since the epoch. */
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
  readonly alerts: readonly ChartAlert[];
  readonly averageCost: { readonly rate: string; readonly label: string; readonly text: string } | undefined;
}

/** Initial marks of a page. */
export const NO_MARKS: ChartMarks = { orders: [], fills: [], alerts: [], averageCost: undefined };
