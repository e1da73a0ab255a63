import type { Figures } from "../../../market/numbers/figures.ts";
import type { BookStrings } from "../../../protocol/ticket.ts";
import type { FormTrade } from "../../../protocol/ticketBook.ts";
import { memoized } from "../../../market/numbers/memoized.ts";
import { element, make, setText } from "../../dom.ts";
import { filled } from "../../words.ts";
import { type ShownBook, shownSize } from "./shownBook.ts";

interface TradeListOptions {
  readonly strings: BookStrings;
  readonly figures: Figures;
  /** The editor's language. */
  readonly locale: string;
}

/** Recent public trades, newest first. Hidden until there are some. */
export class TradeList {
  readonly #options: TradeListOptions;
  readonly #times = memoized(
    (hourCycle: "h23" | "h12") =>
      new Intl.DateTimeFormat(this.#options.locale, {
        hour: "2-digit",
        minute: "2-digit",
        second: "2-digit",
        hourCycle,
        numberingSystem: "latn",
      }),
  );
  readonly #part = element("trades-part", HTMLElement);
  readonly #list = element("trades", HTMLElement);
  /** The rendered rows as text: trades change less often than the book. */
  #drawn = "";

  constructor(options: TradeListOptions) {
    this.#options = options;
  }

  draw(book: ShownBook | undefined): void {
    const { trades } = book ?? {};
    this.#part.hidden = !trades;
    if (!book || !trades) return;
    const text = JSON.stringify([trades, book.pricePlaces, book.sizePlaces, book.hourCycle]);
    if (text === this.#drawn) return;
    this.#drawn = text;
    setText("no-trades", trades.length === 0 ? this.#options.strings.noTrades : "");
    this.#list.replaceChildren(...trades.map((trade) => this.#row(trade, book)));
  }

  #row(
    { at, rate, size, side }: FormTrade,
    { base, pricePlaces, sizePlaces, hourCycle }: ShownBook,
  ): HTMLElement {
    const { figures, strings } = this.#options;
    const [time, price, quantity] = [
      this.#times(hourCycle).format(at),
      figures.price(rate, pricePlaces),
      figures.quantity(size),
    ];
    const shown = figures.quantity(shownSize(size, sizePlaces));
    const row = make("li", { className: side });
    const columns = [
      ["time", time],
      ["mark", side === "buy" ? "▲" : "▼"],
      ["price", price],
      ["size", shown + figures.trail(shown, sizePlaces)],
    ] as const;
    const words = filled(
      side === "buy" ? strings.boughtSpoken : strings.soldSpoken,
      time,
      `${quantity} ${base}`,
      price,
    );
    row.append(
      ...columns.map(([className, textContent]) =>
        make("span", { className, textContent, ariaHidden: "true" }),
      ),
      make("span", { className: "sr-only", textContent: words }),
    );
    return row;
  }
}
