import { Decimal, decimalsOf, plainText } from "../../../market/numbers/decimal.ts";
import type { FormQuote } from "../../../protocol/ticket.ts";
import type { FormBook } from "../../../protocol/ticketBook.ts";

/** The book of a pair, and the decimals that its columns have at least. */
export interface ShownBook extends FormBook {
  readonly quote: string;
  readonly base: string;
  readonly pricePlaces: number;
  readonly sizePlaces: number;
}

/** A book of the pair of a quote. The decimals are those of the finest figure on screen. */
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

/** The digits of the largest size on screen: more than these say nothing in a column. */
const SIZE_DIGITS = 8;

function sizePlaces(sizes: readonly string[]): number {
  const whole = Math.max(0, ...sizes.map((size) => size.split(".")[0]?.replace(/^0$/, "").length ?? 0));
  return Math.min(finest(sizes), Math.max(0, SIZE_DIGITS - whole));
}

/** A size with the decimals of its column. It is rounded up, so that no offer is shown as nothing. */
export function shownSize(size: string, places: number): string {
  return plainText(new Decimal(size).round(places, Decimal.roundUp));
}

/** A bar is full at this multiple of the usual size: one large order must not flatten all other bars. */
const FULL_BAR = 4;

/** The size of a full bar: of the offers of others, at most a few times their median. */
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
