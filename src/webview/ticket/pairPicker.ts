import { html, render } from "lit-html";
import { pairName } from "../../market/pair.ts";
import type { TicketSetup, PairRow } from "../../protocol/ticket.ts";
import { element } from "../dom.ts";
import { searchPairs } from "./pairSearch.ts";

/** Number of rows per Page Up and Page Down. */
const PAGE = 10;

/**
 * The pair input with its list, following the ARIA combobox pattern: typing filters, Up and Down move, Enter and click
 * choose, Escape keeps the pair. The focus stays in the input. A search without a match that the user enters or leaves is
 * reported, because the ticket then keeps the earlier pair.
 */
export class PairPicker {
  readonly #input = element("pair", HTMLInputElement);
  readonly #list = element("pair-list", HTMLElement);
  /** Announces to screen readers how many pairs match. */
  readonly #count = element("pair-count", HTMLElement);
  /** Shown below the input if the search finds nothing. */
  readonly #nothing = element("pair-nothing", HTMLElement);
  readonly #strings: TicketSetup["strings"];
  readonly #chosen: (symbol: string) => void;
  readonly #notFound: (typed: string) => void;
  #pairs: readonly PairRow[] = [];
  #shown: readonly PairRow[] = [];
  #active = -1;
  #symbol = "";
  /** Whether the input contains a search text instead of a pair. The list is then shown, or a note that it is empty. */
  #isOpen = false;

  constructor(
    strings: TicketSetup["strings"],
    act: { readonly chosen: (symbol: string) => void; readonly notFound: (typed: string) => void },
  ) {
    this.#strings = strings;
    this.#chosen = act.chosen;
    this.#notFound = act.notFound;
    const [input, list] = [this.#input, this.#list];
    input.addEventListener("focus", () => input.select());
    input.addEventListener("click", () => {
      input.select();
      this.#open("");
    });
    input.addEventListener("input", () => this.#open(input.value));
    input.addEventListener("keydown", (event) => this.#onKey(event));
    input.addEventListener("blur", () => {
      this.#reportNotFound();
      this.#close();
    });
    // A mouse press would take focus from the input.
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("click", ({ target }) => {
      const row = target instanceof Element ? target.closest("[role=option]") : null;
      const index = row ? [...list.children].indexOf(row) : -1;
      if (index >= 0) this.#choose(index);
    });
  }

  /** Sets the available pairs. Prices and changes in an open list are updated in place. */
  setPairs(pairs: readonly PairRow[]): void {
    const known = new Set(this.#pairs.map(({ symbol }) => symbol));
    // An open list keeps its order, so that the row under the pointer or keyboard does not become another pair.
    const isSame = pairs.length === known.size && pairs.every(({ symbol }) => known.has(symbol));
    this.#pairs = pairs;
    this.#input.placeholder = pairs.length > 0 ? this.#strings.choosePair : "";
    if (!this.#isOpen) this.#showName();
    else if (isSame) this.#repaint();
    else this.#open(this.#input.value);
  }

  /** Shows the chosen pair, listed or not; "" for none. */
  show(symbol: string): void {
    this.#symbol = symbol;
    if (!this.#isOpen) this.#showName();
  }

  pair(symbol: string): PairRow | undefined {
    return this.#pairs.find((pair) => pair.symbol === symbol);
  }

  #showName(): void {
    const pair = this.pair(this.#symbol);
    this.#input.value = pair ? pairName(pair) : this.#symbol;
  }

  #open(typed: string): void {
    const list = this.#list;
    this.#isOpen = true;
    this.#shown = searchPairs(this.#pairs, typed);
    this.#repaint();
    list.hidden = this.#shown.length === 0;
    this.#nothing.hidden = this.#shown.length > 0 || this.#pairs.length === 0;
    this.#input.setAttribute("aria-expanded", String(!list.hidden));
    this.#count.textContent = this.#strings.pairsFound.replace("{0}", String(this.#shown.length));
    const chosen = this.#shown.findIndex(({ symbol }) => symbol === this.#symbol);
    this.#activate(typed.trim() === "" ? chosen : 0);
  }

  #close(): void {
    this.#isOpen = false;
    this.#list.hidden = true;
    this.#nothing.hidden = true;
    this.#count.textContent = "";
    this.#input.setAttribute("aria-expanded", "false");
    this.#input.removeAttribute("aria-activedescendant");
    this.#showName();
  }

  /** Updates the rows in place, so that the active one stays under the pointer or keyboard. */
  #repaint(): void {
    this.#shown = this.#shown.map(({ symbol, ...row }) => this.pair(symbol) ?? { symbol, ...row });
    render(
      this.#shown.map(
        (pair, index) =>
          html`<li id="pair-option-${index}" role="option" aria-selected=${index === this.#active}>
            <span class="name">${pairName(pair)}</span><span class="last">${pair.last}</span
            ><span class="change">${pair.frozen ? this.#strings.frozen : pair.change}</span>
          </li>`,
      ),
      this.#list,
    );
  }

  #activate(index: number): void {
    this.#active = index;
    this.#repaint();
    const row = this.#list.children[index];
    if (row) this.#input.setAttribute("aria-activedescendant", row.id);
    else this.#input.removeAttribute("aria-activedescendant");
    row?.scrollIntoView({ block: "nearest" });
  }

  /** Moves the note about a search without a match to the field's error, which stays when the list closes. */
  #reportNotFound(): void {
    if (this.#nothing.hidden) return;
    this.#nothing.hidden = true;
    this.#notFound(this.#input.value.trim());
  }

  /** Chooses the pair of a row; none if the search found none. */
  #choose(index: number): void {
    const pair = this.#shown[index];
    if (!pair) return this.#reportNotFound();
    this.#symbol = pair.symbol;
    this.#close();
    this.#chosen(pair.symbol);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const act = this.#actOf(event.key);
    if (!act) return;
    act();
    event.preventDefault();
    // The key was meant for the list, so the ticket must not handle it too.
    event.stopPropagation();
  }

  #actOf(key: string): (() => void) | undefined {
    const last = this.#shown.length - 1;
    const to = (index: number) => () => this.#activate(Math.min(last, Math.max(0, index)));
    if (!this.#isOpen) {
      return ["ArrowDown", "ArrowUp", "Enter"].includes(key) ? () => this.#open("") : undefined;
    }
    switch (key) {
      case "ArrowDown":
        return to(this.#active === last ? 0 : this.#active + 1);
      case "ArrowUp":
        return to(this.#active <= 0 ? last : this.#active - 1);
      case "PageDown":
        return to(this.#active + PAGE);
      case "PageUp":
        return to(this.#active - PAGE);
      case "Enter":
        return () => this.#choose(this.#active);
      case "Escape":
        return () => this.#close();
      default:
        return undefined;
    }
  }
}
