import { hasEnded, isGone, type KnownOrder } from "../../market/orderReport.ts";
import type { Pair } from "../../market/pair.ts";
import type { OrderLives } from "../../storage/orders/orderLives.ts";
import { isInAccount, type Venue } from "../venue.ts";

/**
 * The orders of a pair that the exchange says are open, also those placed elsewhere. An order that was only accepted is
 * not among them: nothing says that it rests.
 */
export function openOrdersOf(
  { quote, base }: Pair,
  venue: Venue,
  lives: OrderLives | undefined,
): KnownOrder[] {
  return (lives?.unexplained() ?? []).flatMap(({ name, known: told }) => {
    const known = name.quote === quote && name.base === base && isInAccount(name, venue) ? told : undefined;
    return known?.status === "open" && !hasEnded(known) && !isGone(known) ? [known] : [];
  });
}
