import type { Figures } from "../../../market/numbers/figures.ts";
import type { FormQuote, TicketSetup } from "../../../protocol/ticket.ts";
import type { FormBook, FormTaking } from "../../../protocol/ticketBook.ts";
import { element, setText } from "../../dom.ts";
import { filled } from "../../words.ts";
import { Ladder } from "./ladder.ts";
import { shownBook, type ShownBook } from "./shownBook.ts";
import { TradeList } from "./tradeList.ts";

interface BookViewOptions {
  readonly figures: Figures;
  readonly strings: TicketSetup["strings"];
  /** The person chose a level: its price becomes the rate. */
  readonly choose: (price: string) => void;
}

/**
 * The order book beside the form: ladder, spread and last trades, and what the draft takes from the book. Hidden where the
 * exchange offers no book. A book and a quote that come together are drawn once.
 */
export class BookView {
  readonly #strings: TicketSetup["strings"];
  readonly #keysText: string;
  readonly #ladder: Ladder;
  readonly #trades: TradeList;
  #book: ShownBook | undefined;
  #isDrawDue = false;

  constructor({ figures, strings, choose }: BookViewOptions) {
    this.#strings = strings;
    this.#keysText = element("book-note", HTMLElement).textContent ?? "";
    this.#ladder = new Ladder({
      figures,
      strings: strings.book,
      choose: (price) => {
        choose(price);
        setText("ladder-said", filled(strings.book.rateTaken, figures.price(price, 0)));
      },
    });
    this.#trades = new TradeList({ figures, strings: strings.book, locale: document.documentElement.lang });
  }

  /** Whether the exchange offers a book at all. */
  setOffered(isOffered: boolean): void {
    element("book", HTMLElement).hidden = !isOffered;
    document.body.classList.toggle("has-book", isOffered);
    for (const row of document.querySelectorAll<HTMLElement>(".of-book")) row.hidden = !isOffered;
  }

  /** Shows the book of the quote's pair, drawn once at the end of this task; nothing while the pair has no quote or no book yet. */
  show(book: FormBook | undefined, quote: FormQuote | undefined): void {
    this.#book = book && quote && shownBook(book, quote);
    if (this.#isDrawDue) return;
    this.#isDrawDue = true;
    queueMicrotask(() => {
      this.#isDrawDue = false;
      this.#draw();
    });
  }

  /** What the draft takes from the book; undefined: not known. */
  showTaking(taking: FormTaking | undefined): void {
    const { noTotals } = this.#strings;
    setText("taking-share", taking?.share ?? noTotals);
    setText("taking-average", taking?.average || noTotals);
    setText("taking-slippage", taking?.slippage || noTotals);
  }

  #draw(): void {
    const book = this.#book;
    setText("book-price-unit", book ? `(${book.quote})` : "");
    setText("book-size-unit", book ? `(${book.base})` : "");
    setText("book-note", book?.note || this.#keysText);
    this.#ladder.draw(book);
    this.#trades.draw(book);
  }
}
