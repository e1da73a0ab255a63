import {
  addTrades,
  type AssetCost,
  averageCost,
  compareTrades,
  type OpeningLot,
  type Trade,
} from "../../market/holdings/cost.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { accountKey, type OrderName, sideOf } from "../../market/order.ts";
import { fillsWithin } from "../../market/orderReport.ts";
import type { Pair } from "../../market/pair.ts";
import type { CostRecord, FillRecord, Place } from "./lifeRecords.ts";
import { type IntentRecord, type OrderEvent, sequenceTime } from "./records.ts";
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

/** All trades of one pair in one account. A new object after each change, so that figures of it can be kept. */
export interface PairTrades {
  readonly place: Place;
  readonly pair: Pair;
  /** In the order of their times. */
  readonly trades: readonly RecordedTrade[];
  readonly entered: EnteredCost | undefined;
  /** Cost and result by moving average. */
  readonly average: AssetCost;
}

function keyOf({ venue, origin, account, quote, base }: Place & Pair): string {
  return [accountKey({ venue, origin, account }), quote, base].join(" ");
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
  readonly #idOf: IdOf;
  #resetAt = Number.NEGATIVE_INFINITY;

  /** `idOf`: the exchange may have continued an order under a new id. */
  constructor(idOf: IdOf = ({ orderId }) => orderId) {
    this.#idOf = idOf;
  }

  addFill(record: FillRecord): void {
    if (this.#isBeforeReset(record)) return;
    this.#book(record).addFill(record);
  }

  /** An intent or the outcome of one. */
  addSent(record: IntentRecord | OrderEvent): void {
    this.#sent.add(record);
    for (const book of this.#pairs.values()) book.noteSent();
  }

  /** Whether this computer placed the order of this name. */
  isSent(name: OrderName): boolean {
    return this.#sent.get(name) !== undefined;
  }

  /** What the order of this name gives away; undefined if this computer did not place it. */
  sentAmount(name: OrderName): Decimal | undefined {
    const sent = this.#sent.get(name);
    return sent && new Decimal(sent.amount);
  }

  /** Call this when other ids may name the same order. */
  regroup(): void {
    for (const book of this.#pairs.values()) book.regroup();
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

  /** Where trades or costs are known. */
  places(): readonly Place[] {
    return [...this.#pairs.values()].map(({ place }) => place);
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

  #isBeforeReset(record: FillRecord | CostRecord | IntentRecord): boolean {
    return record.venue === "practice" && sequenceTime(record) <= this.#resetAt;
  }

  #book(record: FillRecord | CostRecord): PairBook {
    const key = keyOf(record);
    let book = this.#pairs.get(key);
    if (!book) this.#pairs.set(key, (book = new PairBook(record, this.#sentOf, this.#idOf)));
    return book;
  }
}

/** The id that names the order of a fill. */
type IdOf = (fill: FillRecord) => string;

/** The intent of a fill's order; undefined for an order that was placed elsewhere. */
type SentOf = (fill: FillRecord) => IntentRecord | undefined;

/** The fills of one order. */
interface OrderFills {
  /** By the keys of fills. */
  readonly records: Map<string, FillRecord>;
  sent: IntentRecord | undefined;
  /** The trades that count; undefined until they are read. */
  trades: readonly RecordedTrade[] | undefined;
}

/** A fill is read once, and a new one changes the trades of its own order alone. */
class PairBook {
  readonly place: Place;
  readonly #pair: Pair;
  readonly #sentOf: SentOf;
  readonly #idOf: IdOf;
  readonly #orders = new Map<string, OrderFills>();
  readonly #trades = new WeakMap<FillRecord, RecordedTrade>();
  #cost: CostRecord | undefined;
  #entered: EnteredCost | undefined;
  #isSentNew = false;
  #isRegroupDue = false;
  #read: PairTrades | undefined;
  /** The last figures, and the trades that they are of. */
  #average: (Pick<PairTrades, "trades" | "entered"> & { readonly cost: AssetCost }) | undefined;

  constructor({ venue, origin, account, quote, base }: Place & Pair, sentOf: SentOf, idOf: IdOf) {
    this.#sentOf = sentOf;
    this.#idOf = idOf;
    this.place = { venue, origin, account };
    this.#pair = { quote, base };
  }

  /** What was recorded first counts, as in the life of an order. */
  addFill(record: FillRecord): void {
    const orderId = this.#isRegroupDue ? record.orderId : this.#idOf(record);
    const key = `${record.side} ${orderId}`;
    let order = this.#orders.get(key);
    if (!order) {
      order = { records: new Map(), sent: undefined, trades: undefined };
      this.#orders.set(key, order);
    }
    const known = order.records.get(record.txn);
    if (known && known.at <= record.at) return;
    order.records.set(record.txn, record);
    order.trades = undefined;
    this.#read = undefined;
  }

  /** The fills of an order may have been recorded before it was known to be of this computer. */
  noteSent(): void {
    this.#isSentNew = true;
  }

  regroup(): void {
    this.#isRegroupDue = true;
  }

  #regroupNow(): void {
    this.#isRegroupDue = false;
    const records = [...this.#orders.values()].flatMap((order) => [...order.records.values()]);
    this.#orders.clear();
    for (const record of records) this.addFill(record);
    this.#read = undefined;
  }

  addCost(record: CostRecord): void {
    if (this.#cost && this.#cost.at > record.at) return;
    this.#cost = record;
    this.#entered = enteredOf(record);
    this.#read = undefined;
  }

  forgetUntil(at: number): void {
    const kept = [...this.#orders.values()].flatMap(({ records }) =>
      [...records.values()].filter((record) => record.at > at),
    );
    this.#orders.clear();
    for (const record of kept) this.addFill(record);
    if (this.#cost && this.#cost.at <= at) this.#cost = this.#entered = undefined;
    this.#read = undefined;
  }

  read(): PairTrades | undefined {
    if (this.#isRegroupDue) this.#regroupNow();
    if (this.#isSentNew) this.#findSent();
    if (this.#read) return this.#read;
    const entered = this.#entered;
    if (this.#orders.size === 0 && !entered) return undefined;
    const trades: RecordedTrade[] = [];
    for (const order of this.#orders.values()) trades.push(...(order.trades ??= this.#tradesOf(order)));
    const { place } = this;
    const read = { place, pair: this.#pair, trades: trades.toSorted(compareTrades), entered };
    return (this.#read = new KeptTrades(read, () => this.#averageOf(read)));
  }

  #findSent(): void {
    this.#isSentNew = false;
    for (const order of this.#orders.values()) {
      const [first] = order.records.values();
      if (order.sent || !first) continue;
      order.sent = this.#sentBy(first);
      if (!order.sent) continue;
      order.trades = undefined;
      this.#read = undefined;
    }
  }

  #sentBy(fill: FillRecord): IntentRecord | undefined {
    return this.#sentOf({ ...fill, orderId: this.#idOf(fill) });
  }

  #tradesOf(order: OrderFills): readonly RecordedTrade[] {
    const records = [...order.records.values()];
    const trades = records.map((record) => {
      const trade = this.#trades.get(record) ?? tradeOf(record);
      this.#trades.set(record, trade);
      return trade;
    });
    const [first] = records;
    const sent = (order.sent ??= first && this.#sentBy(first));
    if (!sent) return trades;
    const [side, amount] = [sideOf(sent), new Decimal(sent.amount)];
    return fillsWithin({ side, ...(side === "buy" ? { amount } : { quantity: amount }) }, trades);
  }

  /** Trades that come after all trades of the last figures are added to these. */
  #averageOf({ trades, entered }: Pick<PairTrades, "trades" | "entered">): AssetCost {
    const last = this.#average;
    const isLater =
      last !== undefined &&
      last.trades.length > 0 &&
      last.entered === entered &&
      last.trades.every((trade, index) => trade === trades[index]);
    const cost = isLater
      ? addTrades(last.cost, trades.slice(last.trades.length))
      : averageCost(trades, entered);
    this.#average = { trades, entered, cost };
    return cost;
  }
}

/** The figures are computed at their first use. */
class KeptTrades implements PairTrades {
  readonly place: Place;
  readonly pair: Pair;
  readonly entered: EnteredCost | undefined;
  readonly trades: readonly RecordedTrade[];
  readonly #compute: () => AssetCost;
  #average: AssetCost | undefined;

  constructor(
    { place, pair, trades, entered }: Omit<PairTrades, "average">,
    computeAverage: () => AssetCost,
  ) {
    this.place = place;
    this.pair = pair;
    this.entered = entered;
    this.trades = trades;
    this.#compute = computeAverage;
  }

  get average(): AssetCost {
    return (this.#average ??= this.#compute());
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

function enteredOf({ quantity, cost, at }: CostRecord): EnteredCost | undefined {
  const held = new Decimal(quantity);
  return held.gt("0") ? { quantity: held, cost: new Decimal(cost), at } : undefined;
}
