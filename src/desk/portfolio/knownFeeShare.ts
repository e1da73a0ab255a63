import { recentFeeShare } from "../../market/holdings/feeShare.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import type { Pair } from "../../market/pair.ts";
import type { Orders } from "../orders/orders.ts";
import { accountOf, type Venue } from "../venue.ts";

/** The fee of the account's last trades of a pair, as a share of the amount; undefined if no trade shows it. */
export function knownFeeShare({ trades }: Orders, venue: Venue | undefined, pair: Pair): Decimal | undefined {
  const known = venue && trades?.get(accountOf(venue), pair);
  return known && recentFeeShare(known.trades, pair.quote);
}
