import type { Figures } from "../../../market/numbers/figures.ts";
import type { BookStrings } from "../../../protocol/ticket.ts";
import type { FormTrade } from "../../../protocol/ticketBook.ts";
import { element, setText } from "../../dom.ts";
import { filled } from "../../words.ts";
import type { ShownBook } from "./shownBook.ts";

interface TradeListOptions {
  readonly strings: BookStrings;
  readonly figures: Figures;
  /** The editor's language. */
  readonly locale: string;
}

/** The last trades of the market, the newest first. Hidden until some were told. */
export class TradeList {
  readonly #options: TradeListOptions;
  readonly #time: Intl.DateTimeFormat;
  readonly #part = element("trades-part", HTMLElement);
  readonly #list = element("trades", HTMLElement);
  /** The drawn rows, as text: trades change more rarely than the book. */
  #drawn = "";

  constructor(options: TradeListOptions) {
    this.#options = options;
    const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
    this.#time = new Intl.DateTimeFormat(options.locale, { ...clock, numberingSystem: "latn" });
  }

  draw(book: ShownBook | undefined): void {
    const { trades } = book ?? {};
    this.#part.hidden = !trades;
    if (!book || !trades) return;
    const text = JSON.stringify([trades, book.pricePlaces, book.sizePlaces, book.inverted]);
    if (text === this.#drawn) return;
    this.#drawn = text;
    setText("no-trades", trades.length === 0 ? this.#options.strings.noTrades : "");
    this.#list.classList.toggle("inverted", book.inverted);
    this.#list.replaceChildren(...trades.map((trade) => this.#row(trade, book)));
  }

  #row({ at, rate, size, side }: FormTrade, { base, pricePlaces, sizePlaces }: ShownBook): HTMLElement {
    const { figures, strings } = this.#options;
    const [time, price, quantity] = [
      this.#time.format(at),
      figures.price(rate, pricePlaces),
      figures.quantity(size),
    ];
    const row = document.createElement("li");
    row.className = side;
    const cells = [
      ["time", time],
      ["mark", side === "buy" ? "▲" : "▼"],
      ["price", price],
      ["size", quantity + figures.trail(quantity, sizePlaces)],
      [
        "said",
        filled(
          side === "buy" ? strings.boughtSpoken : strings.soldSpoken,
          time,
          `${quantity} ${base}`,
          price,
        ),
      ],
    ] as const;
    row.append(
      ...cells.map(([name, text]) => {
        const cell = document.createElement("span");
        cell.className = name;
        cell.textContent = text;
        if (name !== "said") cell.ariaHidden = "true";
        return cell;
      }),
    );
    return row;
  }
}
