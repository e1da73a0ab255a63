import type { Candle } from "../../market/candle.ts";
import { make } from "../dom.ts";

/**
 * The candles as a table, newest first, with the same data as the chart. Its hundreds of rows are created only while it is
 * visible, because they would delay the first frame of every chart.
 */
export class ChartTable {
  readonly #view: HTMLElement;
  readonly #rows: HTMLElement;
  readonly #cells: (candle: Candle, index: number) => readonly string[];
  #newest: number | undefined;
  #isShown = false;
  /** Changes not yet rendered, because the table is hidden. */
  #due: readonly Candle[] | undefined;

  /** `view` scrolls the rows; `cells` returns the texts of a candle's row, time first. */
  constructor(
    view: HTMLElement,
    rows: HTMLElement,
    cells: (candle: Candle, index: number) => readonly string[],
  ) {
    this.#view = view;
    this.#rows = rows;
    this.#cells = cells;
  }

  /** Calls `listener` when less than a page is left to scroll to the oldest row. */
  onDidReachOldest(listener: () => void): void {
    this.#view.addEventListener("scroll", () => {
      const { scrollTop, scrollHeight, clientHeight } = this.#view;
      if (scrollHeight - scrollTop < 2 * clientHeight) listener();
    });
  }

  setShown(isShown: boolean): void {
    this.#isShown = isShown;
    if (isShown && this.#due) this.setCandles(this.#due);
  }

  setCandles(candles: readonly Candle[]): void {
    this.#due = this.#isShown ? undefined : candles;
    if (!this.#isShown) return;
    this.#newest = candles.at(-1)?.time;
    this.#rows.replaceChildren(...candles.map((candle, index) => this.#row(candle, index)).toReversed());
  }

  /** Call when the newest candle has changed, or one was appended. */
  setNewest(candles: readonly Candle[]): void {
    const candle = candles.at(-1);
    if (!this.#isShown) this.#due = candles;
    if (!this.#isShown || !candle) return;
    const row = this.#row(candle, candles.length - 1);
    const first = this.#rows.firstElementChild;
    if (first && candle.time === this.#newest) first.replaceWith(row);
    else this.#rows.prepend(row);
    this.#newest = candle.time;
  }

  #row(candle: Candle, index: number): HTMLTableRowElement {
    const row = document.createElement("tr");
    const [time = "", ...figures] = this.#cells(candle, index);
    row.append(
      make("th", { scope: "row", textContent: time }),
      ...figures.map((textContent) => make("td", { textContent })),
    );
    return row;
  }
}
