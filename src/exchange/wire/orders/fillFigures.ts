import { amountDecimals } from "../../../market/numbers/amountDecimals.ts";
import { Decimal, decimalsOf, plainText, truncate } from "../../../market/numbers/decimal.ts";
import type { Side } from "../../../market/order.ts";
import type { Fill } from "../../../market/orderReport.ts";

/** Unit of `amount` in matches of buys. For sells it is always base. */
export type AmountOfBuys = "base" | "quote";

/** What is known about the unit without the response. */
export interface UnitHints {
  /** Stated by the profile. */
  readonly stated?: AmountOfBuys | undefined;
  /** Usual in the generation, whose services contradict their own documentation: no evidence by itself. */
  readonly usual: AmountOfBuys;
}

/** Figures of a match as reported. */
export interface MatchFigures {
  readonly amount: Decimal;
  /** Quote per base, above zero. */
  readonly rate: Decimal;
  /** In quote. Negative for a rebate. Some services leave out the part paid with credits. */
  readonly fee: Decimal;
  /** The part of the fee paid with credits. */
  readonly credit: Decimal;
}

/** The matches of one order in a response. */
export interface MatchedOrder<Match extends MatchFigures = MatchFigures> {
  readonly side: Side;
  readonly quote: string;
  readonly matches: readonly Match[];
  /** What a buy may spend in quote, if the order or the response states it. */
  readonly ordered?: Decimal | undefined;
  /** What a buy spent in quote, if the response states it. */
  readonly executed?: Decimal | undefined;
}

/** Bounds of a fee that is not zero, as shares of the value. Fees of this family are up to 0.3 %, plus a tax. */
const MIN_SHARE = new Decimal("0.00001");
const MAX_SHARE = new Decimal("0.01");
/** The most usual fees of the family. */
const USUAL_SHARES = [new Decimal("0.0025"), new Decimal("0.001")];
/** Fees that an account of the family may pay, by tier or promotion. */
const ORDINARY_SHARES = { least: new Decimal("0.0003"), most: new Decimal("0.004") };
/** A fee may be computed from a rounded amount, or from an amount that includes it. */
const TOLERANCE = new Decimal("0.02");
/** Some services charge the fee of a buy beyond its amount. */
const BEYOND_ORDERED = new Decimal("1.01");
/** Some services round fees to this many decimals, whatever the quote asset has. */
const MOST_FEE_DECIMALS = 2;
const QUANTITY_PLACES = 8;
const QUANTITY_UNIT = new Decimal("1e-8");
const NOTHING = new Decimal("0");
const UNITS: readonly AmountOfBuys[] = ["base", "quote"];

/** Quantity, value and fee of a match. */
export type FillFigures = Pick<Fill, "quantity" | "isQuantityAbout" | "value" | "fee">;

/**
 * The figures of each match of the orders in one response; undefined for a match that must not be summed. The returned fee
 * is what was charged in quote, without credits.
 *
 * Services contradict their own documentation on the unit of a buy's amount. The two readings differ by the rate, so the
 * evidence decides, strongest first: the order's own amount and possible fees; the other orders in the response, which have
 * the same unit; the profile; the usual unit of the generation, if it gives a usual fee and the other one a fee that no
 * service charges. Otherwise both readings fit, and none is used.
 */
export function figuresOfOrders(
  orders: readonly MatchedOrder[],
  hints: UnitHints,
): readonly (readonly (FillFigures | undefined)[])[] {
  const read = orders.map((order) => ({ order, possible: possibleUnits(order) }));
  const evident = new Set(
    read.flatMap(({ order, possible }) => (order.side === "buy" && possible.length === 1 ? possible : [])),
  );
  const common = evident.size === 1 ? [...evident][0] : undefined;
  const unitByEvidence = (possible: readonly AmountOfBuys[]): AmountOfBuys | undefined =>
    possible.length === 1
      ? possible[0]
      : [common, hints.stated].find((unit) => possible.some((each) => each === unit));
  const shares = read.flatMap(({ order, possible }) => sharesOf(order, unitByEvidence(possible)));
  return read.map(({ order, possible }) => {
    const unit =
      unitByEvidence(possible) ??
      (isOnlyUsual(order, possible, hints.usual, shares) ? hints.usual : undefined);
    return order.matches.map((match) => unit && figuresOf(match, order, unit, shares));
  });
}

/** The units that the order's amounts and fees allow. A match that fits neither unit is no evidence. */
function possibleUnits(order: MatchedOrder): readonly AmountOfBuys[] {
  if (order.side === "sell") return ["base"];
  const usable = { ...order, matches: usableMatches(order) };
  const within = UNITS.filter((unit) => !isBeyond(usable, unit));
  const equal = within.filter((unit) => isExecuted(usable, unit));
  const units = equal.length === 1 ? equal : within;
  return units.filter((unit) => usable.matches.every((match) => isPossible(match, unit, order)));
}

function usableMatches(order: MatchedOrder): readonly MatchFigures[] {
  return order.matches.filter((match) => UNITS.some((unit) => isPossible(match, unit, order)));
}

function isPossible(match: MatchFigures, unit: AmountOfBuys, order: MatchedOrder): boolean {
  if (isBeyond({ ...order, matches: [match] }, unit)) return false;
  const { amount, rate, fee, credit } = match;
  const value = valueOf(match, unit);
  const isFee = [fee, fee.plus(credit)].some((charged) => mayBeFeeOf(value, charged, order.quote));
  if (unit === "base") return isFee;
  return isFee && amount.gt(fee) && amount.minus(fee).div(rate).gte(QUANTITY_UNIT);
}

function valueOf({ amount, rate }: MatchFigures, unit: AmountOfBuys): Decimal {
  return unit === "base" ? amount.times(rate) : amount;
}

function mayBeFeeOf(value: Decimal, charged: Decimal, quote: string): boolean {
  const fee = charged.abs();
  if (fee.eq(NOTHING)) return true;
  const unit = roundingOf(fee, quote);
  return fee.minus(unit).lte(value.times(MAX_SHARE)) && fee.plus(unit).gte(value.times(MIN_SHARE));
}

/** Whether the matches would exceed the order. */
function isBeyond({ matches, ordered, quote }: MatchedOrder, unit: AmountOfBuys): boolean {
  if (!ordered) return false;
  return spentBy(matches, unit).gt(ordered.times(BEYOND_ORDERED).plus(dustOf(matches, quote)));
}

/** Whether the matches are what the order spent, with or without the fee, but for rounding. */
function isExecuted({ matches, executed, quote }: MatchedOrder, unit: AmountOfBuys): boolean {
  if (!executed) return false;
  const spent = spentBy(matches, unit);
  const fees = sumOf(matches.map(({ fee }) => fee));
  const isNear = (amount: Decimal): boolean => amount.minus(executed).abs().lte(dustOf(matches, quote));
  return isNear(spent) || isNear(spent.minus(fees));
}

/** In quote, with the fee. */
function spentBy(matches: readonly MatchFigures[], unit: AmountOfBuys): Decimal {
  return sumOf(
    matches.map((match) => (unit === "quote" ? match.amount : valueOf(match, unit).plus(match.fee))),
  );
}

function sumOf(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((sum, amount) => sum.plus(amount), NOTHING);
}

/** What rounding may leave: a unit of both assets per match, and for the remainder. */
function dustOf(matches: readonly MatchFigures[], quote: string): Decimal {
  const unit = new Decimal(`1e-${amountDecimals(quote)}`);
  return matches.reduce((sum, { rate }) => sum.plus(rate.times(QUANTITY_UNIT)).plus(unit), unit.times("2"));
}

/**
 * Whether, of two possible units, the generation's usual one gives a fee that the account or the family pays, and the other
 * one a fee that nobody pays.
 */
function isOnlyUsual(
  order: MatchedOrder,
  possible: readonly AmountOfBuys[],
  usual: AmountOfBuys,
  shares: readonly Decimal[],
): boolean {
  const known = [...USUAL_SHARES, ...shares];
  const usable = usableMatches(order);
  const isUsual = (match: MatchFigures): boolean =>
    feesOf(match).some((fee) => isShareOf(valueOf(match, usual), fee, known, order.quote));
  const isOrdinary = (match: MatchFigures, unit: AmountOfBuys): boolean =>
    feesOf(match).some((fee) => isOrdinaryFee(valueOf(match, unit), fee, order.quote));
  return (
    possible.includes(usual) &&
    usable.every(isUsual) &&
    possible.every((unit) => unit === usual || !usable.every((match) => isOrdinary(match, unit)))
  );
}

/** The fees that a match may mean, with credits or without, if there is one. */
function feesOf({ fee, credit }: MatchFigures): readonly Decimal[] {
  return [fee, fee.plus(credit)].filter((each) => each.gt(NOTHING));
}

function isOrdinaryFee(value: Decimal, fee: Decimal, quote: string): boolean {
  const unit = roundingOf(fee, quote);
  return (
    fee.plus(unit).gte(value.times(ORDINARY_SHARES.least)) &&
    fee.minus(unit).lte(value.times(ORDINARY_SHARES.most))
  );
}

/** The fees of the matches that show one, before credits, as shares of the value. */
function sharesOf({ matches }: MatchedOrder, unit: AmountOfBuys | undefined): readonly Decimal[] {
  if (!unit) return [];
  return matches
    .filter(({ fee, credit }) => fee.gt(NOTHING) && (credit.eq(NOTHING) || credit.eq(fee)))
    .map((match) => match.fee.div(valueOf(match, unit)));
}

function figuresOf(
  match: MatchFigures,
  order: MatchedOrder,
  unit: AmountOfBuys,
  shares: readonly Decimal[],
): FillFigures | undefined {
  if (order.side === "buy" && !isPossible(match, unit, order)) return undefined;
  const { amount, rate } = match;
  const fee = netFee(match, valueOf(match, unit), shares, order.quote);
  if (!fee) return undefined;
  if (unit === "base") return { quantity: amount, value: amount.times(rate), fee };
  const value = amount.minus(fee);
  const quantity = truncate(value.div(rate), QUANTITY_PLACES);
  // Whether the exchange rounds the quantity or the value is unknown: only one of the quantities may give this value.
  const isExact = quantity.times(rate).eq(value) && rate.times(QUANTITY_UNIT).gte(unitOf(value, order.quote));
  return { quantity, ...(!isExact && { isQuantityAbout: true }), value, fee };
}

/**
 * The part of the fee charged in quote; undefined if it is unclear whether the reported fee includes credits that paid a
 * part of it. Credits that equal the fee paid all of it, and higher ones cannot be included.
 */
function netFee(
  { fee, credit }: MatchFigures,
  value: Decimal,
  shares: readonly Decimal[],
  quote: string,
): Decimal | undefined {
  if (credit.eq(NOTHING) || credit.gt(fee)) return fee;
  if (credit.eq(fee)) return NOTHING;
  const isIncluded = isShareOf(value, fee, shares, quote);
  if (isIncluded === isShareOf(value, fee.plus(credit), shares, quote)) return undefined;
  return isIncluded ? fee.minus(credit) : fee;
}

function isShareOf(value: Decimal, fee: Decimal, shares: readonly Decimal[], quote: string): boolean {
  const unit = roundingOf(fee, quote);
  return shares.some((share) => {
    const expected = value.times(share);
    const relative = expected.times(TOLERANCE);
    return fee
      .minus(expected)
      .abs()
      .lte(relative.gt(unit) ? relative : unit);
  });
}

/** The unit that a value may be rounded to, at most. */
function unitOf(value: Decimal, quote: string): Decimal {
  return new Decimal(`1e-${Math.max(amountDecimals(quote), decimalsOf(plainText(value)))}`);
}

/** The unit that a fee is rounded to, at most: the finest of its decimals and the usual ones. */
function roundingOf(fee: Decimal, quote: string): Decimal {
  const places = Math.min(MOST_FEE_DECIMALS, amountDecimals(quote));
  return new Decimal(`1e-${Math.max(places, decimalsOf(plainText(fee)))}`);
}
