import type { Side } from "../../market/order.ts";
import { advance, hasEnded, type KnownOrder } from "../../market/orderReport.ts";
import type { Pair } from "../../market/pair.ts";
import { type CancelRecord, type LifeRecord, type Place, reportOf } from "./lifeRecords.ts";
import type { OrderRecord } from "./records.ts";
import { TradeBook } from "./tradeBook.ts";

/** The name of an order at its exchange. Some exchanges count orders of each pair and side from one. */
export interface OrderName extends Place, Pair {
  readonly side: Side;
  readonly orderId: string;
}

/** The records about one order by its exchange's id, and what they say together. */
export interface OrderLife {
  readonly name: OrderName;
  /** Undefined if only a cancellation is recorded. */
  readonly known: KnownOrder | undefined;
  /** The newest step of a cancellation. */
  readonly cancel: CancelRecord | undefined;
  /** When the first record of the order was written, ms. */
  readonly firstAt: number;
  /** Whether a record names the end of the order. Told without reading the records, but fills alone may prove an end too. */
  readonly isEndRecorded: boolean;
}

/** One key for each order. The practice exchange has another address after each start, so its origin does not count. */
export function keyOf({ venue, origin, quote, base, side, orderId }: OrderName): string {
  return [venue, venue === "practice" ? "" : origin, quote, base, side, orderId].join(" ");
}

/**
 * What the records of all windows say of orders by their exchange's ids, and of costs entered by hand. It is added to,
 * never rebuilt: a record that is added twice changes nothing, so an event costs the same with 50,000 orders as with one.
 */
export class OrderLives {
  readonly #lives = new Map<string, Life>();
  /** Fills and costs by pair. */
  readonly trades = new TradeBook();
  #resetAt = Number.NEGATIVE_INFINITY;

  /** Ignores the records of other kinds. */
  add(record: OrderRecord): void {
    switch (record.kind) {
      case "report":
      case "fill":
      case "cancel": {
        const key = keyOf(record);
        let life = this.#lives.get(key);
        if (!life) this.#lives.set(key, (life = new Life(record)));
        life.add(record);
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
        this.#resetAt = Math.max(this.#resetAt, record.at);
        this.trades.reset(record.at);
        break;
    }
  }

  get(name: OrderName): OrderLife | undefined {
    return this.#lives.get(keyOf(name));
  }

  /** All orders, in the order of their first records. Not those of a practice account that was reset. */
  all(): readonly OrderLife[] {
    return [...this.#lives.values()].filter(
      ({ name, firstAt }) => name.venue !== "practice" || firstAt > this.#resetAt,
    );
  }
}

/** Reads its records when somebody asks: most of 50,000 done orders are never looked at. */
class Life implements OrderLife {
  readonly name: OrderName;
  #added: LifeRecord[] = [];
  #known: KnownOrder | undefined;
  #cancel: CancelRecord | undefined;
  #firstAt = Number.POSITIVE_INFINITY;
  #isEndRecorded = false;

  constructor({ venue, origin, quote, base, side, orderId }: LifeRecord) {
    this.name = { venue, origin, quote, base, side, orderId };
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

  get isEndRecorded(): boolean {
    return this.#isEndRecorded;
  }

  add(record: LifeRecord): void {
    this.#added.push(record);
    if (record.kind === "report") this.#isEndRecorded ||= hasEnded(record);
    this.#firstAt = Math.min(this.#firstAt, record.at);
  }

  #read(): void {
    if (this.#added.length === 0) return;
    for (const record of this.#added.toSorted((one, other) => one.at - other.at)) {
      if (record.kind !== "cancel") this.#known = advance(this.#known, reportOf(record));
      else if (!this.#cancel || this.#cancel.at <= record.at) this.#cancel = record;
    }
    this.#added = [];
  }
}
