import type { NamedOrder } from "../../exchange/capabilities.ts";
import { keyOf, type OrderName } from "../../market/order.ts";
import { isExplained, type KnownOrder } from "../../market/orderReport.ts";
import type { OrderLives } from "../../storage/orders/orderLives.ts";
import type { RecordedOrder } from "../../storage/orders/replay.ts";
import type { Orders } from "../orders/orders.ts";
import { isInAccount, type Venue } from "../venue.ts";
import { knownOf, nameOf } from "./ownOrder.ts";

/** An order that may still change. */
export interface TrackedOrder extends NamedOrder {
  readonly name: OrderName;
  /** The key of the name. */
  readonly key: string;
  /** Undefined for an order that was placed elsewhere. */
  readonly own: RecordedOrder | undefined;
}

interface OpenOrder extends TrackedOrder {
  readonly own: RecordedOrder;
}

/**
 * The orders that may still change. An order leaves them once its end is known, so 50,000 done orders cost nothing. Only
 * when an own order changed, all own orders are gone through.
 */
export class TrackedOrders {
  readonly #orders: Pick<Orders, "all" | "lives">;
  #all: readonly RecordedOrder[] | undefined;
  /** All own orders with an exchange's id, by the keys of their names. */
  #own: ReadonlyMap<string, RecordedOrder> = new Map();
  /** Those of them that may still change. */
  readonly #open = new Map<string, OpenOrder>();
  readonly #ended = new WeakSet<RecordedOrder>();
  /** What is known of an own order, beside what its exchange had said of it then. */
  readonly #merged = new WeakMap<
    RecordedOrder,
    { readonly told: KnownOrder | undefined; readonly known: KnownOrder | undefined }
  >();

  constructor(orders: Pick<Orders, "all" | "lives">) {
    this.#orders = orders;
  }

  /** Of a venue: own orders, then those that were placed elsewhere. */
  of(venue: Venue): readonly TrackedOrder[] {
    this.#update();
    const { lives } = this.#orders;
    if (!lives) return [];
    const open = [...this.#open.values()].filter(
      (order) => isInAccount(order.name, venue) && this.#isOpen(order, lives),
    );
    const others = lives
      .unexplained()
      .flatMap(({ name, key, known }): TrackedOrder[] =>
        known && isInAccount(name, venue) && !this.#own.has(key)
          ? [{ ...namedOrder(name, known), name, key, own: undefined }]
          : [],
      );
    return [...open, ...others];
  }

  /** The own order of this key; undefined for an order that was placed elsewhere. */
  ownOf(key: string): RecordedOrder | undefined {
    this.#update();
    return this.#own.get(key);
  }

  /** What is known by now of an order that may still change; undefined once it may not. */
  known({ name, key }: TrackedOrder): KnownOrder | undefined {
    this.#update();
    const { lives } = this.#orders;
    if (!lives) return undefined;
    const open = this.#open.get(key);
    if (open) return this.#isOpen(open, lives) ? this.#knownOf(open, lives) : undefined;
    const known = this.#own.has(key) ? undefined : lives.get(name)?.known;
    return isOver(known) ? undefined : known;
  }

  #update(): void {
    const { all } = this.#orders;
    if (all === this.#all) return;
    this.#all = all;
    this.#open.clear();
    const named = all.flatMap((own) => {
      const name = nameOf(own);
      return name ? [{ own, name, key: keyOf(name) }] : [];
    });
    this.#own = new Map(named.map(({ key, own }) => [key, own]));
    for (const { own, name, key } of named) {
      const { accountResetAt, intent } = own;
      if (accountResetAt !== undefined || this.#ended.has(own)) continue;
      const pair = { quote: intent.quote, base: intent.base };
      this.#open.set(key, { ...namedOrder(name, { symbol: intent.symbol, pair }), name, key, own });
    }
  }

  #isOpen(order: OpenOrder, lives: OrderLives): boolean {
    const life = lives.get(order.name);
    if (!life || !(life.isExplained || isOver(this.#knownOf(order, lives)))) return true;
    this.#ended.add(order.own);
    this.#open.delete(order.key);
    return false;
  }

  #knownOf({ own, name }: OpenOrder, lives: OrderLives): KnownOrder | undefined {
    const told = lives.get(name)?.known;
    let merged = this.#merged.get(own);
    if (!merged || merged.told !== told) {
      merged = { told, known: knownOf(own, lives) };
      this.#merged.set(own, merged);
    }
    return merged.known;
  }
}

function isOver(known: KnownOrder | undefined): boolean {
  return known !== undefined && isExplained(known);
}

function namedOrder(
  { orderId, side }: OrderName,
  { symbol, pair }: Pick<KnownOrder, "symbol" | "pair">,
): NamedOrder {
  return { orderId, side, symbol, pair };
}
