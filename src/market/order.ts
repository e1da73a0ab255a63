import { Decimal, parseDecimal, priceText, truncate } from "./decimal.ts";
import type { Pair } from "./pair.ts";
import type { Ticker } from "./ticker.ts";

/** A bid as typed, nothing trusted yet. `symbol` is the wire symbol of the chosen pair. */
export interface BidDraft {
  readonly symbol: string;
  readonly amount: string;
  readonly rate: string;
}

/** A checked limit bid: spend `amount` of quote at no more than `rate` quote per base. */
export interface LimitBid {
  readonly symbol: string;
  readonly pair: Pair;
  readonly amount: Decimal;
  readonly rate: Decimal;
  /** Expected base received after the fee, truncated to the market's places. An estimate: the service decides. */
  readonly quantity: Decimal;
  /** Expected fee in quote, taken out of `amount`. An estimate likewise. */
  readonly fee: Decimal;
  /**
   * How far the rate lies above the last price, in percent to 2 places, never understated. Given only where that is
   * further than `BidLimits.confirmAbovePercent`: such a bid takes a second, explicit confirmation.
   */
  readonly aboveLastPercent?: Decimal | undefined;
}

/** What a service says of an accepted bid; all of it optional on the wire (spec 4.2). */
export interface BidReceipt {
  /** As text: ids were seen past 2^53. */
  readonly orderId: string | undefined;
  /** Where the receipt contradicts the bid, which is accepted all the same; absent where it contradicts nothing. */
  readonly differences?: readonly ReceiptDifference[] | undefined;
}

/** A field that a receipt gives another value than was sent. Amount and rate are plain decimal text. */
export interface ReceiptDifference {
  readonly field: "amount" | "rate" | "symbol" | "side" | "type";
  readonly sent: string;
  /** Foreign text, cut and redacted. */
  readonly told: string;
}

/** What services of this family were seen to apply; the estimates and local checks follow them. */
export interface BidRules {
  readonly minimumAmount: Decimal;
  /** Share of `amount`: 0.0025 is 0.25 %. */
  readonly feeShare: Decimal;
  readonly quantityPlaces: number;
}

/** Minimum 10 quote units, fee 0.25 % of the amount, 8 base decimals. */
export const usualRules: BidRules = {
  minimumAmount: new Decimal("10"),
  feeShare: new Decimal("0.0025"),
  quantityPlaces: 8,
};

/** What a person must be kept from by mistake, whatever the service would take. Percentages: 2 is 2 %. */
export interface BidLimits {
  /** A rate further above the last price than this takes a second confirmation. */
  readonly confirmAbovePercent: Decimal;
  /** A rate further above the last price than this is refused. */
  readonly refuseAbovePercent: Decimal;
  readonly maximumPriceAgeMs: number;
  /** In quote; undefined: as much as is available. One that cannot be read stops every bid: it was meant to be one. */
  readonly maximumAmount: Decimal | "unreadable" | undefined;
}

export const usualLimits: BidLimits = {
  confirmAbovePercent: new Decimal("2"),
  refuseAbovePercent: new Decimal("20"),
  maximumPriceAgeMs: 10_000,
  maximumAmount: undefined,
};

export type BidField = "pair" | "amount" | "rate";

/** Why a draft cannot be sent; `limit` is the bound it crossed, where there is one. */
export interface BidProblem {
  readonly field: BidField;
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
    /** Came to need a second confirmation while the first was being given. */
    | "aboveLastNow";
  readonly limit?: Decimal;
}

/** What a draft is checked against. `available` is the pair's quote balance, undefined while unknown. */
export interface BidContext {
  readonly ticker: Ticker | undefined;
  readonly available: Decimal | undefined;
  readonly rules: BidRules;
  readonly limits: BidLimits;
  /** Time since the ticker was read; undefined while nothing was. Below zero, the clock was set back: no age is known. */
  readonly priceAgeMs: number | undefined;
  /** The newest reading of the market failed, so the ticker is from one before. */
  readonly pricesAreStale: boolean;
}

/** Fee and quantity of a bid: fee out of the amount, the rest at the rate, truncated. Rate must be above zero. */
export function estimateFill(
  amount: Decimal,
  rate: Decimal,
  rules: BidRules,
): { fee: Decimal; quantity: Decimal } {
  const fee = amount.times(rules.feeShare);
  return { fee, quantity: truncate(amount.minus(fee).div(rate), rules.quantityPlaces) };
}

/** The least amount, to 2 places of quote, whose fill at `rate` yields at least `quantity`. */
export function amountForQuantity(quantity: Decimal, rate: Decimal, rules: BidRules): Decimal {
  const share = new Decimal("1").minus(rules.feeShare);
  return quantity.times(rate).div(share).round(2, Decimal.roundUp);
}

/** A bid ready to confirm, or every problem found: at most one a field. */
export function validateBid(draft: BidDraft, context: BidContext): LimitBid | BidProblem[] {
  const problems: BidProblem[] = [];
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

function pairProblemOf(symbol: string, context: BidContext): BidProblem["code"] | undefined {
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
  { rules: { minimumAmount }, limits: { maximumAmount }, available }: BidContext,
): Omit<BidProblem, "field"> | undefined {
  if (maximumAmount === "unreadable") return { code: "maximumUnreadable" };
  if (amount.lt(minimumAmount)) return { code: "belowMinimum", limit: minimumAmount };
  if (maximumAmount && amount.gt(maximumAmount)) return { code: "aboveMaximum", limit: maximumAmount };
  return available && amount.gt(available) ? { code: "aboveAvailable", limit: available } : undefined;
}

/** `price` and `percent` of it more. Exact: a product, never a quotient. */
function raised(price: Decimal, percent: Decimal): Decimal {
  return price.times(percent.plus("100")).times("0.01");
}

/** How far a rate lies from the last price, in percent to 2 places: below zero where it lies below. */
export function percentFromLast(rate: Decimal, last: Decimal): Decimal {
  return rate.minus(last).times("100").div(last).round(2, Decimal.roundHalfUp);
}

function percentAbove(rate: Decimal, last: Decimal): Decimal {
  return rate.minus(last).times("100").div(last).round(2, Decimal.roundUp);
}

function readPositive(field: BidField, text: string, problems: BidProblem[]): Decimal | undefined {
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
