import { needsAttention, type Orders } from "../../desk/orders/orders.ts";
import { isAt, reportsOrders, type CurrentVenue } from "../../desk/venue.ts";
import { type Account, isSameAccount, type OrderName } from "../../market/order.ts";
import { hasEnded, type KnownOrder } from "../../market/orders/knownOrder.ts";
import { pairKey } from "../../market/pair.ts";
import { isOwn, type Order, type OwnOrder } from "../../storage/orders/order.ts";

/** The groups of the Orders view, top to bottom. */
export const groupNames = ["actionNeeded", "open", "done"] as const;
export type GroupName = (typeof groupNames)[number];

/** Another account at the current exchange. */
export interface OtherAccount {
  readonly account: string;
  /** Newest first, including orders placed elsewhere. */
  readonly orders: readonly Order[];
  /** False: no API key was read. */
  readonly isAnotherSignedIn: boolean;
}

interface Options {
  readonly orders: Pick<Orders, "own" | "elsewhere" | "get" | "trades">;
  readonly venue: Pick<CurrentVenue, "venue" | "signedIn" | "id">;
}

/**
 * One order of the view. The object is reused while the order changes, so that the editor can repaint its row alone.
 */
export class OrderRow {
  readonly id: string;
  readonly #venue: Options["venue"];
  order: Order;

  constructor(order: Order, venue: Options["venue"]) {
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

  get ownership(): Ownership {
    return ownershipOf(this.order.account, this.#venue);
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
    return this.ownership === "ours" && this.group === "open" && this.known !== undefined;
  }

  get cancelState(): KnownOrder["cancel"] {
    return this.own?.accountResetAt === undefined ? this.known?.cancel : undefined;
  }
}

export interface OrderList {
  /** Whether the exchange reports orders, so that they are grouped. */
  readonly isGrouped: boolean;
  /** Orders of the signed-in account: those that need attention first, then the newest. */
  readonly here: readonly OrderRow[];
  /** The same by group, newest first, plus orders placed elsewhere. Empty if not grouped. */
  readonly groups: Readonly<Record<GroupName, readonly OrderRow[]>>;
  /** Other accounts at the current exchange; their orders are not followed. */
  readonly accounts: readonly OtherAccount[];
  /** Own orders at other exchanges, without settled practice orders. */
  readonly others: readonly OwnOrder[];
  /** There are several quote assets, so a base asset does not identify a pair. */
  readonly hasSeveralQuotes: boolean;
}

/** Builds the list, with one stable row per order. */
export class OrderRows {
  readonly #options: Options;
  #rows: ReadonlyMap<string, OrderRow> = new Map();
  /** What `#list` was built from. */
  #sources: readonly unknown[] = [];
  #list: OrderList | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  read(): OrderList {
    const { orders, venue } = this.#options;
    const { venue: current, signedIn } = venue;
    const sources = [orders.own, orders.elsewhere, current, signedIn, venue.id, reportsOrders(current)];
    if (this.#list && isShallowEqual(sources, this.#sources)) return this.#list;
    this.#sources = sources;
    return (this.#list = this.#readAll());
  }

  rowOf(order: Order): OrderRow {
    return this.#rows.get(order.id) ?? new OrderRow(order, this.#options.venue);
  }

  /** The row of an order; undefined if it is not in a group. */
  find(name: OrderName): OrderRow | undefined {
    const order = this.#options.orders.get(name);
    const row = order && this.#rows.get(order.id);
    return row && this.#list?.groups[row.group].includes(row) ? row : undefined;
  }

  #readAll(): OrderList {
    const { orders, venue } = this.#options;
    const isGrouped = reportsOrders(venue.venue);
    const rows = new Map<string, OrderRow>();
    const [here, others]: [OrderRow[], OwnOrder[]] = [[], []];
    const accounts = new Map<string, Order[]>();
    const listOf = ({ account = "" }: Account): Order[] => {
      const list = accounts.get(account) ?? [];
      accounts.set(account, list);
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
      const { ownership } = row;
      rows.set(order.id, row);
      if (ownership === "otherExchanges" && !(own && isListedFromAfar(own))) continue;
      quotes.add(own?.intent.quote ?? known?.pair.quote ?? "");
      if (ownership === "otherAccounts") listOf(order.account).push(order);
      else if (ownership === "ours") {
        if (own) here.push(row);
        if (isGrouped) groups[row.group].push(row);
      } else if (own) others.push(own);
    }
    // An account with only entered costs is listed too.
    for (const each of orders.trades?.costAccounts() ?? [])
      if (ownershipOf(each, venue) === "otherAccounts") listOf(each);
    for (const name of ["open", "done"] as const)
      groups[name].sort((one, other) => byTime(one.order, other.order));
    this.#rows = rows;
    return {
      isGrouped,
      here,
      groups,
      accounts: [...accounts].map(([account, list]) => ({
        account,
        orders: list.sort(byTime),
        isAnotherSignedIn: venue.signedIn !== undefined,
      })),
      others,
      hasSeveralQuotes: quotes.size > 1,
    };
  }
}

/** Compares the elements by identity. */
export function isShallowEqual(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one === other) return true;
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

type Ownership = "ours" | "otherAccounts" | "otherExchanges";

/** While no exchange is open, the account of the kind of exchange being opened counts as ours. */
function ownershipOf(account: Account, { venue, signedIn, id }: Options["venue"]): Ownership {
  if (!venue) return account.venue === id ? "ours" : "otherExchanges";
  if (signedIn && isSameAccount(account, signedIn.account)) return "ours";
  return isAt(account, venue) ? "otherAccounts" : "otherExchanges";
}

/** Play money is no news on a live exchange, unless its outcome is unknown. */
function isListedFromAfar(order: OwnOrder): boolean {
  return order.account.venue === "live" || needsAttention(order);
}

/** Newest first. */
function byTime(one: Order, other: Order): number {
  return other.at - one.at;
}
