import { compareText } from "../compareText.ts";
import { Decimal } from "../numbers/decimal.ts";
import type { Side } from "../order.ts";

/** A purchase or a sale of one asset for one quote asset. A fill is one. */
export interface Trade {
  /** Unique among the trades of an asset. */
  readonly id: string;
  /** The exchange's id of the match. */
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

/** What a person says was paid for an asset elsewhere, before all known trades. */
export interface OpeningLot {
  /** In base. */
  readonly quantity: Decimal;
  /** In quote, for all of `quantity`, fees included. */
  readonly cost: Decimal;
}

/** Cost and result of one asset, in quote. The part of it whose purchase is unknown has no cost and is in no figure. */
export interface AssetCost {
  /** In base: what is left of the known purchases. */
  readonly held: Decimal;
  /** Of `held`, fees included. */
  readonly cost: Decimal;
  /** Proceeds after the fee, less the moving average cost of what was sold. */
  readonly realised: Decimal;
  /** In base: what was sold without a known purchase. */
  readonly soldWithoutCost: Decimal;
  /** The time of the first known trade, ms; undefined without one. */
  readonly since: number | undefined;
}

/** The part of one sale that came from one purchase, first in, first out. */
export interface SoldLot {
  readonly sale: Trade;
  /** The purchase; undefined for the opening lot, and for a part without a known purchase. */
  readonly bought: Trade | undefined;
  /** In base. */
  readonly quantity: Decimal;
  /** In quote, after the fee. */
  readonly proceeds: Decimal;
  /** In quote, fee included; undefined if no purchase is known. */
  readonly cost: Decimal | undefined;
}

/**
 * The places to which a share of an amount is rounded, half up. The rest stays with what is left, and the last part
 * takes all that is left, so that all parts together are exactly the whole.
 */
const SHARE_PLACES = 12;
const ZERO = new Decimal("0");

/**
 * Cost by moving average: a purchase adds what was paid with its fee, a sale takes the same share of the cost as of
 * the quantity. A sale takes known purchases first; only the rest of it is without cost.
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

/** `known` with later trades, in their order: each comes after all trades of `known` by `compareTrades`. */
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

/** The known cost of `quantity`, which the account still has: what is held beyond that left without a known sale. */
export function costWithin(known: AssetCost, quantity: Decimal): AssetCost {
  const held = smaller(known.held, quantity);
  return { ...known, held, cost: shareOf(known.cost, held, known.held) };
}

/** In quote per one base, rounded half up to `places`; undefined if nothing is held. */
export function averageCostRate({ held, cost }: AssetCost, places: number): Decimal | undefined {
  return held.gt(ZERO) ? cost.div(held).round(places, Decimal.roundHalfUp) : undefined;
}

/** In quote: what is held at a price, before the fee of a sale, less its cost. */
export function unrealisedResult({ held, cost }: AssetCost, price: Decimal): Decimal {
  return held.times(price).minus(cost);
}

/** Every sale in parts, each with the purchase that it came from: first in, first out. In the order of the sales. */
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

/** `amount` times `part` by `whole`, rounded; all of it if the part is the whole. */
function shareOf(amount: Decimal, part: Decimal, whole: Decimal): Decimal {
  if (part.eq(whole)) return amount;
  return part.eq(ZERO) ? ZERO : amount.times(part).div(whole).round(SHARE_PLACES, Decimal.roundHalfUp);
}

/**
 * By time. Some services tell it in seconds: within one moment, the numbers of the matches tell their sequence. Where
 * matches have no numbers, purchases come before sales, because what is sold was bought before.
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
