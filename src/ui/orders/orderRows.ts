import { cancelStateOf } from "../../desk/life/canceller.ts";
import { knownOf, lifeOf, nameOf } from "../../desk/life/ownOrder.ts";
import { needsAttention, type Orders } from "../../desk/orders/orders.ts";
import { isAt, isInAccount, signedInAccount, tellsOrders, type CurrentVenue } from "../../desk/venue.ts";
import { type Account, isSameOrder, type OrderName } from "../../market/order.ts";
import { hasEnded, type KnownOrder } from "../../market/orderReport.ts";
import type { CancelRecord } from "../../storage/orders/lifeRecords.ts";
import type { OrderLife } from "../../storage/orders/orderLives.ts";
import type { RecordedOrder } from "../../storage/orders/replay.ts";

/** The groups of the Orders view, in their order. */
export const groupNames = ["needsYou", "open", "done"] as const;
export type GroupName = (typeof groupNames)[number];

/** An order without a row: an own order, or one that was placed elsewhere. */
export type ListedOrder = RecordedOrder | OrderLife;

/** The orders of another account at the open exchange. */
export interface OtherAccount {
  /** As records name it; undefined for records from before accounts were recorded. */
  readonly account: string | undefined;
  /** The newest first, with the orders that were placed elsewhere. */
  readonly orders: readonly ListedOrder[];
  /** Else no key is stored. */
  readonly isAnotherSignedIn: boolean;
}

interface Options {
  readonly orders: Pick<Orders, "all" | "lives">;
  readonly venue: Pick<CurrentVenue, "venue" | "id">;
}

/**
 * One order of the view: an own order, or one that was placed elsewhere. The object stays the same while the order
 * changes, so that the editor can redraw its row alone.
 */
export class OrderRow {
  /** Never used for another order. */
  readonly id: string;
  readonly #options: Options;
  #order: ListedOrder;
  #life: OrderLife | undefined;
  #merged:
    | {
        readonly own: RecordedOrder;
        readonly of: KnownOrder | undefined;
        readonly known: KnownOrder | undefined;
      }
    | undefined;

  constructor(order: ListedOrder, options: Options) {
    this.id = idOf(order);
    this.#order = order;
    this.#options = options;
  }

  get order(): ListedOrder {
    return this.#order;
  }

  /** The same order after a change of its records. */
  set order(order: ListedOrder) {
    if (order === this.#order) return;
    this.#order = order;
    this.#life = undefined;
  }

  /** The record of this computer; undefined if the order was placed elsewhere. */
  get own(): RecordedOrder | undefined {
    return isOwn(this.#order) ? this.#order : undefined;
  }

  /** The order at its exchange; undefined while no id is proven. */
  get name(): OrderName | undefined {
    return isOwn(this.#order) ? nameOf(this.#order) : this.#order.name;
  }

  get account(): Account {
    return isOwn(this.#order) ? this.#order.intent : this.#order.name;
  }

  /** Whether the order is in the account that is signed in, in another one at the open exchange, or elsewhere. */
  get whose(): Whose {
    return whoseOf(this.account, this.#options.venue);
  }

  /** All that is known of the order; undefined without the exchange's id. */
  get known(): KnownOrder | undefined {
    const { own } = this;
    const told = this.life?.known;
    if (!own) return told;
    if (this.#merged?.own !== own || this.#merged.of !== told)
      this.#merged = { own, of: told, known: knownOf(own, this.#options.orders.lives) };
    return this.#merged.known;
  }

  /** The newest step of a cancellation. */
  get cancel(): CancelRecord | undefined {
    return this.life?.cancel;
  }

  /** What the exchange said of the order, and the cancellations. */
  get life(): OrderLife | undefined {
    return (this.#life ??= isOwn(this.#order)
      ? lifeOf(this.#order, this.#options.orders.lives)
      : this.#order);
  }

  /** When the order was placed, ms. For an order from elsewhere: when it was first seen. */
  get at(): number {
    return timeOf(this.#order);
  }

  get group(): GroupName {
    const { own } = this;
    if (own && needsAttention(own)) return "needsYou";
    return isEndNamed(own, this.life) || this.#isOver ? "done" : "open";
  }

  /** Whether the order can be cancelled where its exchange offers it. */
  get isCancellable(): boolean {
    return (
      this.whose === "ours" && this.group === "open" && this.name !== undefined && this.known !== undefined
    );
  }

  /** The progress of a cancellation. */
  get cancelState(): ReturnType<typeof cancelStateOf> {
    return this.own?.accountResetAt === undefined && !this.#isOver ? cancelStateOf(this.life) : undefined;
  }

  /** Whether the reports tell an end. */
  get #isOver(): boolean {
    const { known } = this;
    return known !== undefined && hasEnded(known);
  }
}

/** The orders of the view at one moment. A journal may have 50,000 orders, so only those have rows that may change. */
export interface OrderList {
  /** Whether the exchange tells what became of orders, so that they are listed in groups. */
  readonly isGrouped: boolean;
  /** The orders of the open account: those that need attention first, then the newest. */
  readonly here: readonly RecordedOrder[];
  /** The same by group, the newest first, with the orders that were placed elsewhere. Empty without groups. */
  readonly groups: Groups<readonly OrderRow[], readonly ListedOrder[]>;
  /** The other accounts at the open exchange: their orders are not followed. */
  readonly accounts: readonly OtherAccount[];
  /** Own orders at other exchanges. */
  readonly others: readonly RecordedOrder[];
  /** Orders have several quote assets, so a base asset does not name a pair. */
  readonly hasSeveralQuotes: boolean;
}

interface Groups<Rows, Done> {
  readonly needsYou: Rows;
  readonly open: Rows;
  readonly done: Done;
}

/**
 * Lists the orders, and keeps one row for each of them that was shown or may change. A report of an order looks only at
 * the orders that have not ended; all orders are gone through when an own order changed or an order came.
 */
export class OrderRows {
  readonly #options: Options;
  readonly #rows = new Map<string, OrderRow>();
  /** What the list was made of. */
  #sources: readonly unknown[] = [];
  /** Orders of which only a cancellation is recorded. */
  #unlisted: OrderLife[] = [];
  #list: OrderList | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  read(): OrderList {
    const { orders, venue } = this.#options;
    const { venue: current } = venue;
    const account = current?.session?.account;
    const sources = [orders.all, orders.lives?.all(), current, account, venue.id, tellsOrders(current)];
    const before = isSame(sources, this.#sources) ? this.#list : undefined;
    this.#sources = sources;
    return (this.#list = (before && this.#readEnds(before)) ?? this.#readAll());
  }

  /** The row of an order, the same until the view is closed. */
  rowOf(order: ListedOrder): OrderRow {
    const id = idOf(order);
    let row = this.#rows.get(id);
    if (!row) this.#rows.set(id, (row = new OrderRow(order, this.#options)));
    row.order = order;
    return row;
  }

  /** The row of an order at its exchange; undefined if it is not in a group. */
  find(name: OrderName): OrderRow | undefined {
    const { all, lives } = this.#options.orders;
    const own = all.find((order) => {
      const each = nameOf(order);
      return each && isSameOrder(each, name);
    });
    const order = own ?? lives?.get(name);
    return order && this.#isInGroup(order) ? this.rowOf(order) : undefined;
  }

  #isInGroup(order: ListedOrder): boolean {
    const { needsYou = [], open = [], done = [] } = this.#list?.groups ?? {};
    return done.includes(order) || [...needsYou, ...open].some((row) => row.order === order);
  }

  /**
   * The list after reports of known orders, which only end. Undefined if an order came: a cancellation alone is no order,
   * and may have become one.
   */
  #readEnds(before: OrderList): OrderList | undefined {
    if (this.#unlisted.some((life) => life.known)) return undefined;
    const ended = before.groups.open.filter(({ group }) => group !== "open");
    if (ended.length === 0) return before;
    const open = before.groups.open.filter(({ group }) => group === "open");
    const done = [...before.groups.done, ...ended.map(({ order }) => order)].sort(byTime);
    return { ...before, groups: { ...before.groups, open, done } };
  }

  /** Goes through the own orders once: 50,000 do not fit into a processor's cache, so each loop costs as much as the first. */
  #readAll(): OrderList {
    const { orders, venue } = this.#options;
    const isGrouped = tellsOrders(venue.venue);
    const [here, others]: [RecordedOrder[], RecordedOrder[]] = [[], []];
    const accounts = new Map<string | undefined, ListedOrder[]>();
    const listOf = (account: string | undefined): ListedOrder[] => {
      const list = accounts.get(account) ?? [];
      accounts.set(account, list);
      return list;
    };
    const groups: Groups<OrderRow[], ListedOrder[]> = { needsYou: [], open: [], done: [] };
    const quotes = new Set<string>();
    const ownLives = new Set<OrderLife>();
    // The address of an exchange is formatted at each comparison, and most orders are where the order before is.
    const hasRows = this.#rows.size > 0;
    let place: (Account & { readonly whose: Whose; readonly list: ListedOrder[] }) | undefined;
    for (const order of orders.all) {
      const { id, venue: at, origin, account, quote } = order.intent;
      if (place?.venue !== at || place.origin !== origin || place.account !== account) {
        const whose = whoseOf(order.intent, venue);
        const list = whose === "ours" ? here : whose === "otherAccounts" ? listOf(account) : others;
        place = { venue: at, origin, account, whose, list };
      }
      place.list.push(order);
      quotes.add(quote);
      if (hasRows && this.#rows.has(id)) this.rowOf(order);
      if (!isGrouped || place.whose === "otherExchanges") continue;
      const life = lifeOf(order, orders.lives);
      if (life) ownLives.add(life);
      if (place.whose === "ours") this.#addTo(groups, order, life);
    }
    const elsewhere = isGrouped ? this.#placedElsewhere(ownLives) : [];
    for (const life of elsewhere) {
      quotes.add(life.name.quote);
      if (whoseOf(life.name, venue) === "ours") this.#addTo(groups, life, life);
      else listOf(life.name.account).push(life);
    }
    // A cost that was entered by hand is of an account too, if it has no order.
    for (const known of orders.lives?.trades.places() ?? [])
      if (whoseOf(known, venue) === "otherAccounts") listOf(known.account);
    // The own orders of each group came newest first.
    if (elsewhere.length > 0) {
      groups.open.sort((one, other) => byTime(one.order, other.order));
      groups.done.sort(byTime);
    }
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

  #addTo(groups: Groups<OrderRow[], ListedOrder[]>, order: ListedOrder, life: OrderLife | undefined): void {
    const isDone = isEndNamed(isOwn(order) ? order : undefined, life);
    const row = isDone ? undefined : this.rowOf(order);
    if (!row || row.group === "done") groups.done.push(order);
    else groups[row.group].push(row);
  }

  #placedElsewhere(own: ReadonlySet<OrderLife>): OrderLife[] {
    const { orders, venue } = this.#options;
    const listed: OrderLife[] = [];
    this.#unlisted = [];
    for (const life of orders.lives?.all() ?? []) {
      if (own.has(life) || whoseOf(life.name, venue) === "otherExchanges") continue;
      // Without a report there is only a cancellation, which tells no order.
      (life.isEndRecorded || life.known ? listed : this.#unlisted).push(life);
    }
    return listed;
  }
}

/** Whether both have the same elements. */
export function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one === other) return true;
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

/** Whether this computer recorded the order before it was sent. */
export function isOwn(order: ListedOrder): order is RecordedOrder {
  return "intent" in order;
}

function idOf(order: ListedOrder): string {
  return isOwn(order) ? order.intent.id : order.key;
}

function timeOf(order: ListedOrder): number {
  return isOwn(order) ? order.intent.at : order.firstAt;
}

/** Whether a record names the end of an order. Most orders of a long journal have ended, so no report is read for this. */
function isEndNamed(own: RecordedOrder | undefined, life: OrderLife | undefined): boolean {
  if (own?.accountResetAt !== undefined || life?.isEndRecorded === true) return true;
  if (!own || own.state === "sending" || needsAttention(own)) return false;
  return own.state !== "accepted" || own.orderId === undefined;
}

type Whose = "ours" | "otherAccounts" | "otherExchanges";

/** Whose an order is. While no exchange is open: that of the kind of exchange that opens is ours. */
function whoseOf(account: Account, { venue, id }: Options["venue"]): Whose {
  if (!venue) return account.venue === id ? "ours" : "otherExchanges";
  if (isInAccount(account, venue)) return "ours";
  return isAt(account, venue) ? "otherAccounts" : "otherExchanges";
}

/** The newest first. */
function byTime(one: ListedOrder, other: ListedOrder): number {
  return timeOf(other) - timeOf(one);
}
