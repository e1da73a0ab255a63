import { Decimal } from "../../../market/numbers/decimal.ts";
import type { Figures } from "../../../market/numbers/figures.ts";
import type { BookStrings } from "../../../protocol/ticket.ts";
import { type FormLevel, SHOWN_LEVELS } from "../../../protocol/ticketBook.ts";
import { element, make, setText } from "../../dom.ts";
import { filled } from "../../words.ts";
import { fullSize, type ShownBook, shownSize } from "./shownBook.ts";

/** Number of levels per Page Up and Page Down. */
const PAGE = 5;

type BookSide = "asks" | "bids";

interface LadderOptions {
  readonly strings: BookStrings;
  readonly figures: Figures;
  readonly choose: (price: string) => void;
}

/** Position of a level: `index` counts from the best one. */
interface LevelPosition {
  readonly side: BookSide;
  readonly index: number;
  readonly price: string;
}

/**
 * The order book as a list, following the ARIA listbox pattern: worst ask first, worst bid last, best of both in the
 * middle. Arrow keys move, Enter and click choose. The active level keeps its price while the book changes around it,
 * so that Enter chooses the price that the user read.
 */
export class Ladder {
  readonly #options: LadderOptions;
  readonly #list = element("ladder", HTMLElement);
  readonly #groups = { asks: element("asks", HTMLElement), bids: element("bids", HTMLElement) };
  readonly #rows = { asks: rowsOf("ask"), bids: rowsOf("bid") };
  #book: ShownBook | undefined;
  #active: LevelPosition | undefined;
  /** The level under the pointer at mousedown. Levels may move before the click. */
  #pressed: LevelPosition | undefined;

  constructor(options: LadderOptions) {
    this.#options = options;
    this.#groups.asks.append(...this.#rows.asks.toReversed());
    this.#groups.bids.append(...this.#rows.bids);
    this.#list.addEventListener("keydown", (event) => this.#onKey(event));
    this.#list.addEventListener("focus", () => {
      if (!this.#active && !this.#pressed)
        this.#activate(this.#positions[this.#book?.asks.length ?? 0] ?? this.#positions.at(-1));
    });
    this.#list.addEventListener("pointerdown", ({ target }) => {
      this.#pressed = this.#placeOf(target);
      if (this.#pressed) this.#activate(this.#pressed);
    });
    this.#list.addEventListener("click", () => {
      if (this.#pressed) options.choose(this.#pressed.price);
      this.#pressed = undefined;
    });
    this.draw(undefined);
  }

  /** Renders a book; undefined if none is known. */
  draw(book: ShownBook | undefined): void {
    this.#book = book;
    const { strings } = this.#options;
    const count = (book?.asks.length ?? 0) + (book?.bids.length ?? 0);
    const full = fullSize([...(book?.asks ?? []), ...(book?.bids ?? [])]);
    for (const side of ["asks", "bids"] as const) {
      const levels = book?.[side] ?? [];
      for (const [index, row] of this.#rows[side].entries()) {
        const level = levels[index];
        row.hidden = !level;
        if (level && book) this.#drawRow(row, side, level, full, book);
      }
      const isEmpty = count > 0 && levels.length === 0;
      const [some, none] = side === "asks" ? [strings.asks, strings.noAsks] : [strings.bids, strings.noBids];
      this.#groups[side].ariaLabel = isEmpty ? none : some;
      this.#groups[side].dataset["empty"] = isEmpty ? none : "";
    }
    this.#list.ariaBusy = String(count === 0);
    this.#list.classList.toggle("old", book?.isOld === true);
    this.#drawSpread(book, count > 0);
    if (this.#active) this.#activate(this.#samePosition(this.#active));
  }

  #drawRow(
    row: HTMLElement,
    side: BookSide,
    { price: priceText, size: sizeText, isOwn }: FormLevel,
    full: Decimal,
    { quote, base, pricePlaces, sizePlaces }: ShownBook,
  ): void {
    const { figures, strings } = this.#options;
    const [bar, mark, price, size, spoken] = row.children;
    if (!(bar instanceof HTMLElement) || !mark || !price || !size || !spoken) return;
    const [priceFigure, sizeFigure] = [figures.price(priceText, pricePlaces), figures.quantity(sizeText)];
    bar.style.width = `${Math.min(100, Number(new Decimal(sizeText).div(full).times("100").toFixed(1)))}%`;
    setText(mark, isOwn ? "●" : "");
    setText(price, priceFigure);
    const shown = figures.quantity(shownSize(sizeText, sizePlaces));
    setText(size, shown + figures.trail(shown, sizePlaces));
    const words = filled(
      side === "asks" ? strings.askSpoken : strings.bidSpoken,
      priceFigure,
      quote,
      sizeFigure,
      base,
    );
    setText(spoken, isOwn ? `${words}, ${strings.yourOrder}` : words);
    row.classList.toggle("own", isOwn);
    row.title = isOwn ? strings.yourOrder : "";
  }

  #drawSpread(book: ShownBook | undefined, hasLevels: boolean): void {
    const { strings, figures } = this.#options;
    const spread = book?.spread;
    const none = hasLevels ? strings.noSpread : "";
    const text =
      book && spread
        ? filled(
            strings.spread,
            figures.price(spread.quote, book.pricePlaces),
            figures.percent(spread.percent),
          )
        : none;
    setText("spread", text);
    setText("spread-spoken", text);
  }

  get #positions(): readonly LevelPosition[] {
    const of = (side: BookSide): LevelPosition[] =>
      (this.#book?.[side] ?? []).map(({ price }, index) => ({ side, index, price }));
    return [...of("asks").toReversed(), ...of("bids")];
  }

  /** The level at the same price; if that is gone, the one at the same index, or the last of its side. */
  #samePosition({ side, index, price }: LevelPosition): LevelPosition | undefined {
    const places = this.#positions.filter((each) => each.side === side);
    const least = places.toSorted((a, b) => a.index - b.index);
    return places.find((each) => each.price === price) ?? least[Math.min(index, least.length - 1)];
  }

  #placeOf(target: EventTarget | null): LevelPosition | undefined {
    const row = target instanceof Element ? target.closest("[role=option]") : null;
    return this.#positions.find(({ side, index }) => this.#rows[side][index] === row);
  }

  #activate(position: LevelPosition | undefined): void {
    this.#active = position;
    const active = position && this.#rows[position.side][position.index];
    for (const row of [...this.#rows.asks, ...this.#rows.bids]) row.ariaSelected = String(row === active);
    if (active) this.#list.setAttribute("aria-activedescendant", active.id);
    else this.#list.removeAttribute("aria-activedescendant");
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const places = this.#positions;
    const now = places.findIndex(
      ({ side, index }) => side === this.#active?.side && index === this.#active.index,
    );
    const to = {
      ArrowDown: now + 1,
      ArrowUp: now - 1,
      PageDown: now + PAGE,
      PageUp: now - PAGE,
      Home: 0,
      End: Infinity,
    }[event.key];
    const isChoice = event.key === "Enter" || event.key === " ";
    if (to === undefined && !isChoice) return;
    event.preventDefault();
    if (to === undefined) {
      if (this.#active) this.#options.choose(this.#active.price);
      return;
    }
    const next = places[Math.max(0, Math.min(places.length - 1, to))];
    this.#activate(next);
    if (next) this.#rows[next.side][next.index]?.scrollIntoView({ block: "nearest" });
  }
}

function rowsOf(name: string): readonly HTMLElement[] {
  return Array.from({ length: SHOWN_LEVELS }, (_, index) => {
    const row = make("div", { id: `${name}-${index}`, className: "level" });
    row.setAttribute("role", "option");
    // Screen readers read the sentence, not the columns.
    const columns = ["bar", "mark", "price", "size"].map((className) =>
      make("span", { className, ariaHidden: "true" }),
    );
    row.append(...columns, make("span", { className: "sr-only" }));
    return row;
  });
}
