import { cancelStateOf } from "../../desk/life/canceller.ts";
import { knownOf, nameOf } from "../../desk/life/ownOrder.ts";
import { needsAttention, type Orders } from "../../desk/orders/orders.ts";
import { isAt, tellsOrders, type CurrentVenue, type Venue, type VenueId } from "../../desk/venue.ts";
import { keyOf, type OrderName } from "../../market/order.ts";
import { hasEnded, type KnownOrder } from "../../market/orderReport.ts";
import type { CancelRecord } from "../../storage/orders/lifeRecords.ts";
import type { OrderLife } from "../../storage/orders/orderLives.ts";
import type { RecordedOrder } from "../../storage/orders/replay.ts";

/** The groups of the Orders view, in their order. */
export const groupNames = ["needsYou", "open", "done"] as const;
export type GroupName = (typeof groupNames)[number];

/**
 * One order of the view: an own order, or one that was placed elsewhere. The object stays the same while the order
 * changes, so that the editor can redraw its row alone.
 */
export class OrderRow {
  /** Never used for another order. */
  readonly id: string;
  /** Whether the order is at the open exchange. */
  isHere = true;
  #own: RecordedOrder | undefined;
  #life: OrderLife | undefined;
  #name: OrderName | undefined;
  #merged:
    | {
        readonly own: RecordedOrder;
        readonly of: KnownOrder | undefined;
        readonly known: KnownOrder | undefined;
      }
    | undefined;
  #hasEnded = false;
  readonly #orders: Pick<Orders, "lives">;

  constructor(id: string, orders: Pick<Orders, "lives">) {
    this.id = id;
    this.#orders = orders;
  }

  /** The record of this computer; undefined if the order was placed elsewhere. */
  get own(): RecordedOrder | undefined {
    return this.#own;
  }

  /** The order at its exchange; undefined while no id is proven. */
  get name(): OrderName | undefined {
    return this.#own ? nameOf(this.#own) : this.#name;
  }

  /** All that is known of the order; undefined without the exchange's id. */
  get known(): KnownOrder | undefined {
    const own = this.#own;
    const told = this.life?.known;
    if (!own) return told;
    if (this.#merged?.own !== own || this.#merged.of !== told)
      this.#merged = { own, of: told, known: knownOf(own, this.#orders.lives) };
    return this.#merged.known;
  }

  /** The newest step of a cancellation. */
  get cancel(): CancelRecord | undefined {
    return this.life?.cancel;
  }

  /** What the exchange said of the order, and the cancellations. */
  get life(): OrderLife | undefined {
    if (this.#life) return this.#life;
    const { name } = this;
    return (this.#life = name && this.#orders.lives?.get(name));
  }

  /** When the order was placed, ms. For an order from elsewhere: when it was first seen. */
  get at(): number {
    return this.#own?.intent.at ?? this.#life?.firstAt ?? 0;
  }

  get group(): GroupName {
    if (!this.#own) return this.#isOver ? "done" : "open";
    if (needsAttention(this.#own)) return "needsYou";
    const { state, accountResetAt, orderId } = this.#own;
    if (accountResetAt !== undefined) return "done";
    if (state === "sending") return "open";
    return state !== "accepted" || orderId === undefined || this.#isOver ? "done" : "open";
  }

  /** Whether the order can be cancelled where its exchange offers it. */
  get isCancellable(): boolean {
    return this.group === "open" && this.name !== undefined && this.known !== undefined;
  }

  /** The progress of a cancellation. */
  get cancelState(): ReturnType<typeof cancelStateOf> {
    return this.#own?.accountResetAt === undefined && !this.#isOver ? cancelStateOf(this.life) : undefined;
  }

  setOwn(own: RecordedOrder): void {
    if (this.#own?.orderId !== own.orderId) this.#life = undefined;
    this.#own = own;
  }

  setLife(life: OrderLife): void {
    this.#life = life;
    this.#name = life.name;
  }

  /** An end is final. Most orders of a long journal have ended, so their records are not read for this. */
  get #isOver(): boolean {
    if (this.#hasEnded) return true;
    const known = this.life?.isEndRecorded === true ? undefined : this.known;
    return (this.#hasEnded = this.life?.isEndRecorded === true || (known !== undefined && hasEnded(known)));
  }
}

/** The orders of the view at one moment. */
export interface OrderList {
  /** Whether the exchange tells what became of orders, so that they are listed in groups. */
  readonly isGrouped: boolean;
  /** The orders of the open exchange: those that need attention first, then the newest. */
  readonly here: readonly OrderRow[];
  /** The same by group, the newest first, with the orders that were placed elsewhere. Empty without groups. */
  readonly groups: Readonly<Record<GroupName, readonly OrderRow[]>>;
  /** Own orders at other exchanges. */
  readonly others: readonly OrderRow[];
  /** Orders have several quote assets, so a base asset does not name a pair. */
  readonly hasSeveralQuotes: boolean;
}

interface Options {
  readonly orders: Pick<Orders, "all" | "lives">;
  readonly venue: Pick<CurrentVenue, "venue" | "id">;
}

/** The own orders as rows, which change only if an own order or the exchange changes. */
interface OwnRows {
  readonly of: readonly RecordedOrder[];
  readonly venue: Venue | undefined;
  readonly venueId: VenueId;
  readonly all: readonly OrderRow[];
  readonly here: readonly OrderRow[];
  readonly others: readonly OrderRow[];
}

/**
 * Keeps one row for each order. A report of an order looks only at the orders that have not ended; all rows are gone
 * through when an own order changed or an order came.
 */
export class OrderRows {
  readonly #options: Options;
  readonly #own = new Map<string, OrderRow>();
  readonly #elsewhere = new Map<string, OrderRow>();
  #ownRows: OwnRows | undefined;
  #lives: readonly OrderLife[] | undefined;
  /** Orders of which only a cancellation is recorded. */
  #unlisted: OrderLife[] = [];
  #list: OrderList | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  read(): OrderList {
    const { orders, venue } = this.#options;
    const ownRows = this.#readOwn();
    const lives = orders.lives?.all();
    const isGrouped = tellsOrders(venue.venue);
    const before = this.#list;
    const isSame =
      before && ownRows === this.#ownRows && lives === this.#lives && isGrouped === before.isGrouped;
    this.#ownRows = ownRows;
    this.#lives = lives;
    return (this.#list = isSame ? this.#readEnds(before) : this.#readAll(ownRows, isGrouped));
  }

  /** The row of an order at its exchange; undefined if it is not listed. */
  find(name: OrderName): OrderRow | undefined {
    const key = keyOf(name);
    const own = [...this.#own.values()].find(
      (row) => row.name?.orderId === name.orderId && keyOf(row.name) === key,
    );
    return own ?? this.#elsewhere.get(key);
  }

  /** The list after reports of known orders: they only end. A cancellation alone is no order, and may have become one. */
  #readEnds(before: OrderList): OrderList {
    const ended = before.groups.open.filter(({ group }) => group !== "open");
    const isListed = this.#unlisted.every((life) => !life.known);
    if (!isListed && this.#ownRows) return this.#readAll(this.#ownRows, before.isGrouped);
    if (ended.length === 0) return before;
    const open = before.groups.open.filter(({ group }) => group === "open");
    const done = [...before.groups.done, ...ended].sort(byAge);
    return { ...before, groups: { ...before.groups, open, done } };
  }

  #readAll({ all, here, others }: OwnRows, isGrouped: boolean): OrderList {
    const groups: Record<GroupName, OrderRow[]> = { needsYou: [], open: [], done: [] };
    const elsewhere = isGrouped ? this.#placedElsewhere(all) : [];
    if (isGrouped) {
      for (const rows of [here, elsewhere]) for (const row of rows) groups[row.group].push(row);
      for (const name of groupNames) groups[name].sort(byAge);
    }
    const quotes = new Set<string | undefined>();
    for (const { own } of all) quotes.add(own?.intent.quote);
    for (const { name } of elsewhere) quotes.add(name?.quote);
    return { isGrouped, here, groups, others, hasSeveralQuotes: quotes.size > 1 };
  }

  #readOwn(): OwnRows {
    const { orders, venue: current } = this.#options;
    const { venue, id: venueId } = current;
    const known = this.#ownRows;
    if (known?.of === orders.all && known.venue === venue && known.venueId === venueId) return known;
    // The address of an exchange is formatted at each comparison, and most orders are where the order before is.
    let before: { readonly intent: RecordedOrder["intent"]; readonly isHere: boolean } | undefined;
    const isHere = ({ intent }: RecordedOrder): boolean => {
      const isSame = before?.intent.origin === intent.origin && before.intent.venue === intent.venue;
      if (!before || !isSame) before = { intent, isHere: this.#isHere(intent) };
      return before.isHere;
    };
    const all = orders.all.map((order) => this.#rowOf(order, isHere(order)));
    const rows = { all, here: all.filter((row) => row.isHere), others: all.filter((row) => !row.isHere) };
    return { of: orders.all, venue, venueId, ...rows };
  }

  #rowOf(order: RecordedOrder, isHere: boolean): OrderRow {
    const { id } = order.intent;
    let row = this.#own.get(id);
    if (!row) this.#own.set(id, (row = new OrderRow(id, this.#options.orders)));
    row.setOwn(order);
    row.isHere = isHere;
    return row;
  }

  #placedElsewhere(own: readonly OrderRow[]): OrderRow[] {
    const ownLives = new Set<OrderLife | undefined>();
    for (const { life } of own) ownLives.add(life);
    const rows: OrderRow[] = [];
    this.#unlisted = [];
    for (const life of this.#options.orders.lives?.all() ?? []) {
      if (ownLives.has(life) || !this.#isHere(life.name)) continue;
      // Without a report there is only a cancellation, which tells no order.
      if (life.isEndRecorded || life.known) rows.push(this.#rowOfLife(life));
      else this.#unlisted.push(life);
    }
    return rows;
  }

  #rowOfLife(life: OrderLife): OrderRow {
    let row = this.#elsewhere.get(life.key);
    if (!row) this.#elsewhere.set(life.key, (row = new OrderRow(life.key, this.#options.orders)));
    row.setLife(life);
    return row;
  }

  /** Whether an order belongs to the open exchange. While no exchange is open: to the kind of exchange that opens. */
  #isHere(place: Parameters<typeof isAt>[0]): boolean {
    const { venue, id } = this.#options.venue;
    return venue ? isAt(place, venue) : place.venue === id;
  }
}

/** The newest first. */
function byAge(one: OrderRow, other: OrderRow): number {
  return other.at - one.at;
}
