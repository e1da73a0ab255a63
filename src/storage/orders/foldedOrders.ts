import { Decimal } from "../../market/numbers/decimal.ts";
import {
  type AccountRef,
  accountId,
  compareOrderIds,
  type OrderName,
  type SentOrderState,
} from "../../market/order.ts";
import type { OrderReport } from "../../market/orderReport.ts";
import { type ExchangeOrder, ExchangeOrders, type News, type OwnSource } from "./exchangeOrders.ts";
import type { PlacedOrderRecord } from "./placedOrderRecords.ts";
import type { Order, OwnOrder, SentOrder } from "./order.ts";
import {
  type AccountReset,
  type OrderEvent,
  type IntentRecord,
  type OrderRecord,
  sequenceTime,
} from "./records.ts";
import type { SkippedLine } from "./skippedLines.ts";
import { TradeBook } from "./tradeBook.ts";

/** A record and its line in the file, counted from 1; undefined if this window wrote it. */
export interface JournalLine {
  readonly line: number | undefined;
  readonly record: OrderRecord;
}

/** The records of one file, in file order, and the process writing it (undefined: none). */
export interface RecordSource {
  readonly name: string | undefined;
  readonly pid: number | undefined;
  readonly records: readonly JournalLine[];
}

/** No request takes longer, unless the computer sleeps. */
const IN_FLIGHT_MS = 60_000;

/** A record with the id of an own order or of a reset. */
type RecordWithId = IntentRecord | AccountReset | OrderEvent;

/** A record and its file. */
interface Placed extends JournalLine {
  readonly record: RecordWithId;
  readonly source: Pick<RecordSource, "name" | "pid">;
}

/** The distinct records of one id, and the order they fold into. */
interface Group {
  readonly placed: Placed[];
  contradictions: readonly Placed[];
  /** Undefined without an intent. */
  sent?: Sent;
  order?: OwnOrder;
  /** What `order` was built from. */
  sources?: readonly [SentOrder, ExchangeOrder | undefined];
}

/** An own order from our own records, without the exchange's reports. */
interface Sent {
  readonly intent: IntentRecord;
  readonly order: SentOrder;
}

type GroupWithIntent = Group & { readonly sent: Sent };

interface FoldOptions {
  readonly now: () => number;
  readonly isRunning: (pid: number) => boolean;
}

/** All orders, as folded at one time. */
interface Folded {
  /** The newest first. */
  readonly own: readonly OwnOrder[];
  /** In the order first reported. Excludes a practice account that was reset. */
  readonly elsewhere: readonly Order[];
}

/**
 * Folds the records of all windows into orders, and finds records that contradict others (an outcome without an intent,
 * a second intent of one id, two different proofs). The result depends neither on the order of the records nor on their
 * files. Identical records count once, so reading a file twice, or a merged file beside its sources, changes nothing. A
 * record replaces only the object of its own order.
 *
 * An intent without an outcome is `sending` for 60 s while its process runs, and `unknown` afterwards: the process may
 * have ended after sending, and its pid may have been reused. Once unknown, an order does not become `sending` again if
 * the clock is set back.
 */
export class FoldedOrders {
  readonly #options: FoldOptions;
  readonly #groups = new Map<string, Group>();
  /** Oldest first. */
  readonly #resets: AccountReset[] = [];
  /** Groups with records that are not folded yet. */
  readonly #changed = new Set<Group>();
  /** Groups whose state changes as time passes. */
  readonly #sending = new Set<Group>();
  readonly #overdue: Set<string>;
  /** The orders of each account, pair and side. */
  readonly #exchangeOrders = new Map<string, ExchangeOrders>();
  readonly #elsewhere = new WeakMap<ExchangeOrder, Order>();
  #folded: Folded = { own: [], elsewhere: [] };
  /** The groups with an intent, newest first; undefined after an intent was added. */
  #listed: readonly GroupWithIntent[] | undefined;
  /** Records were added since the last fold. */
  #isStale = false;
  /** Fills and costs by pair. */
  readonly trades = new TradeBook(() => ({ ...this.#fold(), resetAt: this.resetAt }));
  /** Records about placed orders per day since the epoch (UTC). */
  readonly #perDay = new Map<number, number>();
  /** The latest time of any record, in the sequence. */
  #latestAt = 0;

  /** `overdue`: ids of orders already shown as unknown; more are added here. */
  constructor(options: FoldOptions, overdue = new Set<string>()) {
    this.#options = options;
    this.#overdue = overdue;
  }

  add(source: Placed["source"], { record, line }: JournalLine): void {
    switch (record.kind) {
      case "report":
      case "fill":
      case "absent":
      case "cancel":
        this.#perDay.set(dayOf(record.at), this.countOfDay(record.at) + 1);
        this.#latestAt = Math.max(this.#latestAt, record.at);
        this.#isStale = true;
        return this.#ordersAt(record).add(record);
      case "cost":
        return this.trades.addCost(record);
      case "accountKey":
        return;
      default:
        this.#addWithId(source, { record, line });
    }
  }

  /** All distinct records of an order or reset, including contradicting ones. */
  recordsOf(id: string): readonly OrderRecord[] {
    return (this.#groups.get(id)?.placed ?? []).map(({ record }) => record);
  }

  /** Orders placed from this computer, newest first. The array is replaced only on change. */
  get own(): readonly OwnOrder[] {
    return this.#fold().own;
  }

  /** Orders placed elsewhere, in the order first reported. The array is replaced only on change. */
  get elsewhere(): readonly Order[] {
    return this.#fold().elsewhere;
  }

  /** By any id of the order. */
  get(name: OrderName): Order | undefined {
    this.#foldChanged();
    const found = this.#exchangeOrders.get(placeKey(name))?.find(name.orderId);
    return found && this.#orderOf(found);
  }

  /** The orders a report is about; several if it reveals that they are one. */
  ordersOf({ pair, side, orderId, otherIds = [] }: OrderReport, account: AccountRef): readonly Order[] {
    const found = [orderId, ...otherIds].flatMap(
      (id) => this.get({ ...account, ...pair, side, orderId: id }) ?? [],
    );
    return [...new Set(found)];
  }

  /** Takes what a response or event states, and returns what must be recorded of it. */
  news(records: readonly PlacedOrderRecord[]): readonly News[] {
    this.#foldChanged();
    this.#isStale = true;
    const added = Map.groupBy(records, (record) => this.#ordersAt(record));
    return [...this.#exchangeOrders.values()].flatMap((orders) => orders.news(added.get(orders) ?? []));
  }

  /** Takes back news that could not be recorded. */
  keep(records: readonly PlacedOrderRecord[]): void {
    this.#isStale = true;
    for (const record of records) this.#ordersAt(record).keep(record);
  }

  /** The latest time of any record, in the sequence. */
  get latestAt(): number {
    return this.#latestAt;
  }

  /** Time of the latest practice reset, ms. */
  get resetAt(): number | undefined {
    return this.#resets.at(-1)?.at;
  }

  /** Number of records about placed orders on the UTC day of `at` (ms). */
  countOfDay(at: number): number {
    return this.#perDay.get(dayOf(at)) ?? 0;
  }

  /** Records that contradict others. */
  get skippedLines(): readonly SkippedLine[] {
    this.#fold();
    return [...this.#groups.values()].flatMap(({ contradictions }) =>
      contradictions.map(({ source: { name: file }, line }): SkippedLine => ({
        file,
        line,
        reason: "contradiction",
      })),
    );
  }

  #addWithId(
    source: Placed["source"],
    { record, line }: JournalLine & { readonly record: RecordWithId },
  ): void {
    let group = this.#groups.get(record.id);
    if (!group) this.#groups.set(record.id, (group = { placed: [], contradictions: [] }));
    const { placed } = group;
    const duplicate = placed.findIndex((each) => isSameRecord(each.record, record));
    placed.splice(duplicate === -1 ? placed.length : duplicate, 1, { record, line, source });
    this.#changed.add(group);
    if (record.kind === "intent") this.#latestAt = Math.max(this.#latestAt, sequenceTime(record));
    if (record.kind !== "accountReset" || duplicate !== -1) return;
    this.#latestAt = Math.max(this.#latestAt, record.at + 1);
    this.#resets.push(record);
    this.#resets.sort((one, other) => one.at - other.at);
    this.#isStale = true;
    for (const each of this.#groups.values()) this.#changed.add(each);
  }

  #ordersAt(place: Omit<OrderName, "orderId">): ExchangeOrders {
    const key = placeKey(place);
    let orders = this.#exchangeOrders.get(key);
    if (!orders) this.#exchangeOrders.set(key, (orders = new ExchangeOrders(place)));
    return orders;
  }

  /** Folds our own records; what the exchange states is folded as it is read. */
  #foldChanged(): void {
    for (const group of this.#sending) this.#changed.add(group);
    this.#sending.clear();
    for (const group of this.#changed) if (this.#foldSent(group)) this.#isStale = true;
    this.#changed.clear();
  }

  #fold(): Folded {
    this.#foldChanged();
    if (!this.#isStale) return this.#folded;
    this.#isStale = false;
    return (this.#folded = this.#join(this.#folded));
  }

  /** Returns whether the order changed. */
  #foldSent(group: Group): boolean {
    const { intent, pid, events, contradictions } = readGroup(group.placed);
    group.contradictions = contradictions;
    if (!intent) return false;
    const isInFlight =
      pid !== undefined &&
      !this.#overdue.has(intent.id) &&
      Math.abs(this.#options.now() - intent.at) <= IN_FLIGHT_MS &&
      this.#options.isRunning(pid);
    const order = withReset(toOrder(intent, events, isInFlight), this.#resets);
    if (order.state === "unknown") this.#overdue.add(intent.id);
    if (order.state === "sending") this.#sending.add(group);
    const { sent } = group;
    if (sent?.intent === intent && isSameSent(sent.order, order)) return false;
    if (sent?.intent !== intent) this.#listed = undefined;
    group.sent = { intent, order };
    this.#ordersAt(intent).setOwn(sourceOf(order, intent.id));
    return true;
  }

  /** Joins what was sent with what its exchange states. */
  #join(before: Folded): Folded {
    const all = [...this.#exchangeOrders.values()].flatMap(({ orders }) => orders);
    const byOwn = new Map(all.map((order) => [order.own, order]));
    this.#listed ??= [...this.#groups.values()]
      .filter(hasIntent)
      .sort((one, other) => byTime(other.sent.intent, one.sent.intent));
    const own = this.#listed.map((group) => ownOrder(group, byOwn.get(group.sent.intent.id)));
    const elsewhere = all
      .filter((order) => order.own === undefined)
      .map((order) => this.#orderElsewhere(order))
      .filter((order) => this.#counts(order));
    elsewhere.sort(byFirstReport);
    return {
      own: reuseIfEqual(before.own, own),
      elsewhere: reuseIfEqual(before.elsewhere, elsewhere),
    };
  }

  #orderOf(found: ExchangeOrder): Order {
    const group = found.own === undefined ? undefined : this.#groups.get(found.own);
    return group && hasIntent(group) ? ownOrder(group, found) : this.#orderElsewhere(found);
  }

  #orderElsewhere(of: ExchangeOrder): Order {
    let order = this.#elsewhere.get(of);
    if (!order) {
      const { id, name, known, isReported, cancel, firstAt = 0, lastAt } = of;
      order = { id, account: name, name, known, isReported, cancel, at: firstAt, lastAt };
      this.#elsewhere.set(of, order);
    }
    return order;
  }

  /**
   * Whether to list an order placed elsewhere: not if its practice account was reset, nor if only an event named it and
   * the lists do not have it.
   */
  #counts({ account, at, known }: Order): boolean {
    if (known?.isConfirmed === false && known.status === "notListed") return false;
    return account.venue !== "practice" || this.resetAt === undefined || at > this.resetAt;
  }
}

function byFirstReport(one: Order, other: Order): number {
  return one.at - other.at || compareOrderIds(one.name?.orderId ?? "", other.name?.orderId ?? "");
}

/** Returns the previous array if no element changed. */
function reuseIfEqual<T>(before: readonly T[], now: readonly T[]): readonly T[] {
  const isSame = before.length === now.length && now.every((each, index) => each === before[index]);
  return isSame ? before : now;
}

function dayOf(at: number): number {
  return Math.floor(at / 86_400_000);
}

function placeKey(place: Omit<OrderName, "orderId">): string {
  return [accountId(place), place.quote, place.base, place.side].join(" ");
}

function hasIntent(group: Group): group is GroupWithIntent {
  return group.sent !== undefined;
}

/** The order of a group; the same object if neither our records nor what is observed of it changed. */
function ownOrder(group: GroupWithIntent, at: ExchangeOrder | undefined): OwnOrder {
  const { sources } = group;
  const { intent, order } = group.sent;
  if (group.order && sources?.[0] === order && sources[1] === at) return group.order;
  group.sources = [order, at];
  return (group.order = {
    ...order,
    id: intent.id,
    account: order.intent,
    name: at?.name,
    known: at?.known,
    isReported: at?.isReported === true,
    cancel: at?.cancel,
    at: intent.at,
    lastAt: at?.lastAt,
  });
}

/** What identifies an own order at its exchange, and what our records prove of it. */
function sourceOf({ intent, orderId, since }: SentOrder, id: string): OwnSource {
  const { quote, base, side, clientId, exchangeAt } = intent;
  const amount = new Decimal(intent.amount);
  const quantity = side === "buy" ? new Decimal(intent.quantity) : amount;
  const sent = { pair: { quote, base }, side, rate: new Decimal(intent.rate), amount, quantity, clientId };
  const at = sequenceTime(intent);
  const receiptAt = Math.max(at, since);
  return {
    id,
    at,
    exchangeAt,
    sent,
    orderId,
    observed: [
      { source: "intent", at, sent },
      ...(orderId === undefined
        ? []
        : [{ source: "receipt", at: receiptAt, says: "accepted", orderId } as const]),
    ],
  };
}

/**
 * By time, which increases within the records of one order and one writer. Records that two windows wrote at once are
 * ordered by text, so that every window gets the same order, before and after merging.
 */
function byTime(one: OrderRecord, other: OrderRecord): number {
  return one.at - other.at || (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
}

function isSameRecord(one: RecordWithId, other: RecordWithId): boolean {
  return one.at === other.at && JSON.stringify(one) === JSON.stringify(other);
}

/** The first intent of an id counts, with all events that contradict no earlier proof. */
function readGroup(placed: readonly Placed[]): {
  readonly intent: IntentRecord | undefined;
  readonly pid: number | undefined;
  readonly events: readonly OrderEvent[];
  readonly contradictions: readonly Placed[];
} {
  const sorted = placed.toSorted(({ record: one }, { record: other }) => byTime(one, other));
  let intent: IntentRecord | undefined;
  let pid: number | undefined;
  const contradictions: Placed[] = [];
  for (const each of sorted) {
    if (each.record.kind !== "intent") continue;
    if (intent) contradictions.push(each);
    else [intent, pid] = [each.record, each.source.pid];
  }
  const events: OrderEvent[] = [];
  for (const each of sorted) {
    const { record } = each;
    if (!isOrderEvent(record)) continue;
    if (intent && !contradicts(events, record)) events.push(record);
    else contradictions.push(each);
  }
  return { intent, pid, events, contradictions };
}

/**
 * Compares two folds of one intent. Evidence only grows, except that an earlier proof may replace a contradicting one;
 * the state then differs too.
 */
function isSameSent(one: SentOrder, other: SentOrder): boolean {
  return (
    one.state === other.state &&
    one.accountResetAt === other.accountResetAt &&
    one.evidence.length === other.evidence.length
  );
}

function isOrderEvent(record: RecordWithId): record is OrderEvent {
  return record.kind !== "intent" && record.kind !== "accountReset";
}

type Outcome = Extract<OrderEvent, { kind: "outcome" }>;

function isProof(event: OrderEvent): event is Outcome {
  return event.kind === "outcome" && event.state !== "unknown";
}

/** An order that the exchange lists exists, even if its response refused it. */
function isFound(event: OrderEvent): event is Outcome {
  return event.kind === "outcome" && event.state === "accepted" && event.orderId !== undefined;
}

/** The first proof wins: later records may repeat it but not contradict it, except that a refused order may be found. */
function contradicts(events: readonly OrderEvent[], event: OrderEvent): boolean {
  const proof = events.find(isProof);
  if (proof === undefined || !isProof(event) || proof.state === event.state) return false;
  return !(proof.state === "rejected" && isFound(event));
}

function toOrder(record: IntentRecord, evidence: readonly OrderEvent[], isInFlight: boolean): SentOrder {
  const { kind: _, ...intent } = record;
  const proof = evidence.find(isFound) ?? evidence.find(isProof);
  // A response may accept the order without an id, which an order list provides later.
  const [orderId] = evidence.flatMap((event) => ("orderId" in event && event.orderId ? [event.orderId] : []));
  const order = (state: SentOrderState, since: number): SentOrder => ({
    intent,
    state,
    since,
    orderId,
    evidence,
  });
  if (proof) return order(proof.state, proof.at);
  const settlement = lastSettlement(evidence);
  if (settlement) return { ...order(settlement.as, settlement.at), settledBy: settlement.by };
  const unknown = evidence.find((event) => event.kind === "outcome");
  if (unknown) return order("unknown", unknown.at);
  return order(isInFlight ? "sending" : "unknown", intent.at);
}

/** After a reset, an order with proof or a decision keeps its state; any other becomes `accountReset`. */
function withReset(order: SentOrder, resets: readonly AccountReset[]): SentOrder {
  const { intent, state } = order;
  const reset = resets.find(({ venue, at }) => venue === intent.venue && sequenceTime(intent) < at);
  if (!reset) return order;
  const accountResetAt = reset.at;
  return state === "sending" || state === "unknown" || state === "unresolved"
    ? { ...order, state: "accountReset", since: accountResetAt, accountResetAt }
    : { ...order, accountResetAt };
}

type Settled = Extract<OrderEvent, { kind: "settled" }>;

/**
 * The user's decision overrides any check, unless the user left the question open. A check without a result leaves an
 * earlier result in force: its window may not have been able to read it.
 */
function lastSettlement(evidence: readonly OrderEvent[]): Settled | undefined {
  const settlements = evidence.filter((event) => event.kind === "settled");
  const byUser = settlements.findLast(({ by }) => by === "user");
  if (byUser && byUser.as !== "unresolved") return byUser;
  return settlements.findLast(({ by, as }) => by === "user" || as !== "unresolved") ?? settlements.at(-1);
}
