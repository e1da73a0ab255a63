import { isSameAccount } from "../../market/order.ts";
import { hasEnded, type KnownOrder } from "../../market/orders/knownOrder.ts";
import { isOwn, isPlaced, type Order, type PlacedOrder } from "../../storage/orders/order.ts";
import type { Orders } from "../orders/orders.ts";
import type { SignedIn } from "../venue.ts";

/** How long after an order's last record its fills are still requested: exchanges delete old orders. */
const ASKED_MS = 7 * 86_400_000;

/** Orders that may still change, and those that ended with data missing. */
export class TrackedOrders {
  readonly #orders: Pick<Orders, "own" | "elsewhere" | "get">;
  readonly #now: () => number;

  /** `now`: ms since the epoch. */
  constructor(orders: Pick<Orders, "own" | "elsewhere" | "get">, now: () => number) {
    this.#orders = orders;
    this.#now = now;
  }

  /** Own orders of an account, then those placed elsewhere. */
  of(venue: SignedIn): readonly PlacedOrder[] {
    const { own, elsewhere } = this.#orders;
    return [...own, ...elsewhere].filter(
      (order): order is PlacedOrder => this.#isTracked(order) && isSameAccount(order.name, venue.ref),
    );
  }

  /** The current data of an order that may still change; undefined once it cannot. */
  known({ name }: PlacedOrder): KnownOrder | undefined {
    const order = this.#orders.get(name);
    return order && this.#isTracked(order) ? order.known : undefined;
  }

  #isTracked(order: Order): order is PlacedOrder {
    if (!isPlaced(order) || (order.known.isComplete && order.known.isConfirmed)) return false;
    if (isOwn(order) && order.accountResetAt !== undefined) return false;
    const { known, lastAt } = order;
    return !hasEnded(known) || lastAt === undefined || lastAt >= this.#now() - ASKED_MS;
  }
}
