import { practiceAccount } from "./account.ts";
import { compareText } from "./compareText.ts";
import { amountDecimals } from "./numbers/amountDecimals.ts";
import { Decimal, parseDecimal, priceText, truncate } from "./numbers/decimal.ts";
import type { NamedPair, Pair } from "./pair.ts";
import type { Ticker } from "./ticker.ts";

/** A bid buys base for quote, an ask sells base for quote. */
export type Side = "buy" | "sell";

const OPPOSITE = { buy: "sell", sell: "buy" } as const;

/** An order identified as on the exchange. */
export interface NamedOrder extends NamedPair {
  readonly orderId: string;
  readonly side: Side;
}

/** Assets of an order's `amount`, which is spent, and of its `quantity`, which is received. */
export function assetsOf(side: Side, { quote, base }: Pair): Readonly<Record<"amount" | "quantity", string>> {
  return side === "buy" ? { amount: quote, quantity: base } : { amount: base, quantity: quote };
}

/** Identifies an order. Some exchanges number orders of each pair and side from one. */
export interface OrderName extends Pair {
  readonly venue: "practice" | "live";
  /** Scheme, host and port of the exchange. */
  readonly origin: string;
  /** The id of a live account; missing for the practice account. */
  readonly account?: string | undefined;
  readonly side: Side;
  readonly orderId: string;
}

/** How a record names its account, and the exchange of that time. */
export type AccountRef = Pick<OrderName, "venue" | "origin" | "account">;

/** The account's id. */
export function accountId({ account }: Pick<AccountRef, "account">): string {
  return account ?? practiceAccount.id;
}

export function isSameAccount(one: AccountRef, other: AccountRef): boolean {
  return accountId(one) === accountId(other);
}

export function keyOf({ account, quote, base, side, orderId }: OrderName): string {
  return `${accountId({ account })} ${quote} ${base} ${side} ${orderId}`;
}

/** Sorts the ids of one order, latest last. Exchanges of this family count up, so a longer id is later. */
export function compareOrderIds(one: string, other: string): number {
  return one.length - other.length || compareText(one, other);
}

export function isSameOrder(one: OrderName, other: OrderName): boolean {
  return (
    one.orderId === other.orderId &&
    one.side === other.side &&
    one.base === other.base &&
    one.quote === other.quote &&
    isSameAccount(one, other)
  );
}

/** An order as typed, unvalidated. `symbol` is the ticker symbol of the chosen pair. */
export interface OrderDraft {
  readonly side: Side;
  readonly symbol: string;
  readonly amount: string;
  readonly rate: string;
  /** The exchange must reject the order if it would be filled immediately. */
  readonly postOnly?: boolean | undefined;
}

/**
 * A validated limit order. A bid spends `amount` of quote at no more than `rate` quote per base; an ask sells `amount`
 * of base at no less.
 */
export interface LimitOrder {
  readonly side: Side;
  readonly symbol: string;
  readonly pair: Pair;
  /** What is spent: quote to buy, base to sell. */
  readonly amount: Decimal;
  readonly rate: Decimal;
  /** Estimated quantity received after the fee, truncated: base to buy, quote to sell. The exchange decides. */
  readonly quantity: Decimal;
  /** Estimated fee in quote: part of `amount` to buy, deducted from the proceeds to sell. */
  readonly fee: Decimal;
  /**
   * How much worse the rate is than the last price, in percent, rounded up to 2 places: above the last price to buy,
   * below to sell. Set only beyond `OrderLimits.confirmBeyondPercent`: such an order needs a second, explicit
   * confirmation.
   */
  readonly beyondLastPercent?: Decimal | undefined;
  /**
   * How much worse the average fill rate in the order book is than the best offer, in percent, rounded up to 2 places.
   * Set only beyond `OrderLimits.confirmBeyondPercent`: such an order also needs a second confirmation.
   */
  readonly beyondBookPercent?: Decimal | undefined;
  /** Maker only: the order ends without a fill if it would be filled immediately. */
  readonly postOnly?: true | undefined;
  /** The order's client id, set once it is recorded; only for exchanges that accept one. */
  readonly clientId?: string | undefined;
}

/**
 * State of an order. `docs/orders.md` describes the transitions and the evidence they need.
 *
 * - `sending`: waiting for the response.
 * - `accepted`: the exchange accepted the order, according to its response, an order list, the balance or the user.
 * - `rejected`: the exchange proved that it did not accept the order.
 * - `notSent`: provably no byte of the order left this computer.
 * - `unknown`: the order may have been placed; nothing proves whether it was.
 * - `unresolved`: still unknown after the last check, so the user decides.
 * - `notPlaced`: the order did not reach the exchange, as proven by its client id or stated by the user.
 * - `accountReset`: the practice account was reset first, so no balance can decide any more.
 */
export type SentOrderState =
  | "sending"
  | "accepted"
  | "rejected"
  | "notSent"
  | "unknown"
  | "unresolved"
  | "notPlaced"
  | "accountReset";

/** The exchange's response to an accepted order. All of it is optional on the wire (api.md 4.2). */
export interface OrderReceipt {
  /** As text, because some ids exceed 2^53. */
  readonly orderId: string | undefined;
  /** Client id echoed by the exchange; missing if there is none. */
  readonly clientId?: string | undefined;
  /** Differences between the receipt and the order, which is accepted anyway; missing if there are none. */
  readonly differences?: readonly ReceiptDifference[] | undefined;
}

/** A field whose value in the receipt differs from the sent one. Amount and rate are plain decimal text. */
export interface ReceiptDifference {
  readonly field: "amount" | "rate" | "quantity" | "symbol" | "side" | "type";
  readonly sent: string;
  /** Untrusted text, cut and redacted. */
  readonly returned: string;
}

/** Order rules of an exchange or pair, used for estimates and local validation. */
export interface OrderRules {
  /** In quote: minimum amount of a bid, and minimum value of an ask. */
  readonly minimumAmount: Decimal;
  /** Share of the quote: 0.0025 is 0.25 %. */
  readonly feeShare: Decimal;
  /** Decimals of the base asset. */
  readonly quantityPlaces: number;
  /** Decimals of an amount in quote; missing if unknown. */
  readonly amountPlaces?: number | undefined;
  /** Tick size: rates must be multiples of it, in quote per base; missing if unknown. */
  readonly rateStep?: Decimal | undefined;
  /**
   * Maximum distance of a rate from the last price, in percent on either side, that the exchange accepts for each order
   * side.
   */
  readonly bandPercent?: Readonly<Partial<Record<Side, Decimal | undefined>>> | undefined;
  /** Sides for which the exchange accepts no orders of the pair. */
  readonly frozenSides?: readonly Side[] | undefined;
  /** The exchange cancels no orders of the pair. */
  readonly isCancelFrozen?: boolean | undefined;
  /** Whether the exchange states rules for the pair. Otherwise these are the defaults. */
  readonly isOfExchange?: boolean | undefined;
}

/** Minimum 10 quote units, fee 0.25 % of the amount, 8 base decimals. */
export const defaultRules: OrderRules = {
  minimumAmount: new Decimal("10"),
  feeShare: new Decimal("0.0025"),
  quantityPlaces: 8,
};

/** Protection against the user's own mistakes, whatever the exchange would accept. Percentages: 2 is 2 %. */
export interface OrderLimits {
  /** A rate further above the last price (bid) or below it (ask) needs a second confirmation. */
  readonly confirmBeyondPercent: Decimal;
  /** A rate further above the last price (bid) or below it (ask) is rejected. */
  readonly refuseBeyondPercent: Decimal;
  readonly maximumPriceAgeMs: number;
  /**
   * In quote, for the amount of a bid and the value of an ask; undefined: no limit. An invalid setting blocks every
   * order, because a limit was intended.
   */
  readonly maximumAmount: Decimal | "unreadable" | undefined;
}

/** The defaults of the settings. */
export const defaultLimits: OrderLimits = {
  confirmBeyondPercent: new Decimal("2"),
  refuseBeyondPercent: new Decimal("20"),
  maximumPriceAgeMs: 10_000,
  maximumAmount: undefined,
};

export type OrderField = "pair" | "amount" | "rate";

/** Why a draft cannot be sent. `limit` is the violated bound, if there is one. */
export interface OrderProblem {
  readonly field: OrderField;
  readonly code:
    | "missing"
    | "unknownPair"
    | "frozen"
    /** The exchange accepts no orders of this side for the pair. */
    | "sideFrozen"
    /** The exchange offers no sell orders. */
    | "asksNotOffered"
    /** The exchange offers no post-only orders. */
    | "postOnlyNotOffered"
    | "noPrice"
    | "priceTooOld"
    | "notDecimal"
    | "notPositive"
    /** For an amount, in the asset that is spent. `limit` is the maximum number of decimals. */
    | "tooManyDecimals"
    | "maximumUnreadable"
    | "belowMinimum"
    | "aboveMaximum"
    | "aboveAvailable"
    | "quantityZero"
    | "farAboveLast"
    | "farBelowLast"
    /** The order book would fill the order at an average rate far from its best offer. `limit` is in percent. */
    | "farFromBook"
    /** The rate is not a multiple of the exchange's tick size, which is `limit`. */
    | "offStep"
    /** The rate is further from the last price than confirmed, so it needs a new confirmation. */
    | "aboveLastNow"
    | "belowLastNow"
    /** The order book is thinner than confirmed, so the order needs a new confirmation. */
    | "bookThinnedNow";
  readonly limit?: Decimal;
}

/** What a draft is validated against. */
export interface OrderContext {
  readonly ticker: Ticker | undefined;
  /** Available balance of the asset that is spent (`assetsOf`); undefined if unknown. */
  readonly available: Decimal | undefined;
  readonly offersAsks: boolean;
  /** Missing: no. */
  readonly offersPostOnly?: boolean;
  readonly rules: OrderRules;
  readonly limits: OrderLimits;
  /** Age of the ticker; undefined before the first poll. Negative if the clock was set back, so the age is unknown. */
  readonly priceAgeMs: number | undefined;
  /** The latest poll failed, so the ticker is from an earlier one. */
  readonly pricesAreStale: boolean;
}

/**
 * Estimates fee and quantity of an order at a rate above zero. A bid's fee is deducted from its amount, and the rest
 * buys base. An ask receives the value of its amount minus the fee. The quantity is truncated to its asset's decimals;
 * `quote` is the quote asset.
 */
export function estimateFill(
  { side, amount, rate }: Pick<LimitOrder, "side" | "amount" | "rate">,
  rules: OrderRules,
  quote: string | undefined,
): { fee: Decimal; quantity: Decimal } {
  const value = valueOf({ side, amount, rate });
  const fee = value.times(rules.feeShare);
  const net = value.minus(fee);
  return side === "buy"
    ? { fee, quantity: truncate(net.div(rate), rules.quantityPlaces) }
    : { fee, quantity: truncate(net, amountPlacesOf(rules, quote)) };
}

/** Decimals of an amount in quote: the exchange's, else the asset's defaults. */
function amountPlacesOf({ amountPlaces }: OrderRules, quote: string | undefined): number {
  return amountPlaces ?? amountDecimals(quote);
}

/** Value of an order at its rate, in quote, including the fee. */
function valueOf({ side, amount, rate }: Pick<LimitOrder, "side" | "amount" | "rate">): Decimal {
  return side === "buy" ? amount : amount.times(rate);
}

/** The smallest amount, in its asset's decimals, that yields at least `quantity` at `rate`. */
export function amountForQuantity(
  { side, quantity, rate }: Pick<LimitOrder, "side" | "quantity" | "rate">,
  rules: OrderRules,
  quote: string | undefined,
): Decimal {
  const share = new Decimal("1").minus(rules.feeShare);
  return side === "buy"
    ? quantity.times(rate).div(share).round(amountPlacesOf(rules, quote), Decimal.roundUp)
    : quantity.div(share.times(rate)).round(rules.quantityPlaces, Decimal.roundUp);
}

/** Validates a draft. Returns an order ready to confirm, or all problems, at most one per field. */
export function validateOrder(draft: OrderDraft, context: OrderContext): LimitOrder | OrderProblem[] {
  const problems: OrderProblem[] = [];
  const { side, symbol } = draft;
  const { ticker, rules, limits } = context;
  const pairProblem = pairProblemOf(draft, context);
  if (pairProblem) problems.push({ field: "pair", code: pairProblem });

  const amount = readPositive("amount", draft.amount, problems);
  const rateProblems: OrderProblem[] = [];
  const rate = readPositive("rate", draft.rate, rateProblems);
  const bound = amount && crossedBound({ side, amount, rate }, context);
  if (bound) problems.push({ field: "amount", ...bound });
  problems.push(...rateProblems);
  if (ticker?.last === undefined || pairProblem || !rate) return problems;

  const last = new Decimal(priceText(ticker.last));
  const worst = worseBy(smaller(limits.refuseBeyondPercent, rules.bandPercent?.[side]), side, last);
  const [beyond, within] = FAR_CODES[side];
  const band = rules.bandPercent?.[side];
  // The exchange also rejects a rate far on the better side.
  const best = band && worseBy(band, OPPOSITE[side], last);
  if (isWorse(rate, worst, side))
    problems.push({ field: "rate", code: beyond, limit: ontoStep(worst, rules.rateStep, side) });
  else if (best && isWorse(best, rate, side))
    problems.push({ field: "rate", code: within, limit: ontoStep(best, rules.rateStep, OPPOSITE[side]) });
  else if (rules.rateStep && !isMultiple(rate, rules.rateStep))
    problems.push({ field: "rate", code: "offStep", limit: rules.rateStep });
  if (!amount || problems.length > 0) return problems;

  const { fee, quantity } = estimateFill({ side, amount, rate }, rules, ticker.pair.quote);
  if (quantity.eq("0")) return [{ field: "amount", code: "quantityZero" }];
  const isFar = isWorse(rate, worseBy(limits.confirmBeyondPercent, side, last), side);
  const beyondLastPercent = isFar ? percentBeyond(rate, last) : undefined;
  const figures = { side, symbol, pair: ticker.pair, amount, rate, quantity, fee, beyondLastPercent };
  return draft.postOnly === true ? { ...figures, postOnly: true } : figures;
}

function pairProblemOf(
  { side, symbol, postOnly }: OrderDraft,
  { ticker, rules, limits, priceAgeMs, pricesAreStale, offersAsks, offersPostOnly }: OrderContext,
): OrderProblem["code"] | undefined {
  if (side === "sell" && !offersAsks) return "asksNotOffered";
  if (postOnly === true && offersPostOnly !== true) return "postOnlyNotOffered";
  if (symbol === "") return "missing";
  if (!ticker || ticker.symbol !== symbol) return "unknownPair";
  const frozen = new Set(rules.frozenSides);
  if (ticker.frozen || (frozen.has("buy") && frozen.has("sell"))) return "frozen";
  if (frozen.has(side)) return "sideFrozen";
  const { last } = ticker;
  const isPriced = last !== undefined && Number.isFinite(last) && last > 0;
  if (priceAgeMs === undefined || !isPriced) return "noPrice";
  const isFresh = priceAgeMs >= 0 && priceAgeMs <= limits.maximumPriceAgeMs;
  return isFresh && !pricesAreStale ? undefined : "priceTooOld";
}

/** Without a rate the value of an ask is unknown, so its minimum and maximum are not checked yet. */
function crossedBound(
  { side, amount, rate }: Pick<LimitOrder, "side" | "amount"> & { readonly rate: Decimal | undefined },
  { rules, limits: { maximumAmount }, available }: OrderContext,
): Omit<OrderProblem, "field"> | undefined {
  const { minimumAmount, quantityPlaces, amountPlaces } = rules;
  if (maximumAmount === "unreadable") return { code: "maximumUnreadable" };
  const places = side === "sell" ? quantityPlaces : amountPlaces;
  if (places !== undefined && !truncate(amount, places).eq(amount))
    return { code: "tooManyDecimals", limit: new Decimal(String(places)) };
  const value = side === "buy" ? amount : rate && valueOf({ side, amount, rate });
  if (value?.lt(minimumAmount)) return { code: "belowMinimum", limit: minimumAmount };
  if (maximumAmount && value?.gt(maximumAmount)) return { code: "aboveMaximum", limit: maximumAmount };
  return available && amount.gt(available) ? { code: "aboveAvailable", limit: available } : undefined;
}

/**
 * The rate that is worse than `price` by `percent`: higher to buy, lower to sell. Exact: a product, never a quotient.
 */
function worseBy(percent: Decimal, side: Side, price: Decimal): Decimal {
  const hundred = new Decimal("100");
  return price.times(side === "buy" ? hundred.plus(percent) : hundred.minus(percent)).times("0.01");
}

/** Problem codes for a rate far from the last price: on the worse side of the order, and on its better side. */
const FAR_CODES = {
  buy: ["farAboveLast", "farBelowLast"],
  sell: ["farBelowLast", "farAboveLast"],
} as const;

/**
 * Rounds a bound to a multiple of the step, towards the better rate for `side`, so that the exchange accepts the
 * result.
 */
function ontoStep(bound: Decimal, step: Decimal | undefined, side: Side): Decimal {
  if (!step) return bound;
  const rest = bound.mod(step);
  return side === "buy" || rest.eq("0") ? bound.minus(rest) : bound.minus(rest).plus(step);
}

function smaller(percent: Decimal, other: Decimal | undefined): Decimal {
  return other?.lt(percent) ? other : percent;
}

/** Exact decimal remainder. */
function isMultiple(rate: Decimal, step: Decimal): boolean {
  return rate.mod(step).eq("0");
}

/** Whether a rate is worse than another for this side: higher to buy, lower to sell. */
export function isWorse(rate: Decimal, than: Decimal, side: Side): boolean {
  return side === "buy" ? rate.gt(than) : rate.lt(than);
}

/** Distance of a rate from the last price, in percent to 2 places; negative below the last price. */
export function percentFromLast(rate: Decimal, last: Decimal): Decimal {
  return rate.minus(last).times("100").div(last).round(2, Decimal.roundHalfUp);
}

function percentBeyond(rate: Decimal, last: Decimal): Decimal {
  return rate.minus(last).abs().times("100").div(last).round(2, Decimal.roundUp);
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
