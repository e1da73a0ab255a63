import type { Candle } from "../market/candle.ts";

/** A candle as the cells of a row: its time first. */
export type CandleCells = (candle: Candle) => readonly string[];

/** The candles as a table, newest first: the same as the picture, for those who read it. */
export class ChartTable {
  readonly #rows: HTMLElement;
  readonly #cells: CandleCells;
  #newest: number | undefined;

  constructor(rows: HTMLElement, cells: CandleCells) {
    this.#rows = rows;
    this.#cells = cells;
  }

  setCandles(candles: readonly Candle[]): void {
    this.#newest = candles.at(-1)?.time;
    this.#rows.replaceChildren(...candles.toReversed().map((candle) => this.#row(candle)));
  }

  setNewest(candle: Candle): void {
    const row = this.#row(candle);
    const first = this.#rows.firstElementChild;
    if (first && candle.time === this.#newest) first.replaceWith(row);
    else this.#rows.prepend(row);
    this.#newest = candle.time;
  }

  #row(candle: Candle): HTMLTableRowElement {
    const row = document.createElement("tr");
    for (const [index, text] of this.#cells(candle).entries()) {
      const cell = document.createElement(index === 0 ? "th" : "td");
      if (index === 0) cell.scope = "row";
      cell.textContent = text;
      row.append(cell);
    }
    return row;
  }
}
