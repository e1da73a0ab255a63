import type { NamedOrder } from "../../exchange/capabilities.ts";
import { keyOf, type OrderName } from "../../market/order.ts";
import { hasAllFills, hasEnded, isExplained, type KnownOrder } from "../../market/orderReport.ts";
import type { OrderLife, OrderLives } from "../../storage/orders/orderLives.ts";
import type { RecordedOrder } from "../../storage/orders/replay.ts";
import type { Orders } from "../orders/orders.ts";
import { isInAccount, type Venue } from "../venue.ts";
import { knownOf, nameOf } from "./ownOrder.ts";

/**
 * An order that may still change, or whose end is not wholly known. `orderId` is the id that the exchange has for it
 * now.
 */
export interface TrackedOrder extends NamedOrder {
  /** By the id that it was accepted with. */
  readonly name: OrderName;
  /** All its ids. */
  readonly ids: readonly string[];
  /** The key of the name. */
  readonly key: string;
  /** Undefined for an order that was placed elsewhere. */
  readonly own: RecordedOrder | undefined;
}

interface OpenOrder extends TrackedOrder {
  readonly own: RecordedOrder;
}

/** The fills of an order are asked for until this long after the last record of it: services forget orders too. */
const ASKED_MS = 7 * 86_400_000;

/**
 * The orders that may still change, and those whose end a failed reading left incomplete. An order leaves them once its
 * end and its fills are known, so 50,000 done orders cost nothing. Only when an own order changed, all own orders are
 * gone through.
 */
export class TrackedOrders {
  readonly #orders: Pick<Orders, "all" | "lives">;
  readonly #now: () => number;
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

  /** `now`: ms since the epoch. */
  constructor(orders: Pick<Orders, "all" | "lives">, now: () => number) {
    this.#orders = orders;
    this.#now = now;
  }

  /** Of a venue: own orders, then those that were placed elsewhere. */
  of(venue: Venue): readonly TrackedOrder[] {
    this.#update();
    const { lives } = this.#orders;
    if (!lives) return [];
    const open = [...this.#open.values()]
      .filter((order) => isInAccount(order.name, venue) && this.#isOpen(order, lives))
      .map((order) => {
        const life = lives.get(order.name);
        return life && life.ids.length > 1 ? { ...order, ...idsOf(life) } : order;
      });
    const others = [...lives.unexplained(), ...lives.unfinished(this.#askedSince)].flatMap(
      (life): TrackedOrder[] => {
        const { name, key, known } = life;
        const isOther = known && isInAccount(name, venue) && !this.#isOwn(life) && !this.#isOver(life, known);
        return isOther ? [{ ...namedOrder(name, known), name, key, own: undefined, ...idsOf(life) }] : [];
      },
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
    const life = this.#own.has(key) ? undefined : lives.get(name);
    return life?.known && !this.#isOver(life, life.known) ? life.known : undefined;
  }

  get #askedSince(): number {
    return this.#now() - ASKED_MS;
  }

  #isOwn({ name, ids }: OrderLife): boolean {
    return ids.some((orderId) => this.#own.has(keyOf({ ...name, orderId })));
  }

  /** Whether nothing more is to be learned of an order. */
  #isOver({ lastAt }: OrderLife, known: KnownOrder): boolean {
    if (!hasEnded(known)) return false;
    return lastAt < this.#askedSince || (isExplained(known) && hasAllFills(known));
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
      const named = namedOrder(name, { symbol: intent.symbol, pair });
      this.#open.set(key, { ...named, name, key, own, ids: [name.orderId] });
    }
  }

  #isOpen(order: OpenOrder, lives: OrderLives): boolean {
    const life = lives.get(order.name);
    if (!life) return true;
    // Of an old order whose end is recorded, no report is read.
    const isOld = life.isEndRecorded && life.lastAt < this.#askedSince;
    const known = isOld ? undefined : this.#knownOf(order, lives);
    if (!isOld && !(known && this.#isOver(life, known))) return true;
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

function idsOf({ currentId, ids }: OrderLife): Pick<TrackedOrder, "orderId" | "ids"> {
  return { orderId: currentId, ids };
}

function namedOrder(
  { orderId, side }: OrderName,
  { symbol, pair }: Pick<KnownOrder, "symbol" | "pair">,
): NamedOrder {
  return { orderId, side, symbol, pair };
}
