import type { OrderName } from "../../market/order.ts";
import type { Fill, OrderReport } from "../../market/orderReport.ts";
import type { KnownOrder } from "../../market/orders/knownOrder.ts";
import { isOwn, isPlaced, type PlacedOrder } from "../../storage/orders/order.ts";
import { Event } from "../event.ts";
import type { Orders } from "../orders/orders.ts";
import type { SignedIn } from "../venue.ts";
import { idsByClientId, idsBySimilarity } from "./ordersWithoutId.ts";

/** A change of one order, reported by the exchange. */
export interface OrderChange {
  readonly order: PlacedOrder;
  readonly newFills: readonly Fill[];
}

/** Records what the exchange states of orders, and announces what changed. */
export class OrderRecorder {
  readonly #orders: Orders;
  readonly #now: () => number;
  readonly #changed = new Event<OrderChange>();
  /** Serializes recording: two concurrent responses would both report the same fill as new. */
  #recording: Promise<unknown> = Promise.resolve();

  /** Fires once per change, in the window that read it. */
  readonly onDidChange = this.#changed.add;

  constructor(orders: Orders, now: () => number) {
    this.#orders = orders;
    this.#now = now;
  }

  /**
   * Records the reports of one response or event and announces their changes. Client ids prove that own orders with an
   * unknown outcome were placed. `areNews`: even the fills of orders that were not known before.
   */
  async record(venue: SignedIn, reports: readonly OrderReport[], areNews = false): Promise<void> {
    await this.#inTurn(() => this.#recordNow(venue, reports, areNews));
  }

  /** Records that a complete response, asked for at `askedAt` (ms), does not have these orders. */
  async recordAbsences(venue: SignedIn, missing: readonly PlacedOrder[], askedAt: number): Promise<void> {
    await this.#inTurn(async () => {
      const named = missing.map(({ known }) => known);
      await this.#orders.recordAbsences(named, askedAt, venue);
      for (const before of missing) {
        const order = this.#orders.get(before.name);
        if (order && isPlaced(order) && order.known !== before.known)
          this.#changed.fire({ order, newFills: [] });
      }
    });
  }

  async #inTurn(record: () => Promise<void>): Promise<void> {
    const recorded = this.#recording.then(record);
    this.#recording = recorded.catch(() => undefined);
    await recorded;
  }

  async #recordNow(venue: SignedIn, reports: readonly OrderReport[], areNews: boolean): Promise<void> {
    const orders = this.#orders;
    const before = reports.map((report) =>
      orders.ordersOf(report, venue).flatMap(({ known }) => known ?? []),
    );
    // First, so that the reports are attributed to own orders.
    for (const { id, orderId } of idsByClientId(reports, orders, venue, areNews))
      await orders.recordFound(id, orderId);
    await orders.recordReports(reports, venue);
    for (const { id, orderId } of idsBySimilarity(orders, venue, this.#now()))
      await orders.recordFound(id, orderId);
    const reported = new Set<string>();
    for (const [index, report] of reports.entries()) {
      const order = orders.get(nameIn(report, venue));
      const earlier = before[index] ?? [];
      // Two reports of one response may concern one order under two ids.
      if (!order || !isPlaced(order) || earlier.includes(order.known) || reported.has(order.id)) continue;
      reported.add(order.id);
      this.#changed.fire({ order, newFills: newFillsOf(order, earlier, areNews) });
    }
  }
}

/** The name of the order that a report of an account is about. */
export function nameIn({ orderId, pair, side }: OrderReport, venue: SignedIn): OrderName {
  return { ...venue.ref, ...pair, side, orderId };
}

/** The fills to announce, once a response confirms that the order exists. */
function newFillsOf(order: PlacedOrder, earlier: readonly KnownOrder[], areNews: boolean): readonly Fill[] {
  if (!order.known.isConfirmed) return [];
  const confirmed = earlier.filter(({ isConfirmed }) => isConfirmed);
  const seen = idsIn(confirmed);
  const newFills = order.known.fills.filter(({ id }) => !seen.has(id));
  if (areNews || isOwn(order) || confirmed.length > 0) return newFills;
  // The first history of an order placed elsewhere contains old fills, which are not news: those of events are.
  const pushed = idsIn(earlier);
  return newFills.filter(({ id }) => pushed.has(id));
}

function idsIn(orders: readonly KnownOrder[]): ReadonlySet<string> {
  return new Set(orders.flatMap(({ fills }) => fills.map(({ id }) => id)));
}
