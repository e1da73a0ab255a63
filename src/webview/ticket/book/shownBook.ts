import { Decimal, decimalsOf, plainText } from "../../../market/numbers/decimal.ts";
import type { FormQuote } from "../../../protocol/ticket.ts";
import type { FormBook } from "../../../protocol/ticketBook.ts";

/** A pair's book, with the minimum decimals of its columns. */
export interface ShownBook extends FormBook {
  readonly quote: string;
  readonly base: string;
  readonly pricePlaces: number;
  readonly sizePlaces: number;
}

/** Combines a book with its pair's quote. A column has as many decimals as its most precise visible figure. */
export function shownBook(book: FormBook, { quote, base, places }: FormQuote): ShownBook {
  const { asks, bids, trades = [] } = book;
  const [levels, prices] = [[...asks, ...bids], trades.map(({ rate }) => rate)];
  return {
    ...book,
    quote,
    base,
    pricePlaces: Math.max(places, finest([...levels.map(({ price }) => price), ...prices])),
    sizePlaces: sizePlaces([...levels, ...trades].map(({ size }) => size)),
  };
}

/** Significant digits of the largest visible size. More would be meaningless in a column. */
const SIZE_DIGITS = 8;

function sizePlaces(sizes: readonly string[]): number {
  const whole = Math.max(0, ...sizes.map((size) => size.split(".")[0]?.replace(/^0$/, "").length ?? 0));
  return Math.min(finest(sizes), Math.max(0, SIZE_DIGITS - whole));
}

/** A size with the decimals of its column, rounded up so that no level shows as zero. */
export function shownSize(size: string, places: number): string {
  return plainText(new Decimal(size).round(places, Decimal.roundUp));
}

/** A bar is full at this multiple of the median size, so that one large order does not flatten all other bars. */
const FULL_BAR = 4;

/** The size of a full bar: the largest level without an own order, but at most a few times the median of these. */
export function fullSize(levels: readonly { readonly size: string; readonly isOwn: boolean }[]): Decimal {
  const others = levels.filter(({ isOwn }) => !isOwn);
  const sizes = (others.length > 0 ? others : levels)
    .map(({ size }) => new Decimal(size))
    .toSorted((one, other) => one.cmp(other));
  const [largest, median] = [sizes.at(-1), sizes[Math.floor((sizes.length - 1) / 2)]];
  if (!largest || !median) return new Decimal("1");
  const most = median.times(String(FULL_BAR));
  return largest.lt(most) ? largest : most;
}

function finest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(decimalsOf));
}
