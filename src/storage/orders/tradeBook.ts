import {
  addTrades,
  type AssetCost,
  averageCost,
  compareTrades,
  type OpeningLot,
  type Trade,
} from "../../market/holdings/cost.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { type AccountRef, accountId } from "../../market/order.ts";
import type { Fill } from "../../market/orderReport.ts";
import type { Pair } from "../../market/pair.ts";
import type { CostRecord } from "./placedOrderRecords.ts";
import { isOwn, isPlaced, type Order, type OwnOrder, type PlacedOrder } from "./order.ts";

/** A fill as a trade, with its order. */
export interface RecordedTrade extends Trade {
  readonly orderId: string;
  /** The exchange's fill id. */
  readonly txn: string;
  /** Quote per one base. */
  readonly rate: Decimal;
  readonly isMaker: boolean | undefined;
}

/** A cost entered by the user for an asset bought elsewhere. */
interface EnteredCost extends OpeningLot {
  /** When it was entered, ms. */
  readonly at: number;
}

/** All trades of one pair in one account. Replaced only on change, so that results can be cached by it. */
export interface PairTrades {
  readonly account: AccountRef;
  readonly pair: Pair;
  /** By time. */
  readonly trades: readonly RecordedTrade[];
  readonly entered: EnteredCost | undefined;
  /** Cost and result by moving average. */
  readonly average: AssetCost;
}

function keyOf({ account, quote, base }: AccountRef & Pair): string {
  return [accountId({ account }), quote, base].join(" ");
}

interface Sources {
  readonly own: readonly OwnOrder[];
  readonly elsewhere: readonly Order[];
  /** Time of the latest practice reset, ms; earlier trades and costs do not count. */
  readonly resetAt: number | undefined;
}

/**
 * The fills of all orders by pair, each counted once, and the costs entered by hand. Fills count only up to what was
 * ordered, because an exchange may report one fill under two ids, and not while only events name the order.
 */
export class TradeBook {
  readonly #costs: CostRecord[] = [];
  readonly #read: () => Sources;
  #pairs: ReadonlyMap<string, CachedTrades> = new Map();
  /** What `#pairs` was built from. */
  #sources: readonly unknown[] = [];
  readonly #trades = new WeakMap<Fill, RecordedTrade>();

  /** `read`: returns the current orders. */
  constructor(read: () => Sources) {
    this.#read = read;
  }

  addCost(record: CostRecord): void {
    this.#costs.push(record);
    this.#sources = [];
  }

  #update(): void {
    const { own, elsewhere, resetAt } = this.#read();
    const sources = [own, elsewhere, resetAt];
    if (sources.every((each, index) => each === this.#sources[index])) return;
    this.#sources = sources;
    const before = this.#pairs;
    const found = new Map<
      string,
      { readonly of: AccountRef & Pair; trades: RecordedTrade[]; cost?: CostRecord }
    >();
    const at = (of: AccountRef & Pair) => {
      const key = keyOf(of);
      const known = found.get(key) ?? { of, trades: [] };
      found.set(key, known);
      return known;
    };
    for (const order of [...own, ...elsewhere]) {
      if (!isPlaced(order) || (isOwn(order) && order.accountResetAt !== undefined)) continue;
      const { known, account } = order;
      if (!known.isConfirmed) continue;
      const { trades } = at({ ...account, ...known.pair });
      for (const fill of known.fills) trades.push(this.#tradeOf(fill, order));
    }
    for (const cost of this.#costs) {
      if (cost.venue === "practice" && resetAt !== undefined && cost.at <= resetAt) continue;
      const pair = at(cost);
      // The newest cost of an asset wins.
      if (!pair.cost || pair.cost.at <= cost.at) pair.cost = cost;
    }
    this.#pairs = new Map(
      [...found].flatMap(([key, { of, trades, cost }]) => {
        const known = before.get(key);
        trades.sort(compareTrades);
        if (known?.isOf(trades, cost)) return [[key, known]];
        const pair = new CachedTrades(of, trades, cost, known);
        return trades.length > 0 || pair.entered ? [[key, pair]] : [];
      }),
    );
  }

  /** Undefined if there is neither a trade nor an entered cost. */
  get(account: AccountRef, pair: Pair): PairTrades | undefined {
    this.#update();
    return this.#pairs.get(keyOf({ ...account, ...pair }));
  }

  /** By first trade. */
  all(): readonly PairTrades[] {
    this.#update();
    const firstAt = ({ trades, entered }: PairTrades): number => trades[0]?.at ?? entered?.at ?? 0;
    return [...this.#pairs.values()].sort((one, other) => firstAt(one) - firstAt(other));
  }

  #tradeOf(fill: Fill, order: PlacedOrder): RecordedTrade {
    let trade = this.#trades.get(fill);
    if (!trade) this.#trades.set(fill, (trade = tradeOf(fill, order)));
    return trade;
  }
}

class CachedTrades implements PairTrades {
  readonly account: AccountRef;
  readonly pair: Pair;
  readonly entered: EnteredCost | undefined;
  readonly trades: readonly RecordedTrade[];
  readonly #cost: CostRecord | undefined;
  /** The previous result, if it was computed. */
  #before: CachedTrades | undefined;
  #average: AssetCost | undefined;

  constructor(
    { venue, origin, account, quote, base }: AccountRef & Pair,
    trades: readonly RecordedTrade[],
    cost: CostRecord | undefined,
    before: CachedTrades | undefined,
  ) {
    this.account = { venue, origin, account };
    this.pair = { quote, base };
    this.trades = trades;
    this.#cost = cost;
    this.entered = cost && enteredOf(cost);
    this.#before = before && (before.#average ? before : before.#before);
  }

  isOf(trades: readonly RecordedTrade[], cost: CostRecord | undefined): boolean {
    return cost === this.#cost && trades.length === this.trades.length && this.#isPrefixOf(trades);
  }

  /** Computed lazily. If the new trades all follow the previous ones, they are added to the previous result. */
  get average(): AssetCost {
    const before = this.#before;
    this.#before = undefined;
    const isLater =
      before !== undefined &&
      before.trades.length > 0 &&
      before.#cost === this.#cost &&
      before.#isPrefixOf(this.trades);
    return (this.#average ??= isLater
      ? addTrades(before.average, this.trades.slice(before.trades.length))
      : averageCost(this.trades, this.entered));
  }

  /** Whether `trades` starts with this object's trades. */
  #isPrefixOf(trades: readonly RecordedTrade[]): boolean {
    return this.trades.every((trade, index) => trade === trades[index]);
  }
}

function tradeOf(fill: Fill, { name: { orderId, side } }: PlacedOrder): RecordedTrade {
  const { id: txn, at, rate, quantity, value, fee, isMaker } = fill;
  const id = JSON.stringify([side, orderId, txn]);
  return { id, at, side, orderId, txn, isMaker, rate, quantity, value, fee };
}

function enteredOf({ quantity, cost, at }: CostRecord): EnteredCost | undefined {
  const held = new Decimal(quantity);
  return held.gt("0") ? { quantity: held, cost: new Decimal(cost), at } : undefined;
}
