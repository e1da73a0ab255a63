import { Decimal, decimalsOf, plainText, truncate } from "../../../market/numbers/decimal.ts";
import type { Side } from "../../../market/order.ts";
import type { Fill } from "../../../market/orderReport.ts";

/** Unit of `amount` in matches of buys. For sells it is always base. */
export type AmountOfBuys = "base" | "quote";

/** Figures of a match as reported. */
export interface MatchFigures {
  readonly side: Side;
  readonly amount: Decimal;
  /** Quote per base, above zero. */
  readonly rate: Decimal;
  /** In quote. Some services leave out the part paid with credits. */
  readonly fee: Decimal;
  /** The part of the fee paid with credits. */
  readonly credit: Decimal;
}

/** Fee rates of this family: 0.25 %, and 0.10 % on some pairs. */
const FEE_SHARES = [new Decimal("0.0025"), new Decimal("0.001")];
/** A fee may be computed from a rounded amount. A wrong unit is off by far more than 2 %. */
const TOLERANCE = new Decimal("0.02");
/** Fees are rounded to the quote asset's decimals, which are at least these. */
const MIN_DECIMALS = 2;
const QUANTITY_PLACES = 8;
const NOTHING = new Decimal("0");

/**
 * Quantity, value and fee of a match. Services contradict their own documentation on the unit of a buy's amount, so it is
 * checked against the fee: if only one unit fits, it is used; if both fit, `amountOfBuys` decides; if neither fits, returns
 * undefined and the match must not be summed. The returned fee is what was charged in quote, without credits.
 */
export function figuresOfMatch(
  match: MatchFigures,
  amountOfBuys: AmountOfBuys,
): Pick<Fill, "quantity" | "value" | "fee"> | undefined {
  const { side, amount, rate } = match;
  const unit = side === "sell" ? "base" : unitOf(match, amountOfBuys);
  if (unit === undefined) return undefined;
  if (unit === "base") {
    const value = amount.times(rate);
    return { quantity: amount, value, fee: netFee(match, value) };
  }
  const fee = netFee(match, amount);
  const value = amount.minus(fee);
  return value.gt(NOTHING) ? { quantity: truncate(value.div(rate), QUANTITY_PLACES), value, fee } : undefined;
}

function unitOf(match: MatchFigures, amountOfBuys: AmountOfBuys): AmountOfBuys | undefined {
  const { amount, rate } = match;
  const isBase = fits(match, amount.times(rate));
  const isQuote = fits(match, amount);
  if (isBase && isQuote) return amountOfBuys;
  if (isBase) return "base";
  return isQuote ? "quote" : undefined;
}

/** Whether a value in quote is consistent with the fee, with or without the part paid with credits. */
function fits({ fee, credit }: MatchFigures, value: Decimal): boolean {
  return isFeeOf(value, fee) || isFeeOf(value, fee.plus(credit));
}

/** The part of the fee charged in quote. The value shows whether the reported fee includes credits. */
function netFee({ fee, credit }: MatchFigures, value: Decimal): Decimal {
  const isLeftOut = credit.gt(fee) || (isFeeOf(value, fee.plus(credit)) && !isFeeOf(value, fee));
  return isLeftOut ? fee : fee.minus(credit);
}

function isFeeOf(value: Decimal, fee: Decimal): boolean {
  return FEE_SHARES.some((share) => isNear(fee, value.times(share)));
}

function isNear(fee: Decimal, expected: Decimal): boolean {
  const unit = new Decimal(`1e-${Math.max(MIN_DECIMALS, decimalsOf(plainText(fee)))}`);
  const relative = expected.times(TOLERANCE);
  return fee
    .minus(expected)
    .abs()
    .lte(relative.gt(unit) ? relative : unit);
}
