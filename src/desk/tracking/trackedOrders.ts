import { isSameAccount } from "../../market/order.ts";
import { hasEnded } from "../../market/orders/knownOrder.ts";
import { isOwn, isPlaced, type Order, type PlacedOrder } from "../../storage/orders/order.ts";
import type { Orders } from "../orders/orders.ts";
import type { SignedIn } from "../venue.ts";

/** How long after an order's last record its fills are still requested: exchanges delete old orders. */
const ASKED_MS = 7 * 86_400_000;

/**
 * Orders of an account that may still change, and those that ended with data missing: own ones, then those placed
 * elsewhere. `now`: ms since the epoch.
 */
export function trackedOrders(
  { own, elsewhere }: Orders,
  { ref }: SignedIn,
  now: number,
): readonly PlacedOrder[] {
  return [...own, ...elsewhere].filter(
    (order): order is PlacedOrder => isTracked(order, now) && isSameAccount(order.name, ref),
  );
}

function isTracked(order: Order, now: number): order is PlacedOrder {
  if (!isPlaced(order) || (order.known.isComplete && order.known.isConfirmed)) return false;
  if (isOwn(order) && order.accountResetAt !== undefined) return false;
  const { known, lastAt } = order;
  return !hasEnded(known) || lastAt === undefined || lastAt >= now - ASKED_MS;
}
