import { isSameOrder, keyOf, type OrderName } from "../../market/order.ts";
import { advance, hasEnded, isExplained, type KnownOrder } from "../../market/orderReport.ts";
import { type CancelRecord, type FillRecord, type LifeRecord, reportOf } from "./lifeRecords.ts";
import type { OrderRecord } from "./records.ts";
import { TradeBook } from "./tradeBook.ts";

/** The records about one order by its exchange's id, and what they say together. */
export interface OrderLife {
  readonly name: OrderName;
  /** The key of the name. */
  readonly key: string;
  /** Undefined if only a cancellation is recorded. */
  readonly known: KnownOrder | undefined;
  /** The newest step of a cancellation. */
  readonly cancel: CancelRecord | undefined;
  /** When the first record of the order was written, ms. */
  readonly firstAt: number;
  /** When the newest record of the order was written, ms. */
  readonly lastAt: number;
  /** Whether a record names the end of the order. Told without reading the records, but fills alone may prove an end too. */
  readonly isEndRecorded: boolean;
  /** Whether the kind of end is known, or nobody will ever tell it. This never becomes false again. */
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
  /** Fills and costs by pair. */
  readonly trades = new TradeBook();
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
        if (record.at < life.firstAt) this.#all = undefined;
        life.add(record);
        this.#perDay.set(dayOf(record.at), this.countOfDay(record.at) + 1);
        if (record.kind === "fill") this.trades.addFill(record);
        break;
      }
      case "intent":
      case "outcome":
        this.trades.addSent(record);
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

  get(name: OrderName): OrderLife | undefined {
    return this.#find(name);
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
    const life = new Life(record, this.#byId.get(record.orderId));
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
    return (this.#all ??= this.#ordered.filter((life) => this.#counts(life)));
  }

  /** The same without orders whose kind of end is known. The done orders of a long journal are not looked at for this. */
  unexplained(): readonly OrderLife[] {
    for (const life of this.#unexplained) if (life.isExplained) this.#unexplained.delete(life);
    return [...this.#unexplained].filter((life) => this.#counts(life));
  }

  #counts({ name, firstAt }: Life): boolean {
    return name.venue !== "practice" || this.#resetAt === undefined || firstAt > this.#resetAt;
  }
}

function dayOf(at: number): number {
  return Math.floor(at / 86_400_000);
}

/** Reads its records when somebody asks: most of 50,000 done orders are never looked at. */
class Life implements OrderLife {
  readonly name: OrderName;
  /** Another order with the same id, of another pair, side or exchange. */
  readonly sameId: Life | undefined;
  #key: string | undefined;
  #added: LifeRecord[] = [];
  #known: KnownOrder | undefined;
  #cancel: CancelRecord | undefined;
  #firstAt = Number.POSITIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;
  #isEndRecorded = false;
  #isExplained = false;

  constructor({ venue, origin, account, quote, base, side, orderId }: LifeRecord, sameId: Life | undefined) {
    this.sameId = sameId;
    this.name = { venue, origin, account, quote, base, side, orderId };
  }

  get key(): string {
    return (this.#key ??= keyOf(this.name));
  }

  get known(): KnownOrder | undefined {
    this.#read();
    return this.#known;
  }

  get cancel(): CancelRecord | undefined {
    this.#read();
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
      const { known } = this;
      this.#isExplained = known !== undefined && isExplained(known);
    }
    return this.#isExplained;
  }

  add(record: LifeRecord): void {
    this.#added.push(record);
    if (record.kind === "report") {
      this.#isEndRecorded ||= hasEnded(record);
      this.#isExplained ||= isExplained(record);
    }
    this.#firstAt = Math.min(this.#firstAt, record.at);
    this.#lastAt = Math.max(this.#lastAt, record.at);
  }

  #read(): void {
    if (this.#added.length === 0) return;
    const fills: FillRecord[] = [];
    const count = (): void => void (this.#known = advanceByFills(this.#known, fills.splice(0)));
    for (const record of this.#added.toSorted((one, other) => one.at - other.at)) {
      if (record.kind === "fill") fills.push(record);
      else if (record.kind === "report") {
        count();
        this.#known = advance(this.#known, reportOf(record));
      } else if (!this.#cancel || this.#cancel.at <= record.at) this.#cancel = record;
    }
    count();
    this.#added = [];
  }
}

/**
 * The same as `advance` with one fill after the other. Each such step looks at all fills before it, so thousands of fills
 * are counted in one step where their sequence makes no difference: each is told once, and none is beyond the order.
 */
function advanceByFills(
  known: KnownOrder | undefined,
  records: readonly FillRecord[],
): KnownOrder | undefined {
  const reports = records.map(reportOf);
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
