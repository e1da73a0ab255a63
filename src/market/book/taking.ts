import { Decimal } from "../numbers/decimal.ts";
import { isWorse, type LimitOrder } from "../order.ts";
import { MOST_LEVELS, offersTo, type Book } from "./book.ts";

/** The part of an order that its book fills at once, if the book stays as it is. */
export interface Taking {
  /** In base. */
  readonly base: Decimal;
  /** In quote, without the fee. */
  readonly quote: Decimal;
  /** Of the order, 0 to 1, cut off at 4 places. The rest waits in the book. */
  readonly share: Decimal;
  /** The rate of the first offer that is taken, quote per base. */
  readonly best: Decimal;
  /** The rate of the last one. */
  readonly worst: Decimal;
  /**
   * The average rate of what is taken. If the book goes on below its told levels, the rest of the order counts at the
   * order's own rate, because it may be filled there.
   */
  readonly average: Decimal;
  /** How much worse the average is than `best`, in percent to 2 places, never understated. */
  readonly slippagePercent: Decimal;
  /** The told levels end before the order does, and offers below them may fill more of it. */
  readonly isCut: boolean;
}

type Figures = Pick<LimitOrder, "side" | "amount" | "rate">;

const ONE = new Decimal("1");
const NOTHING = new Decimal("0");

/**
 * What an order would take from a book: the offers up to its rate, the best first. A bid pays its fee from its amount, so
 * less is spent on offers. "nothing" if no offer reaches the rate: then the whole order waits.
 */
export function takingOf({ side, amount, rate }: Figures, book: Book, feeShare: Decimal): Taking | "nothing" {
  const offers = offersTo(side, book);
  const wanted = side === "buy" ? amount.times(ONE.minus(feeShare)) : amount;
  let [rest, base, quote, taken] = [wanted, NOTHING, NOTHING, 0];
  for (const { price, size } of offers) {
    if (isWorse(price, rate, side) || rest.eq(NOTHING)) break;
    const whole = side === "buy" ? price.times(size) : size;
    const isWhole = whole.lte(rest);
    const part = isWhole ? whole : rest;
    const partBase = side === "sell" ? part : isWhole ? size : part.div(price);
    base = base.plus(partBase);
    quote = quote.plus(side === "sell" ? part.times(price) : part);
    rest = rest.minus(part);
    taken += 1;
  }
  const [first, last] = [offers[0], offers[taken - 1]];
  if (!first || !last || base.eq(NOTHING)) return "nothing";
  const isCut = rest.gt(NOTHING) && taken >= MOST_LEVELS && isWorse(rate, last.price, side);
  // One level has one rate. A quotient of cut-off decimals would be a little worse.
  const average =
    taken === 1 && !isCut
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

/** `more` is filled at its own rate as well. */
function averageOf(base: Decimal, quote: Decimal, more: Figures | undefined): Decimal {
  if (!more) return quote.div(base);
  const { side, amount, rate } = more;
  const [moreBase, moreQuote] = side === "buy" ? [amount.div(rate), amount] : [amount, amount.times(rate)];
  return quote.plus(moreQuote).div(base.plus(moreBase));
}
