interface Mark {
  /** Decimal text. */
  readonly rate: string;
  /** Its colour: that of rising prices for a buy, of falling ones for a sale, or the text's. */
  readonly tone: "up" | "down" | "plain";
  /** For screen readers, with the rate. */
  readonly text: string;
}

/** A line across the chart. */
export interface LineMark extends Mark {
  readonly kind: "last" | "order" | "alert" | "averageCost";
  /** Shown at the line; for an order, its side and quantity. */
  readonly label: string;
  /** Its row is selected in Orders, Alerts or Wallet. */
  readonly isSelected?: boolean;
}

/** An arrow at the candle of its time. */
export interface FillMark extends Mark {
  readonly kind: "fill";
  /** Ms since the epoch. */
  readonly at: number;
}

/** A mark in the chart. Alerts on a price change have none. */
export type ChartMark = LineMark | FillMark;

export function isFill(mark: ChartMark): mark is FillMark {
  return mark.kind === "fill";
}

export function isLine(mark: ChartMark): mark is LineMark {
  return mark.kind !== "fill";
}

/** Kinds of marks that the user can hide separately. */
export const markNames = ["orders", "fills", "averageCost"] as const;
export type MarkName = (typeof markNames)[number];
export type ShownMarks = Readonly<Record<MarkName, boolean>>;
