import { keyOf, type OrderName } from "../../market/order.ts";
import { type KnownOrder, knownOrder } from "../../market/orders/knownOrder.ts";
import {
  type IdObservation,
  inSequence,
  isStatement,
  type Observation,
  type OwnObservation,
  type Statement,
} from "../../market/orders/observation.ts";
import { type IdentifiedOrder, identifyOrders, type OwnIdentity } from "../../market/orders/orderIdentity.ts";
import { essential, orderState } from "../../market/orders/orderState.ts";
import { type CancelRecord, observationOf, type PlacedOrderRecord } from "./placedOrderRecords.ts";

/** An order of this computer: what identifies it, and what its own records prove. */
export interface OwnSource extends OwnIdentity {
  readonly observed: readonly OwnObservation[];
}

/** An order as its exchange knows it. Replaced only on change. */
export interface ExchangeOrder {
  /** The intent's id; undefined for an order placed elsewhere. */
  readonly own: string | undefined;
  /** Unique among the orders placed elsewhere. */
  readonly id: string;
  /** Under its first id. */
  readonly name: OrderName;
  readonly known: KnownOrder;
  /** Whether the exchange has stated anything of it. */
  readonly isReported: boolean;
  /** The newest step of a cancellation. */
  readonly cancel: CancelRecord | undefined;
  /** When it was first observed, and when the newest record was, in the sequence. */
  readonly firstAt: number | undefined;
  readonly lastAt: number | undefined;
}

/** What must be recorded of one order: without it, the records would tell another state. */
export interface News {
  readonly own: string | undefined;
  readonly name: OrderName;
  readonly records: readonly PlacedOrderRecord[];
}

/** Events may name any number of orders that no response confirms. */
const MAX_UNCONFIRMED = 100;

interface Known {
  readonly key: string;
  readonly ownObserved: readonly OwnObservation[];
  readonly observed: readonly IdObservation[];
  /** The state as text, to compare it. */
  readonly text: string;
  readonly order: ExchangeOrder;
}

/**
 * The orders of one account, pair and side. What changes no state is not recorded, and kept in memory only as long as a
 * later observation may make it count: the first of two lists, for example.
 */
export class ExchangeOrders {
  readonly #place: Omit<OrderName, "orderId">;
  readonly #own = new Map<string, OwnSource>();
  /** By text, because two files may have the same record. */
  readonly #recorded = new Map<string, IdObservation>();
  readonly #isRecorded = new Set<IdObservation>();
  readonly #unrecorded = new Map<IdObservation, PlacedOrderRecord>();
  readonly #cancels = new Map<IdObservation, CancelRecord>();
  /** Whose observations need not be recorded as they are. */
  readonly #checked = new WeakSet<Known>();
  #known = new Map<string, Known>();
  #byId = new Map<string, readonly Known[]>();
  /** What was observed changed in such a way that it may be about other orders now. */
  #mustIdentify = false;
  /** The orders of which more was observed. */
  readonly #added = new Map<Known, IdObservation[]>();

  constructor({ venue, origin, account, quote, base, side }: Omit<OrderName, "orderId">) {
    this.#place = { venue, origin, account, quote, base, side };
  }

  setOwn(source: OwnSource): void {
    this.#own.set(source.id, source);
    this.#mustIdentify = true;
  }

  add(record: PlacedOrderRecord): void {
    const text = JSON.stringify(record);
    if (this.#recorded.has(text)) return;
    const observation = observationOf(record);
    this.#recorded.set(text, observation);
    this.#isRecorded.add(observation);
    if (record.kind === "cancel") this.#cancels.set(observation, record);
    this.#observe(observation);
  }

  get orders(): readonly ExchangeOrder[] {
    return [...this.#read().values()].map(({ order }) => order);
  }

  /**
   * The order under one of its ids. An own order takes an id from those placed elsewhere; if an exchange reuses an id,
   * it names the later order.
   */
  find(orderId: string): ExchangeOrder | undefined {
    this.#read();
    const found = (this.#byId.get(orderId) ?? []).map(({ order }) => order);
    const sentAt = ({ own = "" }: ExchangeOrder): number => this.#own.get(own)?.at ?? 0;
    return found.toSorted((one, other) => sentAt(one) - sentAt(other)).at(-1);
  }

  /**
   * Takes what a response or event states, and returns what must be recorded of it, or of what was observed before: an
   * event counts once its order is known.
   */
  news(records: readonly PlacedOrderRecord[]): readonly News[] {
    this.#read();
    for (const record of records) {
      const observation = observationOf(record);
      if (this.#isRepeated(observation)) continue;
      this.#unrecorded.set(observation, record);
      this.#observe(observation);
    }
    return [...this.#read().values()].flatMap((known) => {
      if (this.#checked.has(known)) return [];
      this.#checked.add(known);
      return this.#newsOf(known);
    });
  }

  /** Notes an observation: of a known order if it tells nothing of which order it is about. */
  #observe(observation: IdObservation): void {
    const [of, ...others] = this.#byId.get(observation.orderId) ?? [];
    if (!of || others.length > 0 || this.#mustIdentify || !this.#isPlain(observation, of))
      this.#mustIdentify = true;
    else this.#added.set(of, [...(this.#added.get(of) ?? []), observation]);
  }

  /** Whether an observation of a known order tells nothing new of which order it is about. */
  #isPlain(each: IdObservation, { order, observed }: Known): boolean {
    const owner = this.#own.get(order.own ?? "");
    const last = observed.at(-1);
    if (order.known.ids.length > 1 || !last || each.at < last.at || (owner && each.at < owner.at))
      return false;
    if (each.source === "absent" || each.source === "cancel") return true;
    const named = this.#ownNamed(each.clientId);
    if (named && named !== owner) return false;
    const date = each.source === "fill" ? each.fill.at : (each.closedAt ?? each.placedAt);
    if (owner?.exchangeAt !== undefined && date !== undefined && date < owner.exchangeAt) return false;
    return relationsIn(each).length === 0;
  }

  /** The own order with a client id. */
  #ownNamed(clientId: string | undefined): OwnSource | undefined {
    if (clientId === undefined) return undefined;
    return [...this.#own.values()].find(({ sent }) => sent.clientId === clientId);
  }

  /** Takes back news that could not be recorded: what was observed stays true, and is news again. */
  keep(record: PlacedOrderRecord): void {
    const observation = observationOf(record);
    this.#unrecorded.set(observation, record);
    this.#observe(observation);
  }

  #newsOf(of: Known): News[] {
    const { ownObserved, observed, text, order } = of;
    const { own, name, known } = order;
    const unrecorded = observed.filter((each) => this.#unrecorded.has(each));
    if (unrecorded.length === 0) return [];
    const needed = new Set(essential([...ownObserved, ...observed]));
    const recorded = observed.filter((each) => this.#isRecorded.has(each));
    const isTold =
      stateOf(ownObserved, recorded)?.text === text &&
      recorded.some(isStatement) === order.isReported &&
      !tellsOfIds(unrecorded, recorded);
    if (!isTold && known.isConfirmed) {
      const records = unrecorded.flatMap((each) => (needed.has(each) && this.#unrecorded.get(each)) || []);
      this.#forget(of, unrecorded);
      return [{ own, name, records }];
    }
    const isTooMany = !known.isConfirmed && this.#countUnconfirmed() > MAX_UNCONFIRMED;
    this.#forget(
      of,
      unrecorded.filter((each) => isTooMany || !needed.has(each)),
    );
    return [];
  }

  #forget(of: Known, observed: readonly IdObservation[]): void {
    if (observed.length === 0) return;
    for (const each of observed) this.#unrecorded.delete(each);
    this.#added.set(of, this.#added.get(of) ?? []);
  }

  #countUnconfirmed(): number {
    return [...this.#known.values()].filter(({ order }) => !order.known.isConfirmed).length;
  }

  /**
   * Whether a statement repeats the newest one of its source about an open order, and nothing but open statements came
   * since: most rows of most polls.
   */
  #isRepeated(observation: IdObservation): boolean {
    if (!isOpen(observation)) return false;
    const [of, ...others] = this.#byId.get(observation.orderId) ?? [];
    if (!of || others.length > 0) return false;
    const { status, cancel, ids } = of.order.known;
    if (status !== "open" || cancel !== undefined || ids.length > 1) return false;
    const text = textAtAnyTime(observation);
    for (const each of of.observed.toReversed()) {
      if (each.at > observation.at || !(each.source === "fill" || isOpen(each))) return false;
      if (each.source === observation.source) return textAtAnyTime(each) === text;
    }
    return false;
  }

  #read(): ReadonlyMap<string, Known> {
    if (this.#mustIdentify) return this.#identify();
    for (const [of, added] of this.#added) {
      const kept = of.observed.filter((each) => this.#isRecorded.has(each) || this.#unrecorded.has(each));
      const known = this.#knownOf(
        { own: of.order.own, observed: [...kept, ...inSequence(added)] },
        of.key,
        of,
      );
      if (!known) return this.#identify();
      this.#known.set(known.key, known);
      for (const id of known.order.known.ids)
        this.#byId.set(id, [...(this.#byId.get(id) ?? []).filter((each) => each !== of), known]);
    }
    this.#added.clear();
    return this.#known;
  }

  #identify(): ReadonlyMap<string, Known> {
    this.#mustIdentify = false;
    this.#added.clear();
    const before = this.#known;
    this.#known = new Map();
    this.#byId = new Map();
    const all = [...this.#recorded.values(), ...this.#unrecorded.keys()];
    for (const identified of identifyOrders([...this.#own.values()], all)) {
      let key = JSON.stringify([identified.firstId, identified.own]);
      // An event may name an own order under an id that another order has.
      while (this.#known.has(key)) key += "'";
      const known = this.#knownOf(identified, key, before.get(key));
      if (!known) continue;
      this.#known.set(key, known);
      for (const id of known.order.known.ids) this.#byId.set(id, [...(this.#byId.get(id) ?? []), known]);
    }
    return this.#known;
  }

  #knownOf(
    { own, firstId, observed }: Omit<IdentifiedOrder, "firstId"> & Partial<IdentifiedOrder>,
    key: string,
    before: Known | undefined,
  ): Known | undefined {
    const ownObserved = own === undefined ? [] : (this.#own.get(own)?.observed ?? []);
    if (before && isSameList(before.ownObserved, ownObserved) && isSameList(before.observed, observed))
      return before;
    const read = stateOf(ownObserved, observed);
    const orderId = before?.order.name.orderId ?? firstId;
    if (!read || orderId === undefined) return undefined;
    const name = before?.order.name ?? { ...this.#place, orderId };
    const recorded = observed.filter((each) => this.#isRecorded.has(each));
    const cancel = recorded.findLast((each) => each.source === "cancel");
    const order: ExchangeOrder = {
      own,
      id: `${keyOf(name)}${key.endsWith("'") ? ` ${key}` : ""}`,
      name,
      known: before?.text === read.text ? before.order.known : knownOrder(read.state, orderId),
      isReported: observed.some(isStatement),
      cancel: cancel && this.#cancels.get(cancel),
      firstAt: (recorded[0] ?? observed[0])?.at,
      lastAt: recorded.at(-1)?.at,
    };
    const isSame = before && isSameOrder(before.order, order);
    return { key, ownObserved, observed, text: read.text, order: isSame ? before.order : order };
  }
}

/** Undefined if neither we nor the exchange state what the order is: only its cancellation is recorded. */
function stateOf(own: readonly OwnObservation[], observed: readonly IdObservation[]) {
  const all: readonly Observation[] = [...own, ...observed];
  if (own.length === 0 && !observed.some(isStatement)) return undefined;
  const state = orderState(all);
  return { state, text: JSON.stringify(state) };
}

function isOpen(each: IdObservation): each is Statement {
  return "status" in each && each.status === "open";
}

/** Whether observations link ids or tell them apart where the recorded ones do not, which no state shows. */
function tellsOfIds(observed: readonly IdObservation[], recorded: readonly IdObservation[]): boolean {
  const known = new Set(recorded.flatMap(relationsIn));
  return observed.flatMap(relationsIn).some((each) => !known.has(each));
}

function relationsIn(each: IdObservation): readonly string[] {
  if (!("openWith" in each)) return [];
  const { orderId, openWith, earlierIds, laterId } = each;
  return [
    ...openWith.map((id) => `${orderId} with ${id}`),
    ...earlierIds.map((id) => `${orderId} after ${id}`),
    ...(laterId === undefined ? [] : [`${orderId} before ${laterId}`]),
  ];
}

function textAtAnyTime(each: IdObservation): string {
  return JSON.stringify({ ...each, at: 0 });
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

function isSameOrder(one: ExchangeOrder, other: ExchangeOrder): boolean {
  return (
    one.known === other.known &&
    one.isReported === other.isReported &&
    one.cancel === other.cancel &&
    one.firstAt === other.firstAt &&
    one.lastAt === other.lastAt
  );
}
