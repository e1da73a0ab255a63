import type { OrderState } from "../../market/order.ts";
import {
  type AccountReset,
  type OrderEvent,
  type OrderIntent,
  type IntentRecord,
  type OrderRecord,
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

interface Group {
  readonly intent: IntentRecord;
  readonly pid: number | undefined;
  readonly events: OrderEvent[];
}

/**
 * Bids, newest first, and the records that contradict others (an outcome without an intent, a second intent of one
 * id, two different proofs). Records with the same fields count once, so a file that is read twice, or merged and not
 * yet removed, changes nothing.
 *
 * An intent without an outcome is `sending` for 60 s while its process runs, and `unknown` from then on: the process
 * may have ended after the request was sent, and its number may belong to another program by now.
 */
export function foldOrders(
  sources: readonly RecordSource[],
  at: {
    readonly now: number;
    readonly isRunning: (pid: number) => boolean;
    /** Ids of orders that were unknown before: a clock that was set back does not make them `sending` again. */
    readonly overdue?: ReadonlySet<string>;
  },
): { readonly orders: readonly RecordedOrder[]; readonly skippedLines: readonly SkippedLine[] } {
  const groups = new Map<string, Group>();
  const skippedLines: SkippedLine[] = [];
  const contradiction = ({ file, line }: Placed): void => {
    skippedLines.push({ file, line, reason: "contradiction" });
  };
  const ordered = distinctByTime(sources);
  for (const placed of ordered) {
    const { record, pid } = placed;
    if (record.kind !== "intent") continue;
    if (groups.has(record.id)) contradiction(placed);
    else groups.set(record.id, { intent: record, pid, events: [] });
  }
  for (const placed of ordered) {
    const { record } = placed;
    if (!isOrderEvent(record)) continue;
    const group = groups.get(record.id);
    if (group && !contradicts(group.events, record)) group.events.push(record);
    else contradiction(placed);
  }
  const isInFlight = ({ intent, pid }: Group): boolean =>
    pid !== undefined &&
    !at.overdue?.has(intent.id) &&
    Math.abs(at.now - intent.at) <= IN_FLIGHT_MS &&
    at.isRunning(pid);
  const resets = ordered.flatMap(({ record }) => (record.kind === "accountReset" ? [record] : []));
  const orders = [...groups.values()].map((group) => withReset(toOrder(group, isInFlight), resets));
  return { orders: orders.toReversed(), skippedLines };
}

interface Placed extends JournalLine {
  readonly file: string | undefined;
  readonly pid: number | undefined;
}

/**
 * By time, which rises within the records of one order and one writer. Only two windows can write at the same time:
 * their text then decides, so that every window sees the same order, also after their files are merged.
 */
function distinctByTime(sources: readonly RecordSource[]): Placed[] {
  const distinct = new Map<string, Placed>();
  for (const { name: file, pid, records } of sources) {
    for (const { record, line } of records) {
      if (!belongsToIntents(record)) continue;
      distinct.set(JSON.stringify(record), { record, line, file, pid });
    }
  }
  return [...distinct]
    .sort(([a, { record: first }], [b, { record: second }]) => first.at - second.at || (a < b ? -1 : 1))
    .map(([, placed]) => placed);
}

/** The other records are about orders by their exchange's ids: see `OrderLives`. */
export function belongsToIntents(record: OrderRecord): record is IntentRecord | AccountReset | OrderEvent {
  return record.kind === "intent" || record.kind === "accountReset" || isOrderEvent(record);
}

function isOrderEvent(record: OrderRecord): record is OrderEvent {
  return "id" in record && record.kind !== "intent" && record.kind !== "accountReset";
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

function toOrder(group: Group, isInFlight: (group: Group) => boolean): RecordedOrder {
  const { intent: record, events: evidence } = group;
  const { kind: _, ...intent } = record;
  const proof = evidence.find(isProof);
  const orderId = proof?.state === "accepted" ? proof.orderId : undefined;
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
  return order(isInFlight(group) ? "sending" : "unknown", intent.at);
}

/** Proofs and settlements stay. Everything else ends with its account. */
function withReset(order: RecordedOrder, resets: readonly AccountReset[]): RecordedOrder {
  const { intent, state } = order;
  const reset = resets.find(({ venue, at }) => venue === intent.venue && intent.at < at);
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
