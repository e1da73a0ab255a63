import type { ChartPageState } from "../../protocol/chart.ts";
import { element, focusInPage } from "../dom.ts";

/** Switches between chart and table, and shows the list of the chart's keys. */
export class ViewSwitch {
  readonly #keysToggle = element("keys-toggle", HTMLButtonElement);
  readonly #tableToggle = element("table-toggle", HTMLButtonElement);
  readonly #chart = element("chart", HTMLElement);
  readonly #help = element("help", HTMLElement);
  /** Items of the menu for what the table does not have. */
  readonly #ofChart = [
    "draw-level",
    "draw-trend",
    "fit",
    "log-scale",
    "copy-picture",
    "picture",
    "keys-toggle",
  ].map((id) => element(id, HTMLButtonElement));
  #view: ChartPageState["view"];
  #isFocused = false;

  constructor(view: ChartPageState["view"], changed: () => void) {
    this.#view = view;
    this.#keysToggle.addEventListener("click", () => {
      this.#toggleKeys();
      this.#chart.focus();
    });
    this.#tableToggle.addEventListener("click", () => {
      this.#view = this.#view === "table" ? "chart" : "table";
      changed();
    });
    this.#chart.addEventListener("keydown", ({ key }) => {
      if (key === "?") this.#toggleKeys();
      if (key === "Escape") this.#showKeys(false);
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
    this.#tableToggle.ariaChecked = String(isTable);
    for (const item of this.#ofChart) item.hidden = isTable || !hasCandles;
    if (hasCandles) this.#focusFirst(isTable ? element("table-view", HTMLElement) : this.#chart);
  }

  #toggleKeys(): void {
    this.#showKeys(this.#keysToggle.ariaChecked !== "true");
  }

  #showKeys(shown: boolean): void {
    this.#keysToggle.ariaChecked = String(shown);
    this.#help.hidden = !shown;
  }

  /** Focuses the chart as soon as it shows something, so that keyboard shortcuts work at once. */
  #focusFirst(target: HTMLElement): void {
    if (this.#isFocused) return;
    this.#isFocused = true;
    if (document.activeElement === document.body) focusInPage(target);
  }
}
