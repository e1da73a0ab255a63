import type { Decimal } from "../numbers/decimal.ts";
import type { Side } from "../order.ts";

export interface PublicTrade {
  /** ms since the epoch. */
  readonly at: number;
  /** Quote per base. */
  readonly rate: Decimal;
  /** In base. */
  readonly size: Decimal;
  /** Side of the taker. */
  readonly side: Side;
}
