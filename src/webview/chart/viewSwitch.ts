import type { ChartPageState } from "../../protocol/chart.ts";
import { element, focusInPage } from "../dom.ts";

interface ViewSwitchOptions {
  readonly view: ChartPageState["view"];
  readonly changed: () => void;
  readonly keysToggled: (shown: boolean) => void;
}

/** Switches between chart and table, and toggles the keyboard help below the chart. */
export class ViewSwitch {
  readonly #keysToggle = element("keys-toggle", HTMLButtonElement);
  readonly #tableToggle = element("table-toggle", HTMLButtonElement);
  #view: ChartPageState["view"];
  #isFocused = false;

  constructor({ view, changed, keysToggled }: ViewSwitchOptions) {
    this.#view = view;
    this.#showKeysToggle();
    this.#keysToggle.addEventListener("click", () => {
      const shown = this.#keysToggle.getAttribute("aria-expanded") !== "true";
      this.showKeys(shown);
      keysToggled(shown);
    });
    this.#tableToggle.addEventListener("click", () => {
      this.#view = this.#view === "table" ? "chart" : "table";
      changed();
    });
  }

  get view(): ChartPageState["view"] {
    return this.#view;
  }

  /** Shows the chosen view, or neither without candles. */
  show(hasCandles: boolean): void {
    const isTable = this.#view === "table";
    element("chart-view", HTMLElement).hidden = isTable || !hasCandles;
    element("table-view", HTMLElement).hidden = !isTable || !hasCandles;
    this.#tableToggle.setAttribute("aria-pressed", String(isTable));
    this.#showKeysToggle();
    if (hasCandles) this.#focusFirst(element(isTable ? "table-view" : "chart", HTMLElement));
  }

  showKeys(shown: boolean): void {
    this.#keysToggle.setAttribute("aria-expanded", String(shown));
    element("help", HTMLElement).hidden = !shown;
  }

  /** The keyboard help applies to the chart only. */
  #showKeysToggle(): void {
    this.#keysToggle.hidden = this.#view === "table";
  }

  /** Focuses the chart as soon as it shows something, so that keyboard shortcuts work at once. */
  #focusFirst(target: HTMLElement): void {
    if (this.#isFocused) return;
    this.#isFocused = true;
    if (document.activeElement === document.body) focusInPage(target);
  }
}
