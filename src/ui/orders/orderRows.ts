import { cancelStateOf } from "../../desk/tracking/canceller.ts";
import { needsAttention, type Orders } from "../../desk/orders/orders.ts";
import { isAt, isInAccount, signedInAccount, tellsOrders, type CurrentVenue } from "../../desk/venue.ts";
import type { Account, OrderName } from "../../market/order.ts";
import { hasEnded, type KnownOrder } from "../../market/orderReport.ts";
import { isOwn, type Order, type OwnOrder } from "../../storage/orders/order.ts";

/** The groups of the Orders view, in their order. */
export const groupNames = ["actionNeeded", "open", "done"] as const;
export type GroupName = (typeof groupNames)[number];

/** The orders of another account at the open exchange. */
export interface OtherAccount {
  /** As records name it; undefined for records from before accounts were recorded. */
  readonly account: string | undefined;
  /** The newest first, with the orders that were placed elsewhere. */
  readonly orders: readonly Order[];
  /** Else no key is stored. */
  readonly isAnotherSignedIn: boolean;
}

interface Options {
  readonly orders: Pick<Orders, "all" | "elsewhere" | "get" | "trades">;
  readonly venue: Pick<CurrentVenue, "venue" | "id">;
}

/** One order of the view. The object stays the same while the order changes, so that the editor can redraw its row alone. */
export class OrderRow {
  /** That of the order. */
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

  /** All that is known of the order; undefined without the exchange's id. */
  get known(): KnownOrder | undefined {
    return this.order.known;
  }

  /** Whether the order is in the account that is signed in, in another one at the open exchange, or elsewhere. */
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

  /** Whether the order can be cancelled where its exchange offers it. */
  get isCancellable(): boolean {
    return this.ownership === "ours" && this.group === "open" && this.known !== undefined;
  }

  /** The progress of a cancellation. */
  get cancelState(): ReturnType<typeof cancelStateOf> {
    return this.own?.accountResetAt === undefined ? cancelStateOf(this.order) : undefined;
  }
}

/** The orders of the view at one moment. */
export interface OrderList {
  /** Whether the exchange reports orders, so that they are listed in groups. */
  readonly isGrouped: boolean;
  /** The orders of the open account: those that need attention first, then the newest. */
  readonly here: readonly OrderRow[];
  /** The same by group, the newest first, with the orders that were placed elsewhere. Empty without groups. */
  readonly groups: Readonly<Record<GroupName, readonly OrderRow[]>>;
  /** The other accounts at the open exchange: their orders are not followed. */
  readonly accounts: readonly OtherAccount[];
  /** Own orders at other exchanges. */
  readonly others: readonly OwnOrder[];
  /** Orders have several quote assets, so a base asset does not name a pair. */
  readonly hasSeveralQuotes: boolean;
}

/** Lists the orders, and keeps one row for each of them. */
export class OrderRows {
  readonly #options: Options;
  #rows: ReadonlyMap<string, OrderRow> = new Map();
  /** What the list was made of. */
  #sources: readonly unknown[] = [];
  #list: OrderList | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  read(): OrderList {
    const { orders, venue } = this.#options;
    const { venue: current } = venue;
    const account = current?.session?.account;
    const sources = [orders.all, orders.elsewhere, current, account, venue.id, tellsOrders(current)];
    if (this.#list && isShallowEqual(sources, this.#sources)) return this.#list;
    this.#sources = sources;
    return (this.#list = this.#readAll());
  }

  /** The row of a listed order. */
  rowOf(order: Order): OrderRow {
    return this.#rows.get(order.id) ?? new OrderRow(order, this.#options.venue);
  }

  /** The row of an order at its exchange; undefined if it is not in a group. */
  find(name: OrderName): OrderRow | undefined {
    const order = this.#options.orders.get(name);
    const row = order && this.#rows.get(order.id);
    return row && this.#list?.groups[row.group].includes(row) ? row : undefined;
  }

  #readAll(): OrderList {
    const { orders, venue } = this.#options;
    const isGrouped = tellsOrders(venue.venue);
    const rows = new Map<string, OrderRow>();
    const [here, others]: [OrderRow[], OwnOrder[]] = [[], []];
    const accounts = new Map<string | undefined, Order[]>();
    const listOf = (account: string | undefined): Order[] => {
      const list = accounts.get(account) ?? [];
      accounts.set(account, list);
      return list;
    };
    const groups: Record<GroupName, OrderRow[]> = { actionNeeded: [], open: [], done: [] };
    const quotes = new Set<string>();
    // Without a report there is only a cancellation, which tells no order.
    const elsewhere = isGrouped ? orders.elsewhere.filter(({ known }) => known) : [];
    let current: (Account & { readonly ownership: Ownership }) | undefined;
    for (const order of [...orders.all, ...elsewhere]) {
      const row = this.#rows.get(order.id) ?? new OrderRow(order, venue);
      row.order = order;
      const { own, known } = row;
      const { venue: at, origin, account } = order.account;
      // The address of an exchange is formatted at each comparison, and most orders are where the one before is.
      if (current?.venue !== at || current.origin !== origin || current.account !== account)
        current = { venue: at, origin, account, ownership: row.ownership };
      const { ownership } = current;
      rows.set(order.id, row);
      if (own ?? ownership !== "otherExchanges") quotes.add(own?.intent.quote ?? known?.pair.quote ?? "");
      if (ownership === "otherAccounts") listOf(account).push(order);
      else if (ownership === "ours") {
        if (own) here.push(row);
        if (isGrouped) groups[row.group].push(row);
      } else if (own) others.push(own);
    }
    // A cost that was entered by hand is of an account too, if it has no order.
    for (const each of orders.trades?.costAccounts() ?? [])
      if (ownershipOf(each, venue) === "otherAccounts") listOf(each.account);
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
        isAnotherSignedIn: signedInAccount(venue.venue) !== undefined,
      })),
      others,
      hasSeveralQuotes: quotes.size > 1,
    };
  }
}

/** Whether both have the same elements. */
export function isShallowEqual(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one === other) return true;
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

type Ownership = "ours" | "otherAccounts" | "otherExchanges";

/** Whose an order is. While no exchange is open: that of the kind of exchange that opens is ours. */
function ownershipOf(account: Account, { venue, id }: Options["venue"]): Ownership {
  if (!venue) return account.venue === id ? "ours" : "otherExchanges";
  if (isInAccount(account, venue)) return "ours";
  return isAt(account, venue) ? "otherAccounts" : "otherExchanges";
}

/** The newest first. */
function byTime(one: Order, other: Order): number {
  return other.at - one.at;
}
