import { NumberText } from "../../market/exactJson.ts";
import { Decimal, truncate } from "../../market/numbers/decimal.ts";
import { QUOTE } from "../market/listings.ts";
import { stepPlaces, type Market } from "../market/market.ts";
import type { Fill } from "./events.ts";

/** A limit order that follows every rule of the market. */
export interface LimitOrder {
  readonly symbol: string;
  readonly base: string;
  readonly amount: Decimal;
  readonly rate: Decimal;
  readonly fee: Decimal;
}

/** Why an order is refused: a code of the exchange's table and a sentence. */
export interface Refusal {
  readonly code: 10 | 11 | 12 | 13 | 14 | 15 | 18;
  readonly message: string;
}

const MINIMUM = new Decimal("10");
const FEE_SHARE = new Decimal("0.0025");
const MAX_DISTANCE = new Decimal("0.2");
const BASE_PLACES = 8;
const FIELDS = ["sym", "amt", "rat", "typ"] as const;
/** No sign, exponent or trailing zero, at most 8 decimals. */
const PLAIN_NUMBER = /^(?:0|[1-9]\d{0,17})(?:\.\d{0,7}[1-9])?$/;

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
/** Open orders meet the market at multiples of this time. The time before the last day is checked in larger steps. */
export const MATCH_STEP_MS = 10 * SECOND;
const COARSE_STEP_MS = 600 * SECOND;

/**
 * Reads a place-bid body (spec 4.1) against the market at `now` (ms) and the available balance. Fields that this
 * exchange does not know, such as `client_id`, are ignored, as in exchanges of this family.
 */
export function readOrder(
  body: Readonly<Record<string, unknown>>,
  market: Market,
  now: number,
  available: (asset: string) => Decimal,
): LimitOrder | Refusal {
  for (const field of FIELDS) {
    if (!Object.hasOwn(body, field)) return { code: 10, message: `The field ${field} is missing.` };
  }
  const { sym: symbol, amt, rat, typ } = body;
  if (typ !== "limit") return { code: 10, message: "The type must be limit." };
  const pair = typeof symbol === "string" ? market.find(symbol) : undefined;
  if (typeof symbol !== "string" || !pair) return { code: 11, message: "No such pair." };
  if (pair.frozen) return { code: 11, message: "The pair is frozen: it is not traded now." };

  const amount = readPlain(amt);
  if (!amount) return { code: 12, message: "The amount must be a plain number with at most 8 decimals." };
  const rate = readPlain(rat);
  if (!rate) return { code: 13, message: "The rate must be a plain number with at most 8 decimals." };

  const places = stepPlaces(Number(rate.toFixed()));
  if (!truncate(rate, places).eq(rate)) {
    return { code: 14, message: `The rate must have at most ${places} decimals.` };
  }
  const last = new Decimal(String(market.quoteAt(symbol, now).last));
  if (rate.minus(last).abs().gt(last.times(MAX_DISTANCE))) {
    return { code: 14, message: "The rate is more than 20 % away from the last price." };
  }
  if (amount.lt(MINIMUM)) return { code: 15, message: `The amount is below ${MINIMUM.toFixed()} ${QUOTE}.` };
  if (amount.gt(available(QUOTE))) return { code: 18, message: `Not enough ${QUOTE} available.` };
  return { symbol, base: pair.base, amount, rate, fee: amount.times(FEE_SHARE) };
}

/** The quantity for the whole amount at a rate: the fee is taken from it, and the quantity is cut at 8 decimals. */
export function fillAt(order: { readonly amount: Decimal; readonly fee: Decimal }, rate: Decimal): Fill {
  return { rate, quantity: truncate(order.amount.minus(order.fee).div(rate), BASE_PLACES) };
}

/** The fill of an order that meets an ask at once, at the price of the ask; undefined if it must wait. */
export function fillAtOnce(order: LimitOrder, market: Market, now: number): Fill | undefined {
  const ask = new Decimal(String(market.quoteAt(order.symbol, now).ask));
  return ask.lte(order.rate) ? fillAt(order, ask) : undefined;
}

/**
 * For each bid of one pair, the first moment of the matching grid at which it meets the ask: after `after`, after its
 * acceptance, and up to `until` (ms). Bids that meet none are left out. The ask is looked up once for each moment.
 */
export function crossings<Bid extends { readonly rate: Decimal; readonly at: number }>(
  bids: readonly Bid[],
  askAt: (at: number) => number,
  after: number,
  until: number,
): { readonly bid: Bid; readonly at: number }[] {
  const crossed: { bid: Bid; at: number }[] = [];
  // Rates and asks are short decimals, so their floats have the same order. Only the comparison uses floats.
  let waiting = bids.map((bid) => ({ bid, rate: Number(bid.rate.toFixed()) }));
  let highest = highestRate(waiting);
  for (const at of matchingGrid(after, until)) {
    const ask = askAt(at);
    if (ask > highest) continue;
    const meets = (each: { bid: Bid; rate: number }): boolean => ask <= each.rate && each.bid.at < at;
    for (const each of waiting) if (meets(each)) crossed.push({ bid: each.bid, at });
    waiting = waiting.filter((each) => !meets(each));
    highest = highestRate(waiting);
    if (waiting.length === 0) break;
  }
  return crossed;
}

function highestRate(waiting: readonly { readonly rate: number }[]): number {
  return waiting.reduce((highest, { rate }) => Math.max(highest, rate), 0);
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

function readPlain(value: unknown): Decimal | undefined {
  const digits = value instanceof NumberText ? value.source : "0";
  return PLAIN_NUMBER.test(digits) && digits !== "0" ? new Decimal(digits) : undefined;
}
