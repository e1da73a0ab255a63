import { Decimal, truncate } from "../../market/numbers/decimal.ts";
import type { PracticeDepth } from "../market/book.ts";
import { stepPlaces, type Quote } from "../market/market.ts";
import type { PracticeFill, LedgerEvent, PartFill } from "./events.ts";
import { matchedUntil, resting, withMatch, type PracticeOrder } from "./order.ts";
import {
  BASE_PLACES,
  FEE_SHARE,
  fillAt,
  type PracticeLimitOrder,
  meets,
  offerTo,
  QUOTE_PLACES,
} from "./rules.ts";

/** The market that resting orders are matched against. */
export interface Trading {
  quoteAt(at: number): Pick<Quote, "ask" | "bid">;
  /** Base that the market trades with one order at this time. */
  baseAt(at: number): Decimal;
}

/** A fill event of a resting order. */
export type Filled = Extract<LedgerEvent, { kind: "partFilled" | "filled" }>;

const ZERO = new Decimal("0");
const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
/** Open orders are matched at multiples of this time. Time before the last day is scanned in larger steps. */
export const MATCH_STEP_MS = 10 * SECOND;
const COARSE_STEP_MS = 600 * SECOND;

/** An order is filled in at most this many parts, even if the market trades very little. */
export const MAX_PARTS = 10;
const MAX_PARTS_DECIMAL = new Decimal(String(MAX_PARTS));

/**
 * Computes the fills of one pair's open orders, in chronological order. At each time of the matching grid from `after`
 * (exclusive) to `until` (ms), and after the order's acceptance or last match, an order whose rate the market reaches
 * is filled at its own rate with the volume traded at that time, but at least a tenth of its amount. The market is
 * queried once per time.
 */
export function fillsOf(
  orders: readonly PracticeOrder[],
  market: Trading,
  after: number,
  until: number,
): Filled[] {
  const fills: Filled[] = [];
  let waiting = orders.map(waitingOrder);
  for (const at of matchingGrid(after, until)) {
    if (waiting.length === 0) break;
    const quote = market.quoteAt(at);
    let hasClosed = false;
    for (const each of waiting) {
      const { kind } = each.order.placed;
      if (at <= each.from || !meets(kind, offerTo(kind, quote), each.limit)) continue;
      const filled = fillNow(each.order, market.baseAt(at), at);
      fills.push(filled);
      if (filled.kind === "partFilled") each.order = withMatch(each.order, filled.fill, at, true);
      else each.isClosed = hasClosed = true;
    }
    if (hasClosed) waiting = waiting.filter(({ isClosed }) => !isClosed);
  }
  return fills;
}

/** Fills an open order with the `base` that the market trades, or a tenth of its amount if that is more. */
function fillNow(order: PracticeOrder, base: Decimal, at: number): Filled {
  const { kind, id, amount, rate } = order.placed;
  const places = kind === "bid" ? QUOTE_PLACES : BASE_PLACES;
  const offered = (kind === "bid" ? base.times(rate) : base).round(places, Decimal.roundUp);
  const least = amount.div(MAX_PARTS_DECIMAL).round(places, Decimal.roundUp);
  const part = offered.gt(least) ? offered : least;
  if (part.lt(order.left)) return { kind: "partFilled", id, at, fill: partOf(order, part) };
  return { kind: "filled", id, at, fill: lastFill(order) };
}

/** Fills part of an open order, less than the remainder, at its own rate. */
export function partOf(order: PracticeOrder, amount: Decimal): PartFill {
  const { kind, rate } = order.placed;
  return { amount, ...fillAt(kind, amount, rate) };
}

/**
 * Fills the remainder of an order at its own rate, so that all matches since acceptance together yield the same as a
 * single fill.
 */
export function lastFill(order: PracticeOrder): PracticeFill {
  const quantity = order.matches
    .filter(({ isMaker }) => isMaker)
    .reduce((rest, match) => rest.minus(match.quantity), resting(order).quantity);
  return { rate: order.placed.rate, quantity };
}

/** The immediate fill of an order on acceptance: the amount filled, and the average rate of the levels. */
export interface ImmediateFill {
  readonly amount: Decimal;
  readonly rate: Decimal;
  /** The order is filled completely. */
  readonly isAll: boolean;
}

/**
 * Takes levels of a book, best first, up to the order's rate. The average rate has the levels' decimals and is never better
 * than theirs. Undefined if no level reaches the order.
 */
export function takeFrom(
  depth: PracticeDepth,
  { kind, amount, rate }: Pick<PracticeLimitOrder, "kind" | "amount" | "rate">,
): ImmediateFill | undefined {
  const limit = Number(rate.toFixed());
  const levels = (kind === "bid" ? depth.asks : depth.bids).filter(([price]) => meets(kind, price, limit));
  // Quote without the fee for a bid, base for an ask.
  const wanted = kind === "bid" ? amount.minus(amount.times(FEE_SHARE)) : amount;
  let [left, base, value] = [wanted, ZERO, ZERO];
  for (const [price, size] of levels) {
    const [each, offered] = [new Decimal(String(price)), new Decimal(String(size))];
    const cost = kind === "bid" ? offered.times(each) : offered;
    const isLast = cost.gte(left);
    const filled = isLast ? (kind === "bid" ? left.div(each) : left) : offered;
    base = base.plus(filled);
    value = value.plus(filled.times(each));
    left = isLast ? ZERO : left.minus(cost);
    if (isLast) break;
  }
  if (base.eq(ZERO)) return undefined;
  const places = Math.max(...levels.map(([price]) => stepPlaces(price)));
  const average = value.div(base).round(places, kind === "bid" ? Decimal.roundUp : Decimal.roundDown);
  if (left.eq(ZERO)) return { amount, rate: average, isAll: true };
  const spent = kind === "bid" ? truncate(value.div(new Decimal("1").minus(FEE_SHARE)), QUOTE_PLACES) : base;
  return spent.gt(ZERO) ? { amount: spent, rate: average, isAll: false } : undefined;
}

interface Waiting {
  order: PracticeOrder;
  readonly limit: number;
  readonly from: number;
  isClosed: boolean;
}

function waitingOrder(order: PracticeOrder): Waiting {
  return { order, limit: Number(order.placed.rate.toFixed()), from: matchedUntil(order), isClosed: false };
}

function* matchingGrid(after: number, until: number): Generator<number> {
  const fineFrom = until - DAY;
  let at = after;
  while (at < until) {
    const step = at < fineFrom ? COARSE_STEP_MS : MATCH_STEP_MS;
    at = (Math.floor(at / step) + 1) * step;
    if (at <= until) yield at;
  }
}
