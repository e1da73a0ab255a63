/** An end of a trend line. */
export interface LineEnd {
  /** ms since the epoch; may be outside the candles. */
  readonly at: number;
  /** Decimal text. */
  readonly price: string;
}

export type LineShape =
  | { readonly kind: "level"; readonly price: string }
  /** Its ends may be in either order of time. */
  | { readonly kind: "trend"; readonly from: LineEnd; readonly to: LineEnd };

/** A line that the user drew in the charts of a pair. */
export interface DrawnLine {
  readonly id: string;
  readonly venue: "practice" | "live";
  /** Scheme, host and port of the exchange. Meaningless for the practice exchange, whose address changes. */
  readonly origin: string;
  readonly symbol: string;
  /** "" if the user gave it none. */
  readonly name: string;
  readonly shape: LineShape;
}

/** A longer name would cover candles. */
export const MAX_LINE_NAME = 24;
