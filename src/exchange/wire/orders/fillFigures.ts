import { Decimal, decimalsOf, plainText, truncate } from "../../../market/numbers/decimal.ts";
import type { Side } from "../../../market/order.ts";
import type { Fill } from "../../../market/orderReport.ts";

/** The unit of `amount` in the matches of buys. In a sell it is always base. */
export type AmountOfBuys = "base" | "quote";

/** The figures of a match as a service writes them. */
export interface MatchFigures {
  readonly side: Side;
  readonly amount: Decimal;
  /** Quote per one base, above zero. */
  readonly rate: Decimal;
  /** In quote: some services leave out the part that credits paid. */
  readonly fee: Decimal;
  /** The part of the fee that was paid with credits. */
  readonly credit: Decimal;
}

/** The fees of this family: 0.25 %, and 0.10 % on some pairs. */
const FEE_SHARES = [new Decimal("0.0025"), new Decimal("0.001")];
/** A fee may be computed from a rounded amount: 2 % is far less than what a wrong unit makes. */
const TOLERANCE = new Decimal("0.02");
/** Fees are rounded to the decimals of the quote asset, which has at least these. */
const LEAST_DECIMALS = 2;
const QUANTITY_PLACES = 8;
const NOTHING = new Decimal("0");

/**
 * Quantity, value and fee of a match. The unit of a buy's amount is checked against the fee, because services and
 * their documentation disagree: if only one unit fits the fee, that one counts; if both fit, `amountOfBuys` decides. If
 * none fits, the figures are not known (undefined), and nothing may be added up. Fee is what was taken in quote,
 * without the part that credits paid.
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

/** Whether a value in quote explains the fee, which has the part that credits paid, or leaves it out. */
function fits({ fee, credit }: MatchFigures, value: Decimal): boolean {
  return isFeeOf(value, fee) || isFeeOf(value, fee.plus(credit));
}

/** The part of the fee that was taken in quote. The value tells whether the told fee has the part that credits paid. */
function netFee({ fee, credit }: MatchFigures, value: Decimal): Decimal {
  const isLeftOut = credit.gt(fee) || (isFeeOf(value, fee.plus(credit)) && !isFeeOf(value, fee));
  return isLeftOut ? fee : fee.minus(credit);
}

function isFeeOf(value: Decimal, fee: Decimal): boolean {
  return FEE_SHARES.some((share) => isNear(fee, value.times(share)));
}

function isNear(told: Decimal, expected: Decimal): boolean {
  const unit = new Decimal(`1e-${Math.max(LEAST_DECIMALS, decimalsOf(plainText(told)))}`);
  const relative = expected.times(TOLERANCE);
  return told
    .minus(expected)
    .abs()
    .lte(relative.gt(unit) ? relative : unit);
}
