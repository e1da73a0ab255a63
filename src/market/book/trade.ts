import type { Decimal } from "../numbers/decimal.ts";
import type { Side } from "../order.ts";

/** A match of the market. */
export interface Trade {
  /** ms since the epoch. */
  readonly at: number;
  /** Quote per one base. */
  readonly rate: Decimal;
  /** In base. */
  readonly size: Decimal;
  /** The side of the order that was not in the book before. */
  readonly side: Side;
}
