import { averageCost, type AssetCost, type OpeningLot, type Trade } from "../../market/holdings/cost.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { fillsWithin } from "../../market/orderReport.ts";
import type { Pair } from "../../market/pair.ts";
import type { CostRecord, FillRecord, Place } from "./lifeRecords.ts";
import { type IntentRecord, type OrderEvent, sideOf } from "./records.ts";
import { SentOrders } from "./sentOrders.ts";

/** A fill as a trade, with the order that it belongs to. */
export interface RecordedTrade extends Trade {
  readonly symbol: string;
  readonly orderId: string;
  /** The exchange's id of the match. */
  readonly txn: string;
  /** Quote per one base. */
  readonly rate: Decimal;
  readonly isMaker: boolean | undefined;
}

/** A cost that a person entered for an asset bought elsewhere. */
interface EnteredCost extends OpeningLot {
  /** When it was entered, ms. */
  readonly at: number;
}

/** All trades of one pair at one exchange. A new object after each change, so that figures of it can be kept. */
export interface PairTrades {
  readonly place: Place;
  readonly pair: Pair;
  /** In the order of their times. */
  readonly trades: readonly RecordedTrade[];
  readonly entered: EnteredCost | undefined;
  /** Cost and result by moving average. */
  readonly average: AssetCost;
}

/** The practice exchange has another address after each start, so its origin does not count. */
function keyOf({ venue, origin, quote, base }: Place & Pair): string {
  return [venue, venue === "practice" ? "" : origin, quote, base].join(" ");
}

/**
 * The fills of the journal by pair, each once however often it was recorded, and the costs entered by hand. It reads the
 * records of a fill without the life of its order, so that 50,000 orders do not delay a view. Fills of an own order
 * count up to what was sent: an exchange may tell one match under two ids. What an order ordered that was placed
 * elsewhere is not certain, because some lists tell only the rest of it.
 */
export class TradeBook {
  readonly #pairs = new Map<string, PairBook>();
  readonly #sent = new SentOrders();
  #resetAt = Number.NEGATIVE_INFINITY;

  addFill(record: FillRecord): void {
    if (this.#isBeforeReset(record)) return;
    this.#book(record).addFill(record);
  }

  /** An intent or the outcome of one. */
  addSent(record: IntentRecord | OrderEvent): void {
    this.#sent.add(record);
  }

  /** The newest cost of an asset counts. A quantity of zero removes it. */
  addCost(record: CostRecord): void {
    if (this.#isBeforeReset(record)) return;
    this.#book(record).addCost(record);
  }

  /** The practice account was reset: it has no trades and no costs from before. */
  reset(at: number): void {
    this.#resetAt = Math.max(this.#resetAt, at);
    for (const book of this.#pairs.values()) if (book.place.venue === "practice") book.forgetUntil(at);
  }

  /** Undefined without a trade and without an entered cost. */
  get(place: Place, pair: Pair): PairTrades | undefined {
    return this.#pairs.get(keyOf({ ...place, ...pair }))?.read();
  }

  /** In the order of their first records. */
  all(): readonly PairTrades[] {
    return [...this.#pairs.values()].flatMap((book) => book.read() ?? []);
  }

  /** A practice account that was reset may count its orders from one again. */
  readonly #sentOf: SentOf = (fill) => {
    const sent = this.#sent.get(fill);
    return sent && !this.#isBeforeReset(sent) ? sent : undefined;
  };

  #isBeforeReset({ venue, at }: Pick<FillRecord, "venue" | "at">): boolean {
    return venue === "practice" && at <= this.#resetAt;
  }

  #book(record: FillRecord | CostRecord): PairBook {
    const key = keyOf(record);
    let book = this.#pairs.get(key);
    if (!book) this.#pairs.set(key, (book = new PairBook(record, this.#sentOf)));
    return book;
  }
}

/** The intent of a fill's order; undefined for an order that was placed elsewhere. */
type SentOf = (fill: FillRecord) => IntentRecord | undefined;

class PairBook {
  readonly place: Place;
  readonly #pair: Pair;
  readonly #sentOf: SentOf;
  readonly #fills = new Map<string, FillRecord>();
  #cost: CostRecord | undefined;
  #read: PairTrades | undefined;

  constructor({ venue, origin, quote, base }: Place & Pair, sentOf: SentOf) {
    this.#sentOf = sentOf;
    this.place = { venue, origin };
    this.#pair = { quote, base };
  }

  /** What was recorded first counts, as in the life of an order. */
  addFill(record: FillRecord): void {
    const key = idOf(record);
    const known = this.#fills.get(key);
    if (known && known.at <= record.at) return;
    this.#fills.set(key, record);
    this.#read = undefined;
  }

  addCost(record: CostRecord): void {
    if (this.#cost && this.#cost.at > record.at) return;
    this.#cost = record;
    this.#read = undefined;
  }

  forgetUntil(at: number): void {
    for (const [key, record] of this.#fills) if (record.at <= at) this.#fills.delete(key);
    if (this.#cost && this.#cost.at <= at) this.#cost = undefined;
    this.#read = undefined;
  }

  read(): PairTrades | undefined {
    const entered = enteredOf(this.#cost);
    if (this.#fills.size === 0 && !entered) return undefined;
    return (this.#read ??= new KeptTrades(this.place, this.#pair, this.#trades(), entered));
  }

  #trades(): RecordedTrade[] {
    const byOrder = Map.groupBy(this.#fills.values(), ({ side, orderId }) => `${side} ${orderId}`);
    return [...byOrder.values()].flatMap((fills) => {
      const [first] = fills;
      const sent = first && this.#sentOf(first);
      const trades = fills.map(tradeOf);
      if (!sent) return trades;
      const [side, amount] = [sideOf(sent), new Decimal(sent.amount)];
      return fillsWithin({ side, ...(side === "buy" ? { amount } : { quantity: amount }) }, trades);
    });
  }
}

/** The figures are computed at their first use. */
class KeptTrades implements PairTrades {
  readonly place: Place;
  readonly pair: Pair;
  readonly entered: EnteredCost | undefined;
  readonly trades: readonly RecordedTrade[];
  #average: AssetCost | undefined;

  constructor(place: Place, pair: Pair, trades: readonly RecordedTrade[], entered: EnteredCost | undefined) {
    this.place = place;
    this.pair = pair;
    this.entered = entered;
    this.trades = trades.toSorted((one, other) => one.at - other.at);
  }

  get average(): AssetCost {
    return (this.#average ??= averageCost(this.trades, this.entered));
  }
}

function idOf({ side, orderId, txn }: FillRecord): string {
  return JSON.stringify([side, orderId, txn]);
}

function tradeOf(record: FillRecord): RecordedTrade {
  const { symbol, orderId, txn, side, filledAt, isMaker } = record;
  return {
    id: idOf(record),
    at: filledAt,
    side,
    symbol,
    orderId,
    txn,
    isMaker,
    rate: new Decimal(record.rate),
    quantity: new Decimal(record.quantity),
    value: new Decimal(record.value),
    fee: new Decimal(record.fee),
  };
}

function enteredOf(record: CostRecord | undefined): EnteredCost | undefined {
  if (!record) return undefined;
  const quantity = new Decimal(record.quantity);
  return quantity.gt("0") ? { quantity, cost: new Decimal(record.cost), at: record.at } : undefined;
}
