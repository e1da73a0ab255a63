import { html, render, type TemplateResult } from "lit-html";
import { Decimal } from "../../../market/numbers/decimal.ts";
import type { Figures } from "../../../market/numbers/figures.ts";
import type { BookStrings } from "../../../protocol/ticket.ts";
import { type FormLevel, SHOWN_LEVELS } from "../../../protocol/ticketBook.ts";
import { element, setText } from "../../dom.ts";
import { filled } from "../../words.ts";
import { fullSize, type ShownBook, shownSize } from "./shownBook.ts";

/** Rows without a level are hidden, not removed: a click needs the row on which the pointer went down. */
const INDEXES = Array.from({ length: SHOWN_LEVELS }, (_, index) => index);

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
  #book: ShownBook | undefined;
  #active: LevelPosition | undefined;
  /** The level under the pointer at mousedown. Levels may move before the click. */
  #pressed: LevelPosition | undefined;

  constructor(options: LadderOptions) {
    this.#options = options;
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
    for (const side of ["asks", "bids"] as const) {
      const isEmpty = count > 0 && (book?.[side] ?? []).length === 0;
      const [some, none] = side === "asks" ? [strings.asks, strings.noAsks] : [strings.bids, strings.noBids];
      this.#groups[side].ariaLabel = isEmpty ? none : some;
      this.#groups[side].dataset["empty"] = isEmpty ? none : "";
    }
    this.#list.ariaBusy = String(count === 0);
    this.#list.classList.toggle("old", book?.isOld === true);
    this.#drawSpread(book, count > 0);
    this.#activate(this.#active && this.#samePosition(this.#active));
  }

  #drawRows(): void {
    const book = this.#book;
    const full = fullSize([...(book?.asks ?? []), ...(book?.bids ?? [])]);
    const rows = (side: BookSide): TemplateResult[] =>
      INDEXES.map((index) => this.#row({ side, index }, book?.[side][index], full));
    render(rows("asks").toReversed(), this.#groups.asks);
    render(rows("bids"), this.#groups.bids);
  }

  #row(
    { side, index }: Pick<LevelPosition, "side" | "index">,
    level: FormLevel | undefined,
    full: Decimal,
  ): TemplateResult {
    const { figures, strings } = this.#options;
    const { price = "0", size = "0", isOwn = false } = level ?? {};
    const { quote = "", base = "", pricePlaces = 0, sizePlaces = 0 } = this.#book ?? {};
    const priceFigure = figures.price(price, pricePlaces);
    const shown = figures.quantity(shownSize(size, sizePlaces));
    const width = Math.min(100, Number(new Decimal(size).div(full).times("100").toFixed(1)));
    const spoken = side === "asks" ? strings.askSpoken : strings.bidSpoken;
    const words = filled(spoken, priceFigure, quote, figures.quantity(size), base);
    const own = isOwn ? strings.yourOrder : "";
    const isActive = this.#active?.side === side && this.#active.index === index;
    // Screen readers read the sentence, not the columns. The policy of the page forbids a style attribute.
    return html`<div
      id=${idOf({ side, index })}
      class="level ${isOwn ? "own" : ""}"
      role="option"
      title=${own}
      aria-selected=${isActive}
      ?hidden=${!level}
    >
      <span class="bar" aria-hidden="true" .style=${`width: ${width}%`}></span>
      <span class="mark" aria-hidden="true">${isOwn ? "●" : ""}</span>
      <span class="price" aria-hidden="true">${priceFigure}</span>
      <span class="size" aria-hidden="true">${shown + figures.trail(shown, sizePlaces)}</span>
      <span class="sr-only">${isOwn ? `${words}, ${own}` : words}</span>
    </div>`;
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
    return this.#positions.find((each) => idOf(each) === row?.id);
  }

  #activate(position: LevelPosition | undefined): void {
    this.#active = position;
    this.#drawRows();
    if (position) this.#list.setAttribute("aria-activedescendant", idOf(position));
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
    if (next) element(idOf(next), HTMLElement).scrollIntoView({ block: "nearest" });
  }
}

function idOf({ side, index }: Pick<LevelPosition, "side" | "index">): string {
  return `${side === "asks" ? "ask" : "bid"}-${index}`;
}
