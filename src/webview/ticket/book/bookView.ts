import type { Figures } from "../../../market/numbers/figures.ts";
import type { FormQuote, TicketSetup } from "../../../protocol/ticket.ts";
import type { FormBook, FormBookFill } from "../../../protocol/ticketBook.ts";
import { element, setText } from "../../dom.ts";
import { filled } from "../../words.ts";
import { Ladder } from "./ladder.ts";
import { shownBook, type ShownBook } from "./shownBook.ts";
import { TradeList } from "./tradeList.ts";

interface BookViewOptions {
  readonly figures: Figures;
  readonly strings: TicketSetup["strings"];
  /** The user chose a level: its price becomes the rate. */
  readonly choose: (price: string) => void;
}

/**
 * The order book beside the form: ladder, spread and recent trades, and the draft's immediate fill. Hidden if the exchange
 * offers no book. A book and a quote that arrive together are rendered once.
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
        setText("ladder-spoken", filled(strings.book.rateTaken, figures.price(price, 0)));
      },
    });
    this.#trades = new TradeList({ figures, strings: strings.book, locale: document.documentElement.lang });
  }

  setOffered(isOffered: boolean): void {
    element("book", HTMLElement).hidden = !isOffered;
    document.body.classList.toggle("has-book", isOffered);
    for (const row of document.querySelectorAll<HTMLElement>(".of-book")) row.hidden = !isOffered;
  }

  /** Shows the book of the quote's pair, rendered once at the end of this task; nothing until the pair has both. */
  show(book: FormBook | undefined, quote: FormQuote | undefined): void {
    this.#book = book && quote && shownBook(book, quote);
    if (this.#isDrawDue) return;
    this.#isDrawDue = true;
    queueMicrotask(() => {
      this.#isDrawDue = false;
      this.#draw();
    });
  }

  /** The draft's immediate fill; undefined if unknown. */
  showFill(bookFill: FormBookFill | undefined): void {
    const { noTotals } = this.#strings;
    setText("book-fill-share", bookFill?.share ?? noTotals);
    setText("book-fill-average", bookFill?.average || noTotals);
    setText("book-fill-slippage", bookFill?.slippage || noTotals);
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
