import { Decimal, truncate } from "../../market/numbers/decimal.ts";
import { JsonNumber } from "../json.ts";
import { QUOTE } from "../market/listings.ts";
import { stepPlaces, type Market } from "../market/market.ts";
import type { PracticeFill } from "./events.ts";

/** A bid buys, an ask sells. */
export type OrderKind = "bid" | "ask";

/** A limit order that satisfies the market's rules. */
export interface PracticeLimitOrder {
  readonly kind: OrderKind;
  readonly symbol: string;
  readonly base: string;
  /** What is spent: quote of a bid, base of an ask. */
  readonly amount: Decimal;
  readonly rate: Decimal;
  readonly clientId?: string;
  /** Maker only. */
  readonly postOnly?: true;
}

/** Why a request is rejected: a code of the exchange's table, and a message. */
export interface PracticeRefusal {
  readonly code: 10 | 11 | 12 | 13 | 14 | 15 | 18 | 21 | 22 | 24 | 61;
  readonly message: string;
}

export const MINIMUM = new Decimal("10");
export const FEE_SHARE = new Decimal("0.0025");
/** Share of the last price. */
export const MAX_DISTANCE = new Decimal("0.2");
export const BASE_PLACES = 8;
export const QUOTE_PLACES = 2;
const FIELDS = ["sym", "amt", "rat", "typ"] as const;
/** No sign, exponent or trailing zero, at most 8 decimals. */
const PLAIN_NUMBER = /^(?:0|[1-9]\d{0,17})(?:\.\d{0,7}[1-9])?$/;

/**
 * Validates the body of an order (api.md 4.1) against the market at `now` (ms) and the available balance. Unknown
 * fields are ignored, as on exchanges of this family.
 */
export function readOrder(
  kind: OrderKind,
  body: Readonly<Record<string, unknown>>,
  market: Market,
  now: number,
  available: (asset: string) => Decimal,
): PracticeLimitOrder | PracticeRefusal {
  for (const field of FIELDS) {
    if (!Object.hasOwn(body, field)) return { code: 10, message: `The field ${field} is missing.` };
  }
  const { sym: symbol, amt, rat, typ, client_id: clientId = "", post_only: postOnly = false } = body;
  if (typ !== "limit") return { code: 10, message: "The type must be limit." };
  if (typeof clientId !== "string") return { code: 10, message: "The client_id must be text." };
  if (typeof postOnly !== "boolean") return { code: 10, message: "The post_only must be true or false." };
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
  const value = kind === "bid" ? amount : amount.times(rate);
  if (value.lt(MINIMUM)) return { code: 15, message: `The amount is below ${MINIMUM.toFixed()} ${QUOTE}.` };
  const asset = kind === "bid" ? QUOTE : pair.base;
  if (amount.gt(available(asset))) return { code: 18, message: `Not enough ${asset} available.` };
  const order = { kind, symbol, base: pair.base, amount, rate };
  return { ...order, ...(clientId !== "" && { clientId }), ...(postOnly && { postOnly }) };
}

/**
 * Computes a fill. A bid receives base, truncated to 8 decimals, for its amount minus the fee; an ask receives the base's
 * value minus the fee, truncated to 2 decimals.
 */
export function fillAt(
  kind: OrderKind,
  amount: Decimal,
  rate: Decimal,
): PracticeFill & { readonly fee: Decimal } {
  if (kind === "bid") {
    const fee = amount.times(FEE_SHARE);
    return { rate, quantity: truncate(amount.minus(fee).div(rate), BASE_PLACES), fee };
  }
  const value = amount.times(rate);
  const fee = value.times(FEE_SHARE);
  return { rate, quantity: truncate(value.minus(fee), QUOTE_PLACES), fee };
}

/** The market price for an order: the ask for a bid, the bid for an ask. */
export function offerTo(kind: OrderKind, quote: { readonly ask: number; readonly bid: number }): number {
  return kind === "bid" ? quote.ask : quote.bid;
}

/** Whether an offered price is at the order's limit or better. Both are short decimals, whose floats compare correctly. */
export function meets(kind: OrderKind, offered: number, limit: number): boolean {
  return kind === "bid" ? offered <= limit : offered >= limit;
}

/** A plain positive number of a body; undefined for anything else. */
function readPlain(value: unknown): Decimal | undefined {
  const digits = value instanceof JsonNumber ? value.digits : "0";
  return PLAIN_NUMBER.test(digits) && digits !== "0" ? new Decimal(digits) : undefined;
}
