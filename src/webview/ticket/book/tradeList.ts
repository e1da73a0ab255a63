import { html, render, type TemplateResult } from "lit-html";
import type { Figures } from "../../../market/numbers/figures.ts";
import type { BookStrings } from "../../../protocol/ticket.ts";
import type { FormTrade } from "../../../protocol/ticketBook.ts";
import { memoized } from "../../../market/numbers/memoized.ts";
import { element, setText } from "../../dom.ts";
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

  constructor(options: TradeListOptions) {
    this.#options = options;
  }

  draw(book: ShownBook | undefined): void {
    const { trades } = book ?? {};
    this.#part.hidden = !trades;
    if (!book || !trades) return;
    setText("no-trades", trades.length === 0 ? this.#options.strings.noTrades : "");
    render(
      trades.map((trade) => this.#row(trade, book)),
      this.#list,
    );
  }

  #row(
    { at, rate, size, side }: FormTrade,
    { base, pricePlaces, sizePlaces, hourCycle }: ShownBook,
  ): TemplateResult {
    const { figures, strings } = this.#options;
    const [time, price] = [this.#times(hourCycle).format(at), figures.price(rate, pricePlaces)];
    const shown = figures.quantity(shownSize(size, sizePlaces));
    const spoken = side === "buy" ? strings.boughtSpoken : strings.soldSpoken;
    return html`<li class=${side}>
      <span class="time" aria-hidden="true">${time}</span>
      <span class="mark" aria-hidden="true">${side === "buy" ? "▲" : "▼"}</span>
      <span class="price" aria-hidden="true">${price}</span>
      <span class="size" aria-hidden="true">${shown + figures.trail(shown, sizePlaces)}</span>
      <span class="sr-only">${filled(spoken, time, `${figures.quantity(size)} ${base}`, price)}</span>
    </li>`;
  }
}
