import { hasEnded, isGone, type KnownOrder } from "../../market/orderReport.ts";
import { pairKey, type Pair } from "../../market/pair.ts";
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
  return openIn(venue, lives).flatMap(({ pair, known }) =>
    pair.quote === quote && pair.base === base ? [known] : [],
  );
}

/** The symbols of all pairs with such orders. */
export function openSymbolsOf(venue: Venue, lives: OrderLives | undefined): string[] {
  return [...new Set(openIn(venue, lives).map(({ pair }) => pairKey(pair)))];
}

function openIn(venue: Venue, lives: OrderLives | undefined): { pair: Pair; known: KnownOrder }[] {
  return (lives?.unexplained() ?? []).flatMap(({ name, known }) => {
    if (!isInAccount(name, venue) || known?.status !== "open") return [];
    return hasEnded(known) || isGone(known) ? [] : [{ pair: name, known }];
  });
}
