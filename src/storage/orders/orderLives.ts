import type { Decimal } from "../../market/numbers/decimal.ts";
import { compareOrderIds, isSameOrder, keyOf, type OrderName } from "../../market/order.ts";
import {
  advance,
  hasAllFills,
  hasEnded,
  isExplained,
  isGone,
  type KnownOrder,
  newsIn,
  type OrderReport,
  wholeOf,
} from "../../market/orderReport.ts";
import { type CancelRecord, type FillRecord, type LifeRecord, type Place, reportOf } from "./lifeRecords.ts";
import { chainsOf, type OrderChain } from "./orderChains.ts";
import type { OrderRecord } from "./records.ts";
import { TradeBook } from "./tradeBook.ts";

/** The records about one order by its exchange's id, and what they say together. */
export interface OrderLife {
  readonly name: OrderName;
  /** The key of the name. */
  readonly key: string;
  /** All ids of the order: some exchanges give the rest of an order a new id. */
  readonly ids: readonly string[];
  /** The id that the exchange has for the order now: the one to ask for, and to cancel. */
  readonly currentId: string;
  /** Undefined if only a cancellation is recorded. */
  readonly known: KnownOrder | undefined;
  /** The newest step of a cancellation. */
  readonly cancel: CancelRecord | undefined;
  /** When the first record of the order was written, ms. */
  readonly firstAt: number;
  /** When the last one was. */
  readonly lastAt: number;
  /** Whether a report tells the end of the order. Known without reading the records, but fills alone may prove an end too. */
  readonly isEndRecorded: boolean;
  /** Whether the kind of end is known. */
  readonly isExplained: boolean;
}

/**
 * What the records of all windows say of orders by their exchange's ids, and of costs entered by hand. It is added to,
 * never rebuilt: a record that is added twice changes nothing, so an event costs the same with 50,000 orders as with one.
 */
export class OrderLives {
  /** By the exchange's id alone: short keys are found fast, and few orders share an id. */
  readonly #byId = new Map<string, Life>();
  /** All lives, in the order of their first records. */
  readonly #ordered: Life[] = [];
  /** The lives that count; undefined after a change of them. */
  #all: readonly Life[] | undefined;
  /** Lives that may still change, and perhaps some that ended since the last look. */
  readonly #unexplained = new Set<Life>();
  /** Lives with a known kind of end whose fills may be missing. */
  readonly #unfinished = new Set<Life>();
  /** Lives whose exchange named another id of the same order. */
  readonly #linked = new Set<Life>();
  /** Undefined after a change of them. */
  #chains: Chains | undefined;
  /** Fills and costs by pair. */
  readonly trades = new TradeBook((fill) => this.#chainOf(fill)?.name.orderId ?? fill.orderId);
  /** How many records each day has, by its number since the epoch (UTC). */
  readonly #perDay = new Map<number, number>();
  #resetAt: number | undefined;

  /** Ignores the records of other kinds. */
  add(record: OrderRecord): void {
    switch (record.kind) {
      case "report":
      case "fill":
      case "cancel": {
        const life = this.#find(record) ?? this.#begin(record);
        // A report may open an order again that was shown as ended.
        if (record.at < life.firstAt || life.isPresumedOver) this.#all = undefined;
        life.add(record);
        this.#perDay.set(dayOf(record.at), this.countOfDay(record.at) + 1);
        if (!this.#unexplained.has(life)) this.#unfinished.add(life);
        if (this.#linked.size > 0 || (record.kind === "report" && record.otherIds))
          this.#addToChain(life, record);
        if (record.kind === "fill") this.trades.addFill(record);
        break;
      }
      case "intent":
      case "outcome":
        this.trades.addSent(record);
        if (record.kind === "outcome" && record.state === "accepted") this.#noteSent(record.orderId);
        break;
      case "cost":
        this.trades.addCost(record);
        break;
      case "accountReset":
        this.#resetAt = Math.max(this.#resetAt ?? record.at, record.at);
        this.#all = undefined;
        this.trades.reset(record.at);
        break;
      case "accountAnswer":
        break;
    }
  }

  /** How many records about orders were written on the day (UTC) of this time (ms). */
  countOfDay(at: number): number {
    return this.#perDay.get(dayOf(at)) ?? 0;
  }

  /** By any id of the order. */
  get(name: OrderName): OrderLife | undefined {
    return this.#chainOf(name) ?? this.#find(name);
  }

  /** The orders that a report is about: several, if it tells that they are one. */
  about(report: OrderReport, place: Place): readonly OrderLife[] {
    const { orderId, otherIds = [] } = report;
    const name = nameIn(report, place);
    const found = [orderId, ...otherIds].flatMap((id) => this.get({ ...name, orderId: id }) ?? []);
    return [...new Set(found)];
  }

  /** The part of a report that adds anything to what is known of its order; undefined if there is none. */
  newsIn(report: OrderReport, place: Place): OrderReport | undefined {
    const name = nameIn(report, place);
    const life = this.#chainOf(name) ?? this.#find(name);
    if (!life?.told) return report;
    const news = newsIn(life.told, life.inTermsOf(inSequence(report, life.told)));
    return news && { ...inSequence(report, life.told), fills: news.fills };
  }

  /** The newest reset of the practice account, ms. */
  get resetAt(): number | undefined {
    return this.#resetAt;
  }

  #find(name: OrderName): Life | undefined {
    let life = this.#byId.get(name.orderId);
    while (life && !isSameOrder(life.name, name)) life = life.sameId;
    return life;
  }

  #begin(record: LifeRecord): Life {
    const life: Life = new Life(
      record,
      () => this.trades.sentAmount(life.name),
      this.#byId.get(record.orderId),
    );
    this.#byId.set(record.orderId, life);
    this.#ordered.push(life);
    this.#unexplained.add(life);
    return life;
  }

  /**
   * All orders, in the order of their first records. Not those of a practice account that was reset. The same array
   * until an order comes or goes.
   */
  all(): readonly OrderLife[] {
    return (this.#all ??= this.#joined(this.#ordered).filter((life) => this.#counts(life)));
  }

  /** The same without orders whose kind of end is known. The done orders of a long journal are not looked at for this. */
  unexplained(): readonly OrderLife[] {
    for (const life of this.#unexplained) {
      if (!life.isExplained) continue;
      this.#unexplained.delete(life);
      this.#unfinished.add(life);
    }
    // One id of an order may have ended while another one is open.
    const candidates = [...this.#unexplained, ...this.#readChains().lives];
    return this.#joined(candidates).filter((life) => !life.isExplained && this.#counts(life));
  }

  /** Orders with a known kind of end whose fills are not all known, and which a record since then (ms) tells of. */
  unfinished(since: number): readonly OrderLife[] {
    for (const life of this.#unfinished)
      if (life.lastAt < since || (life.known && hasAllFills(life.known))) this.#unfinished.delete(life);
    return this.#joined(this.#unfinished).filter(
      (life) => life.isExplained && life.known && !hasAllFills(life.known) && this.#counts(life),
    );
  }

  /** The orders that these are parts of, each once. */
  #joined(lives: Iterable<Life>): readonly Life[] {
    const { byLife } = this.#readChains();
    return byLife.size === 0 ? [...lives] : [...new Set([...lives].map((life) => byLife.get(life) ?? life))];
  }

  #chainOf(name: OrderName): Life | undefined {
    return this.#linked.size === 0 ? undefined : this.#readChains().byKey.get(keyOf(name));
  }

  #addToChain(life: Life, record: LifeRecord): void {
    const chain = this.#chains?.byLife.get(life);
    const links = record.kind === "report" ? (record.otherIds ?? []) : [];
    if (links.length > 0) this.#linked.add(life);
    if (chain?.isPresumedOver) this.#all = undefined;
    if (chain && links.every((id) => chain.ids.includes(id))) chain.add(record);
    else if (links.length > 0 || this.#chains?.byKey.has(life.key) !== false) this.#forgetChains();
  }

  /** What is known of an order is read again once it is known to be of this computer. */
  #noteSent(orderId: string | undefined): void {
    if (this.#linked.size > 0) this.#forgetChains();
    let life = orderId === undefined ? undefined : this.#byId.get(orderId);
    for (; life; life = life.sameId) life.readAgain();
  }

  #forgetChains(): void {
    this.#chains = undefined;
    this.#all = undefined;
    this.trades.regroup();
  }

  #readChains(): Chains {
    if (this.#chains) return this.#chains;
    if (this.#linked.size === 0) return (this.#chains = { lives: [], byKey: new Map(), byLife: new Map() });
    const chains = chainsOf(
      this.#linked,
      (name) => this.#find(name),
      (name) => this.trades.isSent(name),
    );
    const byLife = new Map<Life, Life>();
    const byKey = new Map<string, Life>();
    const lives = chains.map((chain) => {
      const life = Life.ofChain(chain, () => this.trades.sentAmount(chain.name));
      for (const member of chain.members) byLife.set(member, life);
      for (const key of chain.keys) byKey.set(key, life);
      return life;
    });
    return (this.#chains = { lives, byKey, byLife });
  }

  #counts({ name, firstAt }: Life): boolean {
    return name.venue !== "practice" || this.#resetAt === undefined || firstAt > this.#resetAt;
  }
}

function dayOf(at: number): number {
  return Math.floor(at / 86_400_000);
}

function nameIn({ orderId, pair, side }: OrderReport, { venue, origin, account }: Place): OrderName {
  return { venue, origin, account, ...pair, side, orderId };
}

function largestOf(amounts: readonly Decimal[]): Decimal | undefined {
  return amounts.reduce<Decimal | undefined>((most, each) => (most?.gte(each) ? most : each), undefined);
}

interface Chains {
  readonly lives: readonly Life[];
  /** By the keys of all their ids. */
  readonly byKey: ReadonlyMap<string, Life>;
  /** By what the exchange said by one id. */
  readonly byLife: ReadonlyMap<Life, Life>;
}

/** Reads its records when somebody asks: most of 50,000 done orders are never looked at. */
class Life implements OrderLife {
  readonly name: OrderName;
  /** Another order with the same id, of another pair, side or exchange. */
  readonly sameId: Life | undefined;
  /** What the order gives away, if this computer placed it. Lists may tell no more than its rest. */
  readonly sent: () => Decimal | undefined;
  /** All records so far, and how many of them were read. */
  readonly #records: LifeRecord[] = [];
  #read = 0;
  readonly #otherIds = new Set<string>();
  #chain: (Pick<OrderLife, "ids" | "currentId"> & { readonly ordered: Decimal | undefined }) | undefined;
  #key: string | undefined;
  #told: KnownOrder | undefined;
  /** `known` of an order whose end is inferred, until the next record. */
  #presumedOver: KnownOrder | undefined;
  #cancel: CancelRecord | undefined;
  #firstAt = Number.POSITIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;
  #isEndRecorded = false;
  #isExplained = false;

  constructor(
    { venue, origin, account, quote, base, side, orderId }: OrderName,
    sent: () => Decimal | undefined,
    sameId?: Life,
  ) {
    this.sent = sent;
    this.sameId = sameId;
    this.name = { venue, origin, account, quote, base, side, orderId };
  }

  /**
   * One life of all records by the ids of a chain. `sent`: what this computer's order gives away. A later id may be of the
   * rest alone, so the largest told amount counts otherwise.
   */
  static ofChain({ name, members, ids }: OrderChain<Life>, sent: Life["sent"]): Life {
    const life = new Life(name, sent);
    const records = members.flatMap((member) => member.#records);
    const told = records.flatMap((record) =>
      record.kind === "report" ? (wholeOf(reportOf(record)) ?? []) : [],
    );
    life.#chain = { ids, currentId: ids.at(-1) ?? name.orderId, ordered: largestOf(told) };
    for (const record of records) life.add(record);
    return life;
  }

  get key(): string {
    return (this.#key ??= keyOf(this.name));
  }

  get ids(): readonly string[] {
    return this.#chain?.ids ?? [this.name.orderId];
  }

  get currentId(): string {
    return this.#chain?.currentId ?? this.name.orderId;
  }

  get otherIds(): Iterable<string> {
    return this.#otherIds;
  }

  /** What the reports say. */
  get told(): KnownOrder | undefined {
    this.#readRecords();
    return this.#told;
  }

  /** What the reports say, and that an order ended which no list has any more after its cancellation. */
  get known(): KnownOrder | undefined {
    const { told, cancel } = this;
    const isCancelled = cancel?.step === "taken" || cancel?.step === "notOpen";
    if (!told || !isCancelled || !isGone(told)) return told;
    return (this.#presumedOver ??= { ...told, closedAt: cancel.at });
  }

  /** Whether the end that `known` told last is inferred. */
  get isPresumedOver(): boolean {
    return this.#presumedOver !== undefined;
  }

  get cancel(): CancelRecord | undefined {
    this.#readRecords();
    return this.#cancel;
  }

  get firstAt(): number {
    return this.#firstAt;
  }

  get lastAt(): number {
    return this.#lastAt;
  }

  get isEndRecorded(): boolean {
    return this.#isEndRecorded;
  }

  get isExplained(): boolean {
    if (!this.#isExplained) {
      const { told } = this;
      this.#isExplained = told !== undefined && isExplained(told);
    }
    return this.#isExplained;
  }

  add(record: LifeRecord): void {
    this.#records.push(record);
    this.#presumedOver = undefined;
    if (record.kind === "report") {
      for (const id of record.otherIds ?? []) this.#otherIds.add(id);
      if (!this.#isContinued(record.orderId)) {
        this.#isEndRecorded ||= hasEnded(record);
        this.#isExplained ||= isExplained(record);
      }
    }
    this.#firstAt = Math.min(this.#firstAt, record.at);
    this.#lastAt = Math.max(this.#lastAt, record.at);
  }

  /** A report by any id of this order as one by its name. The end of an id that is continued is no end of the order. */
  inTermsOf(report: OrderReport): OrderReport & Partial<Pick<KnownOrder, "leastOpen">> {
    const { orderId, side } = this.name;
    const told = wholeOf(report);
    const ordered = this.sent() ?? this.#chain?.ordered ?? told;
    const amounts = {
      ...(side === "buy" ? { amount: ordered } : { quantity: ordered }),
      ...(report.status === "open" && told && { leastOpen: told }),
    };
    if (!this.#chain) return ordered === told ? report : { ...report, ...amounts };
    const otherIds = new Set([...this.ids, report.orderId, ...(report.otherIds ?? [])]);
    otherIds.delete(orderId);
    const named = {
      ...report,
      orderId,
      otherIds: [...otherIds].toSorted(compareOrderIds),
      ...amounts,
    };
    if (!this.#isContinued(report.orderId)) return named;
    const status = report.status === "open" ? report.status : undefined;
    return { ...named, status, remaining: undefined, closedAt: undefined, goneAt: undefined };
  }

  /** Whether the exchange went on with the order under a later id. */
  #isContinued(orderId: string): boolean {
    return this.#chain !== undefined && orderId !== this.#chain.currentId;
  }

  readAgain(): void {
    this.#read = 0;
    this.#told = undefined;
    this.#presumedOver = undefined;
    this.#isExplained = this.#records.some(
      (record) => record.kind === "report" && !this.#isContinued(record.orderId) && isExplained(record),
    );
  }

  #readRecords(): void {
    if (this.#read === this.#records.length) return;
    const fills: FillRecord[] = [];
    const reportIn = (record: Parameters<typeof reportOf>[0]): OrderReport =>
      this.inTermsOf(reportOf(record));
    const count = (): void => void (this.#told = advanceByFills(this.#told, fills.splice(0).map(reportIn)));
    const added = this.#records.slice(this.#read);
    this.#read = this.#records.length;
    for (const record of added.toSorted((one, other) => one.at - other.at)) {
      if (record.kind === "fill") fills.push(record);
      else if (record.kind === "report") {
        count();
        this.#told = advance(this.#told, reportIn(record));
      } else if (!this.#cancel || this.#cancel.at <= record.at) this.#cancel = record;
    }
    count();
  }
}

/**
 * The report with times after those of the reports that it may take back: a clock set back must not change their
 * sequence.
 */
function inSequence(report: OrderReport, { openAt, goneAt }: KnownOrder): OrderReport {
  const { status, askedAt } = report;
  if (report.goneAt !== undefined) return { ...report, goneAt: Math.max(report.goneAt, (openAt ?? 0) + 1) };
  return status === "open" ? { ...report, askedAt: Math.max(askedAt, (goneAt ?? 0) + 1) } : report;
}

/**
 * The same as `advance` with one fill after the other. Each such step looks at all fills before it, so thousands of fills
 * are counted in one step where their sequence makes no difference: each is told once, and none is beyond the order.
 */
function advanceByFills(
  known: KnownOrder | undefined,
  reports: readonly OrderReport[],
): KnownOrder | undefined {
  const [first] = reports;
  if (!first) return known;
  const fills = reports.flatMap((report) => report.fills);
  const isAlike = reports.every(
    ({ symbol, clientId }) => symbol === first.symbol && clientId === first.clientId,
  );
  if (isAlike && new Set(fills.map(({ id }) => id)).size === fills.length) {
    const after = advance(known, { ...first, fills });
    const contradictions = known?.contradictions.length ?? 0;
    if (after.surplus.length === 0 && after.contradictions.length === contradictions) return after;
  }
  return reports.reduce<KnownOrder | undefined>(advance, known);
}
