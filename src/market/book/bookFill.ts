import { Decimal } from "../numbers/decimal.ts";
import { isWorse, type LimitOrder } from "../order.ts";
import { MAX_LEVELS, offersTo, type Book } from "./book.ts";

/** The part of an order that its book would fill immediately, if the book does not change. */
export interface BookFill {
  /** In base. */
  readonly base: Decimal;
  /** In quote, without the fee. */
  readonly quote: Decimal;
  /** Filled share of the order, 0 to 1, truncated to 4 places. The rest waits in the book. */
  readonly share: Decimal;
  /** Rate of the first level filled, quote per base. */
  readonly best: Decimal;
  /** Rate of the last level filled. */
  readonly worst: Decimal;
  /**
   * Average rate of the fill. If the book may continue below the reported levels, the rest of the order counts at its
   * own rate, because it may be filled there.
   */
  readonly average: Decimal;
  /** How much worse the average is than `best`, in percent, rounded up to 2 places. */
  readonly slippagePercent: Decimal;
  /** The reported levels end before the order is filled, and further levels may fill more of it. */
  readonly isCut: boolean;
}

type Figures = Pick<LimitOrder, "side" | "amount" | "rate">;

const ONE = new Decimal("1");
const ZERO = new Decimal("0");

/**
 * Computes the immediate fill of an order: all levels up to its rate, best first. A bid's fee is deducted from its
 * amount, so less is spent on levels. "nothing" if no level reaches the rate.
 */
export function fillFromBook(
  { side, amount, rate }: Figures,
  book: Book,
  feeShare: Decimal,
): BookFill | "nothing" {
  const offers = offersTo(side, book);
  const wanted = side === "buy" ? amount.times(ONE.minus(feeShare)) : amount;
  let [rest, base, quote, levelCount] = [wanted, ZERO, ZERO, 0];
  for (const { price, size } of offers) {
    if (isWorse(price, rate, side) || rest.eq(ZERO)) break;
    const whole = side === "buy" ? price.times(size) : size;
    const isWhole = whole.lte(rest);
    const part = isWhole ? whole : rest;
    const partBase = side === "sell" ? part : isWhole ? size : part.div(price);
    base = base.plus(partBase);
    quote = quote.plus(side === "sell" ? part.times(price) : part);
    rest = rest.minus(part);
    levelCount += 1;
  }
  const [first, last] = [offers[0], offers[levelCount - 1]];
  if (!first || !last || base.eq(ZERO)) return "nothing";
  const isCut = rest.gt(ZERO) && levelCount >= MAX_LEVELS && isWorse(rate, last.price, side);
  // A single level has an exact rate; a quotient of truncated decimals would be slightly worse.
  const average =
    levelCount === 1 && !isCut
      ? first.price
      : averageOf(base, quote, isCut ? { side, amount: rest, rate } : undefined);
  return {
    base,
    quote,
    share: wanted.minus(rest).div(wanted).round(4, Decimal.roundDown),
    best: first.price,
    worst: last.price,
    average,
    slippagePercent: average.minus(first.price).abs().times("100").div(first.price).round(2, Decimal.roundUp),
    isCut,
  };
}

/** Averages the fill together with `more`, which counts at its own rate. */
function averageOf(base: Decimal, quote: Decimal, more: Figures | undefined): Decimal {
  if (!more) return quote.div(base);
  const { side, amount, rate } = more;
  const [moreBase, moreQuote] = side === "buy" ? [amount.div(rate), amount] : [amount, amount.times(rate)];
  return quote.plus(moreQuote).div(base.plus(moreBase));
}
