import type { OrderState } from "../../market/order.ts";
import { atOnce, type Steps } from "../steps.ts";
import {
  type AccountReset,
  type OrderEvent,
  type OrderIntent,
  type IntentRecord,
  type OrderRecord,
  sequenceTime,
  stateOf,
} from "./records.ts";
import type { SkippedLine } from "./skippedLines.ts";

/** One order, as the records of all windows describe it. */
export interface RecordedOrder {
  readonly intent: OrderIntent;
  readonly state: OrderState;
  /** When the deciding record was written, ms. */
  readonly since: number;
  /** The deciding record is a check of the balance or a decision of the person, not a proof. */
  readonly settledBy?: Settled["by"] | undefined;
  /** From the exchange's acceptance. */
  readonly orderId: string | undefined;
  /** When the account of the order was reset, ms: the balance says nothing about the order since then. */
  readonly accountResetAt?: number | undefined;
  /** Everything recorded after the intent, oldest first. */
  readonly evidence: readonly OrderEvent[];
}

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
/** Orders that are folded without a pause: some milliseconds. */
const GROUPS_AT_ONCE = 1000;

/** A record about one order or one account by its own id. */
type RecordOfId = IntentRecord | AccountReset | OrderEvent;

/** A record and the file that it is in. */
interface Placed extends JournalLine {
  readonly record: RecordOfId;
  readonly source: Pick<RecordSource, "name" | "pid">;
}

/** The distinct records of one id, and what they say together. */
interface Group {
  readonly placed: Placed[];
  /** Undefined without an intent. */
  listed: Listed | undefined;
  contradictions: readonly Placed[];
}

interface Listed {
  intent: IntentRecord;
  order: RecordedOrder;
}

interface FoldOptions {
  readonly now: () => number;
  readonly isRunning: (pid: number) => boolean;
}

/**
 * The orders that the added records tell, newest first, and the records that contradict others (an outcome without an
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
  /** Oldest first, except those that came after `#orders` was made. */
  readonly #listed: Listed[] = [];
  /** The groups with records that were not folded yet. */
  readonly #changed = new Set<Group>();
  /** These change with time. */
  readonly #sending = new Set<Group>();
  readonly #contradicted = new Set<Group>();
  readonly #overdue: Set<string>;
  /** Newest first; undefined if an order changed since. */
  #orders: readonly RecordedOrder[] | undefined;

  /** `overdue`: ids of orders that this window showed as unknown. More are added. */
  constructor(options: FoldOptions, overdue = new Set<string>()) {
    this.#options = options;
    this.#overdue = overdue;
  }

  /** Ignores records about orders by their exchange's ids: see `OrderLives`. */
  add(source: Placed["source"], { record, line }: JournalLine): void {
    if (!("id" in record)) return;
    let group = this.#groups.get(record.id);
    if (!group) {
      group = { placed: [], listed: undefined, contradictions: [] };
      this.#groups.set(record.id, group);
    }
    const { placed } = group;
    const twin = placed.findIndex((each) => isSameRecord(each.record, record));
    placed.splice(twin === -1 ? placed.length : twin, 1, { record, line, source });
    this.#changed.add(group);
    if (record.kind !== "accountReset") return;
    this.#resets.push(record);
    this.#resets.sort((one, other) => one.at - other.at);
    for (const each of this.#groups.values()) this.#changed.add(each);
  }

  /** All distinct records of an order or reset, also those that contradict others. */
  recordsOf(id: string): readonly OrderRecord[] {
    return (this.#groups.get(id)?.placed ?? []).map(({ record }) => record);
  }

  /** Newest first. The same array until something changes; an order that did not change stays the same object. */
  get orders(): readonly RecordedOrder[] {
    for (const group of this.#sending) this.#changed.add(group);
    this.#sending.clear();
    atOnce(this.foldInSteps());
    if (this.#orders) return this.#orders;
    this.#listed.sort(({ intent: one }, { intent: other }) => byTime(one, other));
    return (this.#orders = this.#listed.map(({ order }) => order).toReversed());
  }

  /** Folds what was added, so that `orders` has less to do. */
  *foldInSteps(): Steps<void> {
    let count = 0;
    for (const group of this.#changed) {
      this.#changed.delete(group);
      if (this.#fold(group)) this.#orders = undefined;
      if ((count += 1) % GROUPS_AT_ONCE === 0) yield;
    }
  }

  /** The records that contradict others. */
  get skippedLines(): readonly SkippedLine[] {
    void this.orders;
    return [...this.#contradicted].flatMap(({ contradictions }) =>
      contradictions.map(({ source: { name: file }, line }): SkippedLine => ({
        file,
        line,
        reason: "contradiction",
      })),
    );
  }

  /** Whether the order is another one now. */
  #fold(group: Group): boolean {
    const { intent, pid, events, contradictions } = readGroup(group.placed);
    group.contradictions = contradictions;
    if (contradictions.length > 0) this.#contradicted.add(group);
    if (!intent) return false;
    const isInFlight =
      pid !== undefined &&
      !this.#overdue.has(intent.id) &&
      Math.abs(this.#options.now() - intent.at) <= IN_FLIGHT_MS &&
      this.#options.isRunning(pid);
    const order = withReset(toOrder(intent, events, isInFlight), this.#resets);
    if (order.state === "unknown") this.#overdue.add(intent.id);
    if (order.state === "sending") this.#sending.add(group);
    const { listed } = group;
    if (listed?.intent === intent && isSameOrder(listed.order, order)) return false;
    if (listed) Object.assign(listed, { intent, order });
    else this.#listed.push((group.listed = { intent, order }));
    return true;
  }
}

/**
 * By time, which rises within the records of one order and one writer. Only two windows can write at the same time:
 * their text then decides, so that every window sees the same order, also after their files are merged.
 */
function byTime(one: OrderRecord, other: OrderRecord): number {
  return one.at - other.at || (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
}

function isSameRecord(one: RecordOfId, other: RecordOfId): boolean {
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
function isSameOrder(one: RecordedOrder, other: RecordedOrder): boolean {
  return (
    one.state === other.state &&
    one.accountResetAt === other.accountResetAt &&
    one.evidence.length === other.evidence.length
  );
}

function isOrderEvent(record: RecordOfId): record is OrderEvent {
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

function toOrder(record: IntentRecord, evidence: readonly OrderEvent[], isInFlight: boolean): RecordedOrder {
  const { kind: _, ...intent } = record;
  const proof = evidence.find(isProof);
  // An answer may accept the order without its id, which a list tells later.
  const [orderId] = evidence.flatMap((event) => ("orderId" in event && event.orderId ? [event.orderId] : []));
  const order = (state: OrderState, since: number): RecordedOrder => ({
    intent,
    state,
    since,
    orderId,
    evidence,
  });
  if (proof) return order(proof.state, proof.at);
  const settlement = lastSettlement(evidence);
  if (settlement) return { ...order(stateOf(settlement), settlement.at), settledBy: settlement.by };
  const unknown = evidence.find((event) => event.kind === "outcome");
  if (unknown) return order("unknown", unknown.at);
  return order(isInFlight ? "sending" : "unknown", intent.at);
}

/** Proofs and settlements stay. Everything else ends with its account. */
function withReset(order: RecordedOrder, resets: readonly AccountReset[]): RecordedOrder {
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
