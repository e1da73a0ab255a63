import type { Desk } from "../../desk/desk.ts";
import { needsAttention } from "../../desk/orders/orders.ts";
import { reportsOrders, type CurrentVenue } from "../../desk/venue.ts";
import { accountId, type AccountRef, type OrderName } from "../../market/order.ts";
import { hasEnded, type KnownOrder } from "../../market/orders/knownOrder.ts";
import { pairKey } from "../../market/pair.ts";
import { isOwn, type Order, type OwnOrder } from "../../storage/orders/order.ts";

/** The groups of the Orders view, top to bottom. */
export const groupNames = ["actionNeeded", "open", "done"] as const;
export type GroupName = (typeof groupNames)[number];

/** An account that this window does not show. */
export interface OtherAccount {
  readonly account: AccountRef;
  /** Newest first, including orders placed elsewhere. */
  readonly orders: readonly Order[];
}

/**
 * One order of the view. The object is reused while the order changes, so that the editor can repaint its row alone.
 */
export class OrderRow {
  readonly id: string;
  readonly #venue: CurrentVenue;
  order: Order;

  constructor(order: Order, venue: CurrentVenue) {
    this.id = order.id;
    this.order = order;
    this.#venue = venue;
  }

  /** Undefined if the order was placed elsewhere. */
  get own(): OwnOrder | undefined {
    return isOwn(this.order) ? this.order : undefined;
  }

  /** Undefined without an exchange id. */
  get known(): KnownOrder | undefined {
    return this.order.known;
  }

  /** The pair's; undefined if only a cancellation is known. */
  get symbol(): string | undefined {
    const pair = this.own?.intent ?? this.known?.pair;
    return pair && pairKey(pair);
  }

  /** Whether it belongs to the account of this window. */
  get isOurs(): boolean {
    return accountId(this.order.account) === this.#venue.account.id;
  }

  get group(): GroupName {
    const { own, known } = this;
    if (own && needsAttention(own)) return "actionNeeded";
    const hasNoReports =
      own !== undefined && own.state !== "sending" && (own.state !== "accepted" || own.orderId === undefined);
    const isOver = own?.accountResetAt !== undefined || (known !== undefined && hasEnded(known));
    return hasNoReports || isOver ? "done" : "open";
  }

  /** Whether the order can be cancelled, if the exchange supports it. */
  get isCancellable(): boolean {
    return this.isOurs && this.group === "open" && this.known !== undefined;
  }

  get cancelState(): KnownOrder["cancel"] {
    return this.own?.accountResetAt === undefined ? this.known?.cancel : undefined;
  }
}

export interface OrderList {
  /** Whether the exchange reports orders, so that they are grouped. */
  readonly isGrouped: boolean;
  /** Orders of the current account: those that need attention first, then the newest. */
  readonly here: readonly OrderRow[];
  /** The same by group, newest first, plus orders placed elsewhere. Empty if not grouped. */
  readonly groups: Readonly<Record<GroupName, readonly OrderRow[]>>;
  /** The other accounts, without settled practice orders. Their orders are not followed. */
  readonly accounts: readonly OtherAccount[];
  /** There are several quote assets, so a base asset does not identify a pair. */
  readonly hasSeveralQuotes: boolean;
}

/** Builds the list, with one stable row per order. */
export class OrderRows {
  readonly #desk: Pick<Desk, "orders" | "venue">;
  #rows: ReadonlyMap<string, OrderRow> = new Map();
  /** What `#list` was built from. */
  #sources: readonly unknown[] = [];
  #list: OrderList | undefined;

  constructor(desk: Pick<Desk, "orders" | "venue">) {
    this.#desk = desk;
  }

  read(): OrderList {
    const { orders, venue } = this.#desk;
    const sources = [orders.own, orders.elsewhere, venue.account.id, reportsOrders(venue.venue)];
    if (this.#list && isShallowEqual(sources, this.#sources)) return this.#list;
    this.#sources = sources;
    return (this.#list = this.#readAll());
  }

  rowOf(order: Order): OrderRow {
    return this.#rows.get(order.id) ?? new OrderRow(order, this.#desk.venue);
  }

  /** The row of an order; undefined if it is not in a group. */
  find(name: OrderName): OrderRow | undefined {
    const order = this.#desk.orders.get(name);
    const row = order && this.#rows.get(order.id);
    return row && this.#list?.groups[row.group].includes(row) ? row : undefined;
  }

  #readAll(): OrderList {
    const { orders, venue } = this.#desk;
    const isGrouped = reportsOrders(venue.venue);
    const current = venue.account.id;
    const rows = new Map<string, OrderRow>();
    const here: OrderRow[] = [];
    const accounts = new Map<string, { account: AccountRef; orders: Order[] }>();
    const listOf = (account: AccountRef): Order[] => {
      const id = accountId(account);
      const { orders: list } = accounts.get(id) ?? { orders: [] };
      accounts.set(id, { account, orders: list });
      return list;
    };
    const groups: Record<GroupName, OrderRow[]> = { actionNeeded: [], open: [], done: [] };
    const quotes = new Set<string>();
    // Without a report only a cancellation is recorded, and the order's terms are unknown.
    const elsewhere = isGrouped ? orders.elsewhere.filter(({ known }) => known) : [];
    for (const order of [...orders.own, ...elsewhere]) {
      const row = this.#rows.get(order.id) ?? new OrderRow(order, venue);
      row.order = order;
      const { own, known } = row;
      rows.set(order.id, row);
      const isOurs = accountId(order.account) === current;
      if (!isOurs && !isListedFromAfar(order)) continue;
      quotes.add(own?.intent.quote ?? known?.pair.quote ?? "");
      if (!isOurs) listOf(order.account).push(order);
      else {
        if (own) here.push(row);
        if (isGrouped) groups[row.group].push(row);
      }
    }
    for (const name of ["open", "done"] as const)
      groups[name].sort((one, other) => byTime(one.order, other.order));
    this.#rows = rows;
    return {
      isGrouped,
      here,
      groups,
      accounts: [...accounts.values()].map(({ account, orders: list }) => ({
        account,
        orders: list.sort(byTime),
      })),
      hasSeveralQuotes: quotes.size > 1,
    };
  }
}

/** Compares the elements by identity. */
export function isShallowEqual(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one === other) return true;
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

/** Play money is no news on a live account, unless its outcome is unknown. */
function isListedFromAfar(order: Order): boolean {
  return order.account.venue === "live" || (isOwn(order) && needsAttention(order));
}

/** Newest first. */
function byTime(one: Order, other: Order): number {
  return other.at - one.at;
}
