import { isSameAccount } from "../../market/order.ts";
import type { KnownOrder } from "../../market/orders/knownOrder.ts";
import { pairKey, type Pair } from "../../market/pair.ts";
import { isOwn, isPlaced, type PlacedOrder } from "../../storage/orders/order.ts";
import type { Orders } from "../orders/orders.ts";
import type { SignedIn } from "../venue.ts";

/**
 * Open orders of a pair as reported by the exchange, including those placed elsewhere, oldest first. Orders that were
 * only accepted are not included: they may have been filled at once.
 */
export function openOrdersOf({ quote, base }: Pair, venue: SignedIn, orders: Orders): KnownOrder[] {
  return openIn(venue, orders).flatMap(({ name, known }) =>
    name.quote === quote && name.base === base ? [known] : [],
  );
}

/** The symbols of all pairs with open orders. */
export function openSymbolsOf(venue: SignedIn, orders: Orders): string[] {
  return [...new Set(openIn(venue, orders).map(({ name }) => pairKey(name)))];
}

function openIn(venue: SignedIn, { own, elsewhere }: Orders): PlacedOrder[] {
  return [...own, ...elsewhere]
    .filter(isPlaced)
    .filter((order) => {
      const { name, known } = order;
      const isReset = isOwn(order) && order.accountResetAt !== undefined;
      return known.status === "open" && !isReset && isSameAccount(name, venue.ref);
    })
    .sort((one, other) => one.at - other.at);
}
