import { decimalsOf } from "../../../market/numbers/decimal.ts";
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
    sizePlaces: finest([...levels, ...trades].map(({ size }) => size)),
  };
}

function finest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(decimalsOf));
}
