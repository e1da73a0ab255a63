import { amountDecimals } from "./numbers/amountDecimals.ts";
import { Decimal, parseDecimal, priceText, truncate } from "./numbers/decimal.ts";
import type { Pair } from "./pair.ts";
import type { Ticker } from "./ticker.ts";

/** The side of an order: a bid buys base for quote, an ask sells base for quote. */
export type Side = "buy" | "sell";

/** An order as typed and unchecked. `symbol` is the wire symbol of the chosen pair. */
export interface OrderDraft {
  readonly symbol: string;
  readonly amount: string;
  readonly rate: string;
}

/** A checked limit order: spend `amount` of quote at no more than `rate` quote per base. */
export interface LimitOrder {
  readonly symbol: string;
  readonly pair: Pair;
  readonly amount: Decimal;
  readonly rate: Decimal;
  /** Expected base after the fee, truncated to the market's places. An estimate: the exchange decides. */
  readonly quantity: Decimal;
  /** Expected fee in quote, included in `amount`. Also an estimate. */
  readonly fee: Decimal;
  /**
   * The distance of the rate above the last price, in percent to 2 places, never understated. Only if it is more than
   * `OrderLimits.confirmAbovePercent`: such an order needs a second, explicit confirmation.
   */
  readonly aboveLastPercent?: Decimal | undefined;
}

/**
 * The state of an order. `docs/states-of-an-order.md` says who may change it, and on what evidence.
 *
 * - `sending`: its window waits for the answer.
 * - `accepted`: the exchange took the order. The answer proves it, the balance shows it, or the person says so.
 * - `rejected`: the exchange proved that it did not take the order.
 * - `notSent`: it is proven that no byte of the order left this computer.
 * - `unknown`: the order may have been placed, and nothing proves it or the opposite.
 * - `unresolved`: still unknown after the last check of the balance, so the person decides.
 * - `notPlaced`: the person says that the order did not reach the exchange.
 * - `accountReset`: the practice account was reset first, so no balance can decide any more.
 */
export type OrderState =
  "sending" | "accepted" | "rejected" | "notSent" | "unknown" | "unresolved" | "notPlaced" | "accountReset";

/** The exchange's answer to an accepted order. All of it is optional on the wire (spec 4.2). */
export interface OrderReceipt {
  /** As text, because some ids are above 2^53. */
  readonly orderId: string | undefined;
  /** The contradictions between the receipt and the order, which is accepted anyway; missing if there are none. */
  readonly differences?: readonly ReceiptDifference[] | undefined;
}

/** A field whose value in the receipt differs from the sent one. Amount and rate are plain decimal text. */
export interface ReceiptDifference {
  readonly field: "amount" | "rate" | "symbol" | "side" | "type";
  readonly sent: string;
  /** Foreign text, cut and redacted. */
  readonly told: string;
}

/** The rules of exchanges of this family. Estimates and local checks follow them. */
export interface OrderRules {
  readonly minimumAmount: Decimal;
  /** Share of `amount`: 0.0025 is 0.25 %. */
  readonly feeShare: Decimal;
  readonly quantityPlaces: number;
}

/** Minimum 10 quote units, fee 0.25 % of the amount, 8 base decimals. */
export const defaultRules: OrderRules = {
  minimumAmount: new Decimal("10"),
  feeShare: new Decimal("0.0025"),
  quantityPlaces: 8,
};

/** Limits against a person's mistakes, whatever the exchange would accept. Percentages: 2 is 2 %. */
export interface OrderLimits {
  /** A rate further above the last price needs a second confirmation. */
  readonly confirmAbovePercent: Decimal;
  /** A rate further above the last price is refused. */
  readonly refuseAbovePercent: Decimal;
  readonly maximumPriceAgeMs: number;
  /** In quote; undefined: no limit. An invalid value blocks every order, because a limit was intended. */
  readonly maximumAmount: Decimal | "unreadable" | undefined;
}

/** The limits without settings of the user: the defaults of the manifest. */
export const defaultLimits: OrderLimits = {
  confirmAbovePercent: new Decimal("2"),
  refuseAbovePercent: new Decimal("20"),
  maximumPriceAgeMs: 10_000,
  maximumAmount: undefined,
};

export type OrderField = "pair" | "amount" | "rate";

/** Why a draft cannot be sent. `limit` is the exceeded bound, if there is one. */
export interface OrderProblem {
  readonly field: OrderField;
  readonly code:
    | "missing"
    | "unknownPair"
    | "frozen"
    | "noPrice"
    | "priceTooOld"
    | "notDecimal"
    | "notPositive"
    | "maximumUnreadable"
    | "belowMinimum"
    | "aboveMaximum"
    | "aboveAvailable"
    | "quantityZero"
    | "farAboveLast"
    /** The rate began to need a second confirmation while the first one was open. */
    | "aboveLastNow";
  readonly limit?: Decimal;
}

/** The data for the check of a draft. `available` is the pair's quote balance, undefined if unknown. */
export interface OrderContext {
  readonly ticker: Ticker | undefined;
  readonly available: Decimal | undefined;
  readonly rules: OrderRules;
  readonly limits: OrderLimits;
  /**
   * Time since the ticker was read; undefined before the first reading. Below zero the clock was set back, so the age
   * is unknown.
   */
  readonly priceAgeMs: number | undefined;
  /** The newest reading of the market failed, so the ticker is from an earlier one. */
  readonly pricesAreStale: boolean;
}

/**
 * Fee and quantity of an order: the fee is taken from the amount, the rest buys at the rate, truncated. The rate must be
 * above zero.
 */
export function estimateFill(
  amount: Decimal,
  rate: Decimal,
  rules: OrderRules,
): { fee: Decimal; quantity: Decimal } {
  const fee = amount.times(rules.feeShare);
  return { fee, quantity: truncate(amount.minus(fee).div(rate), rules.quantityPlaces) };
}

/** The least amount, to the decimals of its asset `quote`, whose fill at `rate` yields at least `quantity`. */
export function amountForQuantity(
  quantity: Decimal,
  rate: Decimal,
  rules: OrderRules,
  quote: string | undefined,
): Decimal {
  const share = new Decimal("1").minus(rules.feeShare);
  return quantity.times(rate).div(share).round(amountDecimals(quote), Decimal.roundUp);
}

/** An order ready to confirm, or all problems: at most one for each field. */
export function validateOrder(draft: OrderDraft, context: OrderContext): LimitOrder | OrderProblem[] {
  const problems: OrderProblem[] = [];
  const { ticker, rules, limits } = context;
  const pairProblem = pairProblemOf(draft.symbol, context);
  if (pairProblem) problems.push({ field: "pair", code: pairProblem });

  const amount = readPositive("amount", draft.amount, problems);
  const bound = amount && crossedBound(amount, context);
  if (bound) problems.push({ field: "amount", ...bound });
  const rate = readPositive("rate", draft.rate, problems);
  if (!ticker || pairProblem || !rate) return problems;

  const last = new Decimal(priceText(ticker.last));
  const highest = raised(last, limits.refuseAbovePercent);
  if (rate.gt(highest)) problems.push({ field: "rate", code: "farAboveLast", limit: highest });
  if (!amount || problems.length > 0) return problems;

  const { fee, quantity } = estimateFill(amount, rate, rules);
  if (quantity.eq("0")) return [{ field: "amount", code: "quantityZero" }];
  const isAbove = rate.gt(raised(last, limits.confirmAbovePercent));
  const aboveLastPercent = isAbove ? percentAbove(rate, last) : undefined;
  return { symbol: draft.symbol, pair: ticker.pair, amount, rate, quantity, fee, aboveLastPercent };
}

function pairProblemOf(symbol: string, context: OrderContext): OrderProblem["code"] | undefined {
  const { ticker, limits, priceAgeMs, pricesAreStale } = context;
  if (symbol === "") return "missing";
  if (!ticker || ticker.symbol !== symbol) return "unknownPair";
  if (ticker.frozen) return "frozen";
  if (priceAgeMs === undefined || !(Number.isFinite(ticker.last) && ticker.last > 0)) return "noPrice";
  const isFresh = priceAgeMs >= 0 && priceAgeMs <= limits.maximumPriceAgeMs;
  return isFresh && !pricesAreStale ? undefined : "priceTooOld";
}

function crossedBound(
  amount: Decimal,
  { rules: { minimumAmount }, limits: { maximumAmount }, available }: OrderContext,
): Omit<OrderProblem, "field"> | undefined {
  if (maximumAmount === "unreadable") return { code: "maximumUnreadable" };
  if (amount.lt(minimumAmount)) return { code: "belowMinimum", limit: minimumAmount };
  if (maximumAmount && amount.gt(maximumAmount)) return { code: "aboveMaximum", limit: maximumAmount };
  return available && amount.gt(available) ? { code: "aboveAvailable", limit: available } : undefined;
}

/** `price` increased by `percent`. Exact: a product, never a quotient. */
function raised(price: Decimal, percent: Decimal): Decimal {
  return price.times(percent.plus("100")).times("0.01");
}

/** The distance of a rate from the last price, in percent to 2 places; negative below the last price. */
export function percentFromLast(rate: Decimal, last: Decimal): Decimal {
  return rate.minus(last).times("100").div(last).round(2, Decimal.roundHalfUp);
}

function percentAbove(rate: Decimal, last: Decimal): Decimal {
  return rate.minus(last).times("100").div(last).round(2, Decimal.roundUp);
}

function readPositive(field: OrderField, text: string, problems: OrderProblem[]): Decimal | undefined {
  if (text === "") {
    problems.push({ field, code: "missing" });
    return undefined;
  }
  const value = parseDecimal(text);
  if (!value) problems.push({ field, code: "notDecimal" });
  else if (value.eq("0")) problems.push({ field, code: "notPositive" });
  else return value;
  return undefined;
}
