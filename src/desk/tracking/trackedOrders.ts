import type { NamedOrder } from "../../exchange/capabilities.ts";
import { hasEnded, type KnownOrder } from "../../market/orderReport.ts";
import { isOwn, isPlaced, type Order, type PlacedOrder } from "../../storage/orders/order.ts";
import type { Orders } from "../orders/orders.ts";
import { isInAccount, type Venue } from "../venue.ts";

/** The fills of an order are asked for until this long after the last record of it: services forget orders too. */
const ASKED_MS = 7 * 86_400_000;

/** The orders that may still change, and those whose end a failed reading left incomplete. */
export class TrackedOrders {
  readonly #orders: Pick<Orders, "own" | "elsewhere" | "get">;
  readonly #now: () => number;

  /** `now`: ms since the epoch. */
  constructor(orders: Pick<Orders, "own" | "elsewhere" | "get">, now: () => number) {
    this.#orders = orders;
    this.#now = now;
  }

  /** Of a venue: own orders, then those that were placed elsewhere. */
  of(venue: Venue): readonly PlacedOrder[] {
    const { own, elsewhere } = this.#orders;
    return [...own, ...elsewhere].filter(
      (order): order is PlacedOrder => this.#isTracked(order) && isInAccount(order.name, venue),
    );
  }

  /** What is known by now of an order that may still change; undefined once it may not. */
  known({ name }: PlacedOrder): KnownOrder | undefined {
    const order = this.#orders.get(name);
    return order && this.#isTracked(order) ? order.known : undefined;
  }

  #isTracked(order: Order): order is PlacedOrder {
    if (!isPlaced(order) || order.isComplete) return false;
    if (isOwn(order) && order.accountResetAt !== undefined) return false;
    const { known, lastAt } = order;
    return !hasEnded(known) || lastAt === undefined || lastAt >= this.#now() - ASKED_MS;
  }
}

/** How the exchange names the order now. */
export function namedOrder({ name, currentId, known }: PlacedOrder): NamedOrder {
  const { symbol, pair } = known;
  return { orderId: currentId ?? name.orderId, side: name.side, symbol, pair };
}
