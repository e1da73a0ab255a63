import { type Account, keyOf, type OrderName, type OrderState } from "../../market/order.ts";
import type { OrderReport } from "../../market/orderReport.ts";
import type { PlacedOrderRecord } from "./placedOrderRecords.ts";
import { knownAsSent, nameOf, type Order, type OwnOrder, type SentOrder } from "./order.ts";
import { chainsOf } from "./orderChains.ts";
import {
  type AccountReset,
  type OrderEvent,
  type IntentRecord,
  type OrderRecord,
  sequenceTime,
  settledState,
} from "./records.ts";
import { type Reported, ReportedOrder } from "./reportedOrder.ts";
import type { SkippedLine } from "./skippedLines.ts";
import { TradeBook } from "./tradeBook.ts";

/** A record and the line of its file, counted from 1; undefined if the file was not read yet. */
export interface JournalLine {
  readonly line: number | undefined;
  readonly record: OrderRecord;
}

/** The records of one file, in written order, and the process that writes it (undefined: none any more). */
export interface RecordSource {
  readonly name: string | undefined;
  readonly pid: number | undefined;
  readonly records: readonly JournalLine[];
}

/** No request takes longer, except on a sleeping computer. */
const IN_FLIGHT_MS = 60_000;

/** A record about one order or one account by its own id. */
type RecordWithId = IntentRecord | AccountReset | OrderEvent;

/** A record and the file that it is in. */
interface Placed extends JournalLine {
  readonly record: RecordWithId;
  readonly source: Pick<RecordSource, "name" | "pid">;
}

/** The distinct records of one id, and what they say together. */
interface Group {
  readonly placed: Placed[];
  contradictions: readonly Placed[];
  /** Undefined without an intent. */
  sent?: Sent;
  order?: OwnOrder;
  /** What `order` was made of. */
  sources?: readonly [SentOrder, Reported | undefined];
}

/** What the own records of an order say, without the reports of its exchange. */
interface Sent {
  readonly intent: IntentRecord;
  readonly order: SentOrder;
  readonly known: ReturnType<typeof knownAsSent>;
  /** Of its name at the exchange; undefined without an id. */
  readonly key: string | undefined;
}

interface FoldOptions {
  readonly now: () => number;
  readonly isRunning: (pid: number) => boolean;
}

/** All orders at one moment. */
interface Folded {
  /** The newest first. */
  readonly own: readonly OwnOrder[];
  /** In the order of their first reports. Not those of a practice account that was reset. */
  readonly elsewhere: readonly Order[];
  readonly byKey: ReadonlyMap<string, Order>;
}

/**
 * Folds the records of all windows into orders, and names the records that contradict others (an outcome without an
 * intent, a second intent of one id, two different proofs). Neither the sequence of the records nor their files make a
 * difference. Records with the same fields count once, so a file that is read twice, or merged and not yet removed,
 * changes nothing. A record changes the object of its own order alone.
 *
 * An intent without an outcome is `sending` for 60 s while its process runs, and `unknown` from then on: the process
 * may have ended after the request was sent, and its number may belong to another program by now. An order that was
 * unknown stays unknown when the clock is set back.
 */
export class FoldedOrders {
  readonly #options: FoldOptions;
  readonly #groups = new Map<string, Group>();
  /** Oldest first. */
  readonly #resets: AccountReset[] = [];
  /** The groups with records that were not folded yet. */
  readonly #changed = new Set<Group>();
  /** These change with time. */
  readonly #sending = new Set<Group>();
  readonly #overdue: Set<string>;
  /** By the keys of their names, in the order of their first records. */
  readonly #reported = new Map<string, ReportedOrder>();
  /** Those whose exchange named another id of the same order. */
  readonly #linked = new Set<ReportedOrder>();
  /** Orders that were continued under new ids, by the keys of all their ids. */
  #chains = new Map<string, ReportedOrder>();
  #areChainsStale = false;
  /** By what was reported of them. */
  readonly #elsewhere = new WeakMap<Reported, Order>();
  #folded: Folded = { own: [], elsewhere: [], byKey: new Map() };
  /** Something was added since. */
  #isStale = false;
  /** Fills and costs by pair. */
  readonly trades = new TradeBook(() => ({ ...this.#fold(), resetAt: this.resetAt }));
  /** How many records about reported orders each day has, by its number since the epoch (UTC). */
  readonly #perDay = new Map<number, number>();

  /** `overdue`: ids of orders that this window showed as unknown. More are added. */
  constructor(options: FoldOptions, overdue = new Set<string>()) {
    this.#options = options;
    this.#overdue = overdue;
  }

  add(source: Placed["source"], { record, line }: JournalLine): void {
    switch (record.kind) {
      case "report":
      case "fill":
      case "cancel":
        this.#perDay.set(dayOf(record.at), this.countOfDay(record.at) + 1);
        return this.#addReport(record);
      case "cost":
        return this.trades.addCost(record);
      case "accountAnswer":
        return;
      default:
        this.#addWithId(source, { record, line });
    }
  }

  /** All distinct records of an order or reset, also those that contradict others. */
  recordsOf(id: string): readonly OrderRecord[] {
    return (this.#groups.get(id)?.placed ?? []).map(({ record }) => record);
  }

  /** The orders placed from this computer, the newest first. The same array until something changes. */
  get own(): readonly OwnOrder[] {
    return this.#fold().own;
  }

  /** The orders placed elsewhere, in the order of their first reports. The same array until something changes. */
  get elsewhere(): readonly Order[] {
    return this.#fold().elsewhere;
  }

  /** By any id of the order. */
  get(name: OrderName): Order | undefined {
    return this.#fold().byKey.get(keyOf(name));
  }

  /** The orders that a report is about: several, if it tells that they are one. */
  ordersOf({ pair, side, orderId, otherIds = [] }: OrderReport, account: Account): readonly Order[] {
    const found = [orderId, ...otherIds].flatMap(
      (id) => this.get({ ...account, ...pair, side, orderId: id }) ?? [],
    );
    return [...new Set(found)];
  }

  /** The part of a report that adds anything to what is known of its order; undefined if there is none. */
  newPartOf(report: OrderReport, account: Account): OrderReport | undefined {
    this.#fold();
    const { pair, side, orderId } = report;
    const key = keyOf({ ...account, ...pair, side, orderId });
    const reported = this.#chains.get(key) ?? this.#reported.get(key);
    return reported ? reported.newPartOf(report) : report;
  }

  /** The newest reset of the practice account, ms. */
  get resetAt(): number | undefined {
    return this.#resets.at(-1)?.at;
  }

  /** How many records about reported orders were written on the day (UTC) of this time (ms). */
  countOfDay(at: number): number {
    return this.#perDay.get(dayOf(at)) ?? 0;
  }

  /** The records that contradict others. */
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
    if (record.kind !== "accountReset" || duplicate !== -1) return;
    this.#resets.push(record);
    this.#resets.sort((one, other) => one.at - other.at);
    this.#isStale = true;
    for (const each of this.#groups.values()) this.#changed.add(each);
  }

  #addReport(record: PlacedOrderRecord): void {
    this.#isStale = true;
    const key = keyOf(record);
    let reported = this.#reported.get(key);
    if (!reported) {
      this.#reported.set(key, (reported = new ReportedOrder(record)));
      this.#areChainsStale ||= this.#linked.size > 0;
    }
    reported.add(record);
    const links = record.kind === "report" ? (record.otherIds ?? []) : [];
    if (links.length === 0) return;
    this.#linked.add(reported);
    this.#areChainsStale ||= !links.every((id) => reported.continued?.reported.ids.includes(id));
  }

  #fold(): Folded {
    for (const group of this.#sending) this.#changed.add(group);
    this.#sending.clear();
    for (const group of this.#changed) if (this.#foldSent(group)) this.#isStale = true;
    this.#changed.clear();
    if (!this.#isStale) return this.#folded;
    this.#isStale = false;
    return (this.#folded = this.#join(this.#folded));
  }

  /** Whether the own records say anything else now. */
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
    const name = nameOf(order);
    const key = name && keyOf(name);
    const isSameName = sent?.intent === intent && sent.order.orderId === order.orderId;
    group.sent = { intent, order, key, known: isSameName ? sent.known : knownAsSent(order) };
    if (sent?.key !== key && this.#linked.size > 0) this.#areChainsStale = true;
    return true;
  }

  /** Joins what was sent with what was reported. */
  #join(before: Folded): Folded {
    const listed = [...this.#groups.values()]
      .flatMap((group) => (group.sent ? [{ group, sent: group.sent }] : []))
      .sort((one, other) => byTime(other.sent.intent, one.sent.intent));
    const senders = new Map<string, Group>();
    // The newest first: should an exchange give two orders one id, its reports are about the later one.
    for (const { group, sent } of listed)
      if (sent.key !== undefined && !senders.has(sent.key)) senders.set(sent.key, group);
    if (this.#areChainsStale) this.#readChains((key) => senders.has(key));
    const byKey = new Map<string, Order>();
    const ofSenders = new Set<ReportedOrder>();
    const own = listed.map(({ group, sent }) => {
      const { key } = sent;
      if (key === undefined || senders.get(key) !== group) return ownOrder(group, sent, undefined);
      const reported = this.#chains.get(key) ?? this.#reported.get(key);
      reported?.setSent(sent.known);
      if (reported) ofSenders.add(reported);
      const order = ownOrder(group, sent, reported?.reported);
      byKey.set(key, order);
      return order;
    });
    const elsewhere: Order[] = [];
    for (const part of this.#reported.values()) {
      const reported = part.continued ?? part;
      if (ofSenders.has(reported) || byKey.has(reported.key)) continue;
      const order = this.#orderElsewhere(reported);
      byKey.set(reported.key, order);
      if (this.#counts(order)) elsewhere.push(order);
    }
    for (const [key, { key: name }] of this.#chains) {
      const order = byKey.get(name);
      if (order) byKey.set(key, order);
    }
    return {
      own: reuseIfEqual(before.own, own),
      elsewhere: reuseIfEqual(before.elsewhere, elsewhere),
      byKey,
    };
  }

  #orderElsewhere(reported: ReportedOrder): Order {
    reported.setSent(undefined);
    const { key, name } = reported;
    const { firstAt, ...reportedFields } = reported.reported;
    let order = this.#elsewhere.get(reported.reported);
    if (!order)
      this.#elsewhere.set(
        reported.reported,
        (order = { id: key, account: name, name, ...reportedFields, at: firstAt }),
      );
    return order;
  }

  #readChains(isOwn: (key: string) => boolean): void {
    this.#areChainsStale = false;
    const before = this.#chains;
    this.#chains = new Map();
    for (const reported of this.#reported.values()) reported.continued = undefined;
    for (const chain of chainsOf(this.#linked, { find: (key) => this.#reported.get(key), isOwn })) {
      const known = before.get(keyOf(chain.name));
      const whole = known?.isOf(chain) ? known : new ReportedOrder(chain.name, chain);
      for (const member of chain.members) member.continued = whole;
      for (const key of chain.keys) this.#chains.set(key, whole);
    }
  }

  /** Whether an order that was placed elsewhere is listed: not that of a practice account that was reset. */
  #counts({ account, at }: Order): boolean {
    return account.venue !== "practice" || this.resetAt === undefined || at > this.resetAt;
  }
}

/** The array before if nothing in it changed. */
function reuseIfEqual<T>(before: readonly T[], now: readonly T[]): readonly T[] {
  const isSame = before.length === now.length && now.every((each, index) => each === before[index]);
  return isSame ? before : now;
}

function dayOf(at: number): number {
  return Math.floor(at / 86_400_000);
}

/** The order of a group; the same object if neither its own records nor its reports tell more. */
function ownOrder(group: Group, { intent, order, known }: Sent, reported: Reported | undefined): OwnOrder {
  const { sources } = group;
  if (group.order && sources?.[0] === order && sources[1] === reported) return group.order;
  const name = nameOf(order);
  const { firstAt: _, ...reportedFields } = reported ?? {
    ids: name ? [name.orderId] : [],
    currentId: order.orderId,
    known,
    isReported: false,
    isComplete: false,
    cancel: undefined,
    firstAt: undefined,
    lastAt: undefined,
  };
  group.sources = [order, reported];
  return (group.order = {
    ...order,
    id: intent.id,
    account: order.intent,
    name,
    ...reportedFields,
    at: intent.at,
  });
}

/**
 * By time, which rises within the records of one order and one writer. Only two windows can write at the same time:
 * their text then decides, so that every window sees the same order, also after their files are merged.
 */
function byTime(one: OrderRecord, other: OrderRecord): number {
  return one.at - other.at || (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
}

function isSameRecord(one: RecordWithId, other: RecordWithId): boolean {
  return one.at === other.at && JSON.stringify(one) === JSON.stringify(other);
}

/** The first intent of an id counts, and all events that contradict no earlier proof. */
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
 * Of two readings of one intent. Evidence is only added, except that an earlier proof takes the place of a contradicting
 * one, and then the state is another one too.
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

/** The first proof stays: a later record may repeat it, but not contradict it. */
function contradicts(events: readonly OrderEvent[], event: OrderEvent): boolean {
  const proof = events.find(isProof);
  return proof !== undefined && isProof(event) && proof.state !== event.state;
}

function toOrder(record: IntentRecord, evidence: readonly OrderEvent[], isInFlight: boolean): SentOrder {
  const { kind: _, ...intent } = record;
  const proof = evidence.find(isProof);
  // An answer may accept the order without its id, which a list tells later.
  const [orderId] = evidence.flatMap((event) => ("orderId" in event && event.orderId ? [event.orderId] : []));
  const order = (state: OrderState, since: number): SentOrder => ({
    intent,
    state,
    since,
    orderId,
    evidence,
  });
  if (proof) return order(proof.state, proof.at);
  const settlement = lastSettlement(evidence);
  if (settlement) return { ...order(settledState(settlement), settlement.at), settledBy: settlement.by };
  const unknown = evidence.find((event) => event.kind === "outcome");
  if (unknown) return order("unknown", unknown.at);
  return order(isInFlight ? "sending" : "unknown", intent.at);
}

/** Proofs and settlements stay. Everything else ends with its account. */
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

/** A person's decision counts more than any check. A person who left the question open decided nothing. */
function lastSettlement(evidence: readonly OrderEvent[]): Settled | undefined {
  const settlements = evidence.filter((event) => event.kind === "settled");
  const decided = settlements.findLast(({ by }) => by === "user");
  return decided && decided.as !== "unresolved" ? decided : settlements.at(-1);
}
