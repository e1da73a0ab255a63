import fc from "fast-check";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import type { Fill, OrderReport, OrderStatus, ReportSource } from "../../../src/market/orderReport.ts";
import {
  type IdObservation,
  isPushed,
  isStatement,
  observationsIn,
  type OwnObservation,
} from "../../../src/market/orders/observation.ts";
import type { OwnIdentity } from "../../../src/market/orders/orderIdentity.ts";

/** How the answers of a model exchange differ from the truth. */
export interface Faults {
  /** Answers show the exchange as it was up to this many seconds before the request. */
  readonly lag: boolean;
  /** A list leaves out its last order, and looks complete. */
  readonly cap: boolean;
  /** A response arrives twice. */
  readonly repeat: boolean;
  /** A list's amount is what is left of the order. */
  readonly remainders: boolean;
  /** A partly filled order goes on under a new id that names the earlier one. */
  readonly split: boolean;
  /** Every row names the same parent, which is no order. */
  readonly sentinel: boolean;
  /** An own order may get the id of one that ended long ago. */
  readonly reuse: boolean;
  /** Ids do not count up. */
  readonly scattered: boolean;
  /** One answer states a wrong status. */
  readonly lie: boolean;
}

/** One step of a history. `pick` and `size` choose what it is about, `lag` is in seconds. */
interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly pick: number;
  readonly size: number;
  readonly lag: number;
}

export interface History {
  readonly side: "buy" | "sell";
  readonly faults: Faults;
  readonly steps: readonly Step[];
}

const KINDS = [
  "wait",
  "waitLong",
  "placeOwn",
  "placeElsewhere",
  "fill",
  "fillAll",
  "cancel",
  "cancelElsewhere",
  "list",
  "info",
  "history",
  "push",
] as const;

/** Mostly readings, so that orders are seen again and again. */
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    fc.constantFrom(...KINDS),
    fc.constantFrom("wait", "waitLong", "list", "list", "info", "placeOwn", "fill"),
  ),
  pick: fc.nat(9),
  size: fc.integer({ min: 1, max: 9 }),
  lag: fc.nat(12),
});

export const NO_FAULTS: Faults = {
  lag: false,
  cap: false,
  repeat: false,
  remainders: false,
  split: false,
  sentinel: false,
  reuse: false,
  scattered: false,
  lie: false,
};

/** Histories in which each fault happens or not. `true`: answers may be strange, but true and complete. */
export function histories(isTrue = false): fc.Arbitrary<History> {
  const possible = isTrue ? (["repeat", "remainders", "split", "reuse", "scattered"] as const) : faultNames;
  const faults = fc
    .record(Object.fromEntries(possible.map((name) => [name, fc.boolean()])))
    .map((chosen): Faults => ({ ...NO_FAULTS, ...chosen }));
  return fc.record({
    side: fc.constantFrom("buy", "sell"),
    faults,
    steps: fc.array(step, { minLength: 4, maxLength: 40, size: "max" }),
  });
}

const faultNames = Object.keys(NO_FAULTS) as (keyof Faults)[];

/** An order as it really is. Units: 10 base at 100 each; no fees. */
export interface TrueOrder {
  readonly ids: { readonly id: string; readonly from: number; readonly size: number }[];
  readonly own: string | undefined;
  readonly clientId: string | undefined;
  readonly placedAt: number;
  readonly rate: number;
  readonly fills: {
    readonly id: string;
    readonly orderId: string;
    readonly at: number;
    readonly size: number;
  }[];
  end?: { readonly at: number; readonly status: OrderStatus };
}

const SIZE = 10;
const pair = { quote: "THB", base: "BTC" };
const START = Date.UTC(2026, 0, 1);
const SENTINEL = "1";

/** Plays one history. The exchange knows the truth; what is observed of it has the chosen faults. */
export class ModelExchange {
  readonly #history: History;
  readonly orders: TrueOrder[] = [];
  readonly own: OwnIdentity[] = [];
  readonly ownObservations = new Map<string, OwnObservation[]>();
  /** In the order of their arrival. */
  readonly observed: IdObservation[] = [];
  /** The order that each observation is about. */
  readonly about = new Map<IdObservation, TrueOrder>();
  now = START;
  #nextId = 100;
  #hasLied = false;

  constructor(history: History) {
    this.#history = history;
    for (const each of history.steps) this.#play(each);
  }

  /** Reads everything twice, truthfully. */
  tellTheTruth(): void {
    const honest: Faults = { ...this.#history.faults, lag: false, cap: false, lie: false };
    for (const waitMs of [5_000, 5_000, 1_000]) {
      this.now += waitMs;
      this.#list(0, honest);
      for (const order of this.orders) for (const { id } of order.ids) this.#info(order, id, 0, honest, 0);
      this.#readHistory(0, honest);
    }
    this.now += 1_000;
    this.#list(0, honest);
  }

  /** What is left of an order, in base. */
  leftOf(order: TrueOrder, at = this.now): number {
    return SIZE - filledOf(order, at);
  }

  #play({ kind, pick, size, lag }: Step): void {
    const { faults } = this.#history;
    this.now += 10;
    const lagMs = faults.lag ? lag * 1000 : 0;
    const order = this.orders[pick % Math.max(1, this.orders.length)];
    switch (kind) {
      case "wait":
        this.now += size * 500;
        return;
      case "waitLong":
        this.now += size * 10_000;
        return;
      case "placeOwn":
        return this.#place(true, pick, size);
      case "placeElsewhere":
        return this.#place(false, pick, size);
      case "fill":
        return order && this.#fill(order, Math.min(size, this.leftOf(order)));
      case "fillAll":
        return order && this.#fill(order, this.leftOf(order));
      case "cancel":
        return order && this.#cancel(order, pick + size);
      case "cancelElsewhere":
        return order && this.#end(order);
      case "list":
        return this.#list(lagMs, faults);
      case "info":
        return order && this.#info(order, order.ids[size % order.ids.length]?.id ?? "", lagMs, faults, size);
      case "history":
        return this.#readHistory(lagMs, faults);
      case "push":
        return order && this.#push(order, lagMs, faults, size);
    }
  }

  #place(isOwn: boolean, choice: number, size: number): void {
    const { faults } = this.#history;
    if (this.orders.length >= 4) return;
    this.now += 100;
    const at = this.now;
    const oldId = isOwn && faults.reuse ? this.#oldId() : undefined;
    const id = oldId ?? this.#newId();
    const own = isOwn ? `own-${this.own.length}` : undefined;
    const clientId = isOwn && choice % 3 > 0 ? `BSD-${this.own.length}` : undefined;
    const rate = 100 + (size % 2);
    this.orders.push({ ids: [{ id, from: at, size: SIZE }], own, clientId, placedAt: at, rate, fills: [] });
    if (own === undefined) return;
    const sent = {
      pair,
      side: this.#history.side,
      rate: new Decimal(String(rate)),
      amount: this.#amount(SIZE, rate),
      quantity: new Decimal(String(SIZE)),
      clientId,
    };
    this.now += 50;
    const says = (["accepted", "accepted", "lost", "rejected"] as const)[choice % 4] ?? "accepted";
    // A refusal of an order that was placed is a lie.
    const isTruth = says !== "rejected" || this.#mayLie();
    // An id that was used before names the new order only with a receipt or a client id.
    const said = isTruth && (oldId === undefined || clientId !== undefined) ? says : "accepted";
    const orderId = said === "accepted" ? id : undefined;
    this.own.push({ id: own, at: at - 1, exchangeAt: at - 1, sent, orderId });
    this.ownObservations.set(own, [
      { source: "intent", at: at - 1, sent },
      { source: "receipt", at: this.now, says: said, orderId },
    ]);
  }

  #fill(order: TrueOrder, size: number): void {
    if (order.end || size <= 0) return;
    const { id = "" } = order.ids.at(-1) ?? {};
    order.fills.push({ id: `t${order.fills.length}-${order.placedAt}`, orderId: id, at: this.now, size });
    const left = this.leftOf(order);
    if (left === 0) order.end = { at: this.now, status: "filled" };
    else if (this.#history.faults.split) order.ids.push({ id: this.#newId(), from: this.now, size: left });
  }

  #end(order: TrueOrder): void {
    if (order.end) return;
    order.end = { at: this.now, status: order.fills.length > 0 ? "partlyFilledCancelled" : "cancelled" };
  }

  #cancel(order: TrueOrder, choice: number): void {
    const orderId = order.ids.at(-1)?.id ?? "";
    if (!this.#isKnown(order, orderId) || this.isReused(order, orderId)) return;
    const observe = (step: "requested" | "accepted" | "rejected" | "unanswered" | "notOpen"): void =>
      this.#observe(order, [{ source: "cancel", at: this.now, orderId, step }]);
    observe("requested");
    this.now += 20;
    if (order.end) return observe("notOpen");
    if (choice % 4 === 0) return observe("rejected");
    if (choice % 4 === 1) return observe("unanswered");
    observe("accepted");
    this.#end(order);
  }

  /** The open orders as they were `lagMs` ago. */
  #list(lagMs: number, faults: Faults): void {
    const [at, seen] = [this.now, this.now - lagMs];
    const open = this.orders.filter((order) => order.placedAt <= seen && !isOver(order, seen));
    const shown = faults.cap ? open.slice(0, -1) : open;
    const rows = shown.map((order): OrderReport => {
      const [current, parent] = idsAt(order, seen);
      const left = this.leftOf(order, seen);
      const size = faults.remainders ? left : (current?.size ?? SIZE);
      const parentId = faults.sentinel ? SENTINEL : parent?.id;
      return {
        ...this.#base(order, current?.id ?? "", at),
        otherIds: parentId === undefined ? undefined : [parentId],
        rate: new Decimal(String(order.rate)),
        status: "open",
        ...this.#ordered(size, order.rate),
        placedAt: order.placedAt,
      };
    });
    for (const [index, row] of rows.entries()) this.#tell("list", shown[index], [row], rows);
    const listed = new Set(rows.map(({ orderId }) => orderId));
    for (const order of this.orders) {
      const known = order.ids.filter(({ id }) => this.#isKnown(order, id) && !this.isReused(order, id));
      const last = known.at(-1);
      if (last && !order.ids.some(({ id }) => listed.has(id)))
        this.#observe(order, [{ source: "absent", at, orderId: last.id }]);
    }
    this.now += 30;
  }

  #isKnown(order: TrueOrder, id: string): boolean {
    const isRead = (each: IdObservation): boolean =>
      isStatement(each) && !isPushed(each) && each.orderId === id && this.about.get(each) === order;
    return this.own.find((each) => each.id === order.own)?.orderId === id || this.observed.some(isRead);
  }

  #info(order: TrueOrder, orderId: string, lagMs: number, faults: Faults, choice: number): void {
    const seen = this.now - lagMs;
    const index = idsAt(order, seen).findLastIndex(({ id }) => id === orderId);
    if (index === -1 || this.isReused(order, orderId)) return;
    const known = order.ids.filter(({ from }) => from <= seen);
    const place = known.findIndex(({ id }) => id === orderId);
    const [parent, own, later] = [known[place - 1], known[place], known[place + 1]];
    const truth = statusAt(order, seen);
    const ended = later ? ("partlyFilledCancelled" as const) : truth;
    const wrong = (["cancelled", "filled", "open"] as const)[choice % 3] ?? "open";
    const status = faults.lie && choice > 5 && this.#mayLie() ? wrong : ended;
    const report: OrderReport = {
      ...this.#base(order, orderId, this.now),
      otherIds: [parent?.id, later?.id, faults.sentinel ? SENTINEL : undefined].flatMap((id) => id ?? []),
      laterId: later?.id,
      rate: new Decimal(String(order.rate)),
      status,
      ...this.#ordered(own?.size ?? SIZE, order.rate),
      fills: this.#fillsOf(order, seen, orderId),
    };
    this.#tell("info", order, [report]);
    this.now += 30;
  }

  #readHistory(lagMs: number, faults: Faults): void {
    const seen = this.now - lagMs;
    for (const order of this.orders) {
      for (const { id } of order.ids) {
        const fills = this.#fillsOf(order, seen, id);
        if (fills.length === 0) continue;
        const isLast = order.ids.at(-1)?.id === id;
        const closedAt = isLast && isOver(order, seen) ? order.end?.at : undefined;
        this.#tell("history", order, [{ ...this.#base(order, id, this.now), fills, closedAt }], [], faults);
      }
    }
    this.now += 30;
  }

  #push(order: TrueOrder, lagMs: number, faults: Faults, choice: number): void {
    const seen = this.now - lagMs;
    const [current] = idsAt(order, seen);
    if (!current || this.isReused(order, current.id)) return;
    const base = this.#base(order, current.id, this.now);
    const [last] = this.#fillsOf(order, seen, current.id).slice(-1);
    if (choice % 2 === 0 && last) return this.#tell("push", order, [{ ...base, fills: [last] }]);
    const status = faults.lie && choice > 6 && this.#mayLie() ? "cancelled" : statusAt(order, seen);
    const executed = this.#amount(filledOf(order, seen), order.rate);
    const rate = new Decimal(String(order.rate));
    this.#tell("push", order, [
      { ...base, rate, status, ...this.#ordered(SIZE, order.rate), executed, placedAt: order.placedAt },
    ]);
  }

  #tell(
    source: ReportSource,
    order: TrueOrder | undefined,
    reports: readonly OrderReport[],
    listed: readonly OrderReport[] = [],
    faults: Faults = this.#history.faults,
  ): void {
    if (!order) return;
    for (const report of reports) {
      const all = observationsIn({ ...report, source }, listed);
      this.#observe(order, all);
      if (faults.repeat)
        this.#observe(order, observationsIn({ ...report, source, askedAt: this.now + 5 }, listed));
    }
  }

  #observe(order: TrueOrder, all: readonly IdObservation[]): void {
    for (const each of all) {
      this.observed.push(each);
      this.about.set(each, order);
    }
  }

  #base(order: TrueOrder, orderId: string, askedAt: number): OrderReport {
    const { clientId } = order;
    return {
      source: "list",
      orderId,
      clientId,
      symbol: "THB_BTC",
      pair,
      side: this.#history.side,
      fills: [],
      askedAt,
    };
  }

  #ordered(size: number, rate: number): Pick<OrderReport, "amount" | "quantity"> {
    const quantity = new Decimal(String(size));
    return this.#history.side === "buy" ? { quantity, amount: this.#amount(size, rate) } : { quantity };
  }

  /** What leaves the account. */
  #amount(size: number, rate: number): Decimal {
    return new Decimal(String(this.#history.side === "buy" ? size * rate : size));
  }

  /** The fills of one id. */
  #fillsOf(order: TrueOrder, seen: number, orderId: string): Fill[] {
    return order.fills
      .filter((fill) => fill.at <= seen && fill.orderId === orderId)
      .map(({ id, at, size }) => ({
        id,
        at,
        rate: new Decimal(String(order.rate)),
        quantity: new Decimal(String(size)),
        value: new Decimal(String(size * order.rate)),
        fee: new Decimal("0"),
      }));
  }

  #newId(): string {
    this.#nextId += 1;
    return this.#history.faults.scattered ? String((this.#nextId * 7919) % 9973) : String(this.#nextId);
  }

  /** The id of an order that ended at least two minutes ago under its first id. */
  #oldId(): string | undefined {
    const ended = this.orders.filter(
      ({ end, ids }) => ids.length === 1 && end && end.at < this.now - 120_000,
    );
    return ended
      .flatMap((order) => order.ids.slice(0, 1).map(({ id }) => ({ id, isFree: !this.isReused(order, id) })))
      .find(({ isFree }) => isFree)?.id;
  }

  /** Whether a newer order has the id now, so that the exchange no longer tells of this one under it. */
  isReused(order: TrueOrder, orderId: string): boolean {
    const holder = this.orders.findLast(({ ids }) => ids.some(({ id }) => id === orderId));
    return holder !== order;
  }

  #mayLie(): boolean {
    if (!this.#history.faults.lie || this.#hasLied) return false;
    this.#hasLied = true;
    return true;
  }
}

export function filledOf({ fills }: TrueOrder, at: number): number {
  return fills.reduce((sum, fill) => sum + (fill.at <= at ? fill.size : 0), 0);
}

function isOver({ end }: TrueOrder, at: number): boolean {
  return end !== undefined && end.at <= at;
}

/** The ids that the order had by then, the newest first. */
function idsAt({ ids }: TrueOrder, at: number): readonly TrueOrder["ids"][number][] {
  return ids.filter(({ from }) => from <= at).toReversed();
}

export function statusAt(order: TrueOrder, at: number): OrderStatus {
  return order.end && isOver(order, at) ? order.end.status : "open";
}
