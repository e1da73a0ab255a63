import { averageCost, type AssetCost, type OpeningLot, type Trade } from "../../market/holdings/cost.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import type { Pair } from "../../market/pair.ts";
import type { CostRecord, FillRecord, Place } from "./lifeRecords.ts";

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
 * records of a fill without the life of its order, so that 50,000 orders do not delay a view.
 */
export class TradeBook {
  readonly #pairs = new Map<string, PairBook>();
  #resetAt = Number.NEGATIVE_INFINITY;

  addFill(record: FillRecord): void {
    if (this.#isBeforeReset(record)) return;
    this.#book(record).addFill(record);
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

  #isBeforeReset({ venue, at }: FillRecord | CostRecord): boolean {
    return venue === "practice" && at <= this.#resetAt;
  }

  #book(record: FillRecord | CostRecord): PairBook {
    const key = keyOf(record);
    let book = this.#pairs.get(key);
    if (!book) this.#pairs.set(key, (book = new PairBook(record)));
    return book;
  }
}

class PairBook {
  readonly place: Place;
  readonly #pair: Pair;
  readonly #fills = new Map<string, FillRecord>();
  #cost: CostRecord | undefined;
  #read: PairTrades | undefined;

  constructor({ venue, origin, quote, base }: Place & Pair) {
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
    return (this.#read ??= new KeptTrades(this.place, this.#pair, [...this.#fills.values()], entered));
  }
}

/** The figures are computed at their first use. */
class KeptTrades implements PairTrades {
  readonly place: Place;
  readonly pair: Pair;
  readonly entered: EnteredCost | undefined;
  readonly trades: readonly RecordedTrade[];
  #average: AssetCost | undefined;

  constructor(place: Place, pair: Pair, fills: readonly FillRecord[], entered: EnteredCost | undefined) {
    this.place = place;
    this.pair = pair;
    this.entered = entered;
    this.trades = fills.map(tradeOf).toSorted((one, other) => one.at - other.at);
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
  const quantity = record && new Decimal(record.quantity);
  if (!quantity?.gt("0")) return undefined;
  return { quantity, cost: new Decimal(record?.cost ?? "0"), at: record?.at ?? 0 };
}
