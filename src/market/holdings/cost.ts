import { compareText } from "../compareText.ts";
import { Decimal } from "../numbers/decimal.ts";
import type { Side } from "../order.ts";

/** A purchase or sale of one asset for a quote asset, such as a fill. */
export interface Trade {
  /** Unique among the trades of an asset. */
  readonly id: string;
  /** The exchange's fill id. */
  readonly txn?: string | undefined;
  /** ms since the epoch. */
  readonly at: number;
  readonly side: Side;
  /** In base, above zero. */
  readonly quantity: Decimal;
  /** In quote, before the fee. */
  readonly value: Decimal;
  /** In quote. */
  readonly fee: Decimal;
}

/** What the user paid for an asset elsewhere, before all known trades. */
export interface OpeningLot {
  /** In base. */
  readonly quantity: Decimal;
  /** In quote, for all of `quantity`, fees included. */
  readonly cost: Decimal;
}

/** Cost and result of one asset, in quote. Holdings without a known purchase have no cost and are excluded. */
export interface AssetCost {
  /** In base: what remains of the known purchases. */
  readonly held: Decimal;
  /** Cost of `held`, fees included. */
  readonly cost: Decimal;
  /** Proceeds after fees minus the moving average cost of what was sold. */
  readonly realised: Decimal;
  /** In base: sold without a known purchase. */
  readonly soldWithoutCost: Decimal;
  /** Time of the first trade, ms; undefined without one. */
  readonly since: number | undefined;
}

/** The part of a sale matched to one purchase, first in, first out. */
export interface SoldLot {
  readonly sale: Trade;
  /** Undefined for the opening lot, and for a part without a known purchase. */
  readonly bought: Trade | undefined;
  /** In base. */
  readonly quantity: Decimal;
  /** In quote, after the fee. */
  readonly proceeds: Decimal;
  /** In quote, fee included; undefined if no purchase is known. */
  readonly cost: Decimal | undefined;
}

/**
 * Decimals of a share of an amount, rounded half up. The last part takes the remainder, so that all parts add up
 * exactly.
 */
const SHARE_PLACES = 12;
const ZERO = new Decimal("0");

/**
 * Cost by moving average: a purchase adds its value and fee, a sale takes the same share of the cost as of the
 * quantity. A sale uses up known purchases first; only the remainder is without cost.
 */
export function averageCost(trades: readonly Trade[], opening?: OpeningLot): AssetCost {
  const ordered = trades.toSorted(compareTrades);
  const before: AssetCost = {
    held: opening?.quantity ?? ZERO,
    cost: opening?.cost ?? ZERO,
    realised: ZERO,
    soldWithoutCost: ZERO,
    since: ordered[0]?.at,
  };
  return addTrades(before, ordered);
}

/** Adds later trades in order; each must follow all trades of `known` by `compareTrades`. */
export function addTrades(known: AssetCost, later: readonly Trade[]): AssetCost {
  let { held, cost, realised, soldWithoutCost } = known;
  for (const trade of later) {
    if (trade.side === "buy") {
      held = held.plus(trade.quantity);
      cost = cost.plus(paidFor(trade));
      continue;
    }
    const sold = smaller(trade.quantity, held);
    const costOfSold = shareOf(cost, sold, held);
    realised = realised.plus(shareOf(proceedsOf(trade), sold, trade.quantity)).minus(costOfSold);
    soldWithoutCost = soldWithoutCost.plus(trade.quantity.minus(sold));
    held = held.minus(sold);
    cost = cost.minus(costOfSold);
  }
  return { ...known, held, cost, realised, soldWithoutCost };
}

/** Caps holding and cost at the `quantity` that the account still holds: the rest left it without a known sale. */
export function costWithin(known: AssetCost, quantity: Decimal): AssetCost {
  const held = smaller(known.held, quantity);
  return { ...known, held, cost: shareOf(known.cost, held, known.held) };
}

/** In quote per base, rounded half up to `places`; undefined if nothing is held. */
export function averageCostRate(
  { held, cost }: Pick<AssetCost, "held" | "cost">,
  places: number,
): Decimal | undefined {
  return held.gt(ZERO) ? cost.div(held).round(places, Decimal.roundHalfUp) : undefined;
}

/** In quote: value of the holding at a price, before the fee of a sale, minus its cost. */
export function unrealisedResult({ held, cost }: AssetCost, price: Decimal): Decimal {
  return held.times(price).minus(cost);
}

/** Splits every sale by the purchases it came from, first in, first out, in the order of the sales. */
export function soldLots(trades: readonly Trade[], opening?: OpeningLot): readonly SoldLot[] {
  interface Lot {
    readonly bought: Trade | undefined;
    quantity: Decimal;
    cost: Decimal;
  }
  const lots: Lot[] = opening ? [{ bought: undefined, ...opening }] : [];
  const parts: SoldLot[] = [];
  for (const trade of trades.toSorted(compareTrades)) {
    if (trade.side === "buy") {
      lots.push({ bought: trade, quantity: trade.quantity, cost: paidFor(trade) });
      continue;
    }
    let left = trade.quantity;
    let proceedsLeft = proceedsOf(trade);
    while (left.gt(ZERO)) {
      const [lot] = lots;
      if (!lot) {
        const rest = { quantity: left, proceeds: proceedsLeft };
        parts.push({ sale: trade, bought: undefined, ...rest, cost: undefined });
        break;
      }
      const quantity = smaller(left, lot.quantity);
      const proceeds = shareOf(proceedsLeft, quantity, left);
      const cost = shareOf(lot.cost, quantity, lot.quantity);
      parts.push({ sale: trade, bought: lot.bought, quantity, proceeds, cost });
      left = left.minus(quantity);
      proceedsLeft = proceedsLeft.minus(proceeds);
      lot.quantity = lot.quantity.minus(quantity);
      lot.cost = lot.cost.minus(cost);
      if (!lot.quantity.gt(ZERO)) lots.shift();
    }
  }
  return parts;
}

function paidFor({ value, fee }: Trade): Decimal {
  return value.plus(fee);
}

function proceedsOf({ value, fee }: Trade): Decimal {
  return value.minus(fee);
}

/** `amount` × `part` / `whole`, rounded; exactly `amount` if the part is the whole. */
function shareOf(amount: Decimal, part: Decimal, whole: Decimal): Decimal {
  if (part.eq(whole)) return amount;
  return part.eq(ZERO) ? ZERO : amount.times(part).div(whole).round(SHARE_PLACES, Decimal.roundHalfUp);
}

/**
 * Orders by time, then by fill number, because some exchanges report times in seconds. Without numbers, purchases
 * precede sales, because what is sold was bought before.
 */
export function compareTrades(one: Trade, other: Trade): number {
  if (one.at !== other.at) return one.at - other.at;
  const [number, otherNumber] = [numberOf(one), numberOf(other)];
  if (number !== undefined && otherNumber !== undefined && number !== otherNumber)
    return number < otherNumber ? -1 : 1;
  if ((number === undefined) !== (otherNumber === undefined)) return number === undefined ? 1 : -1;
  if (one.side !== other.side) return one.side === "buy" ? -1 : 1;
  return compareText(one.id, other.id);
}

function numberOf({ txn = "" }: Trade): bigint | undefined {
  return /^\d{1,30}$/.test(txn) ? BigInt(txn) : undefined;
}

function smaller(one: Decimal, other: Decimal): Decimal {
  return one.lt(other) ? one : other;
}
