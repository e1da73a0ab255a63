import type * as vscode from "vscode";
import { Disposable } from "../../desk/disposable.ts";
import type { Timers } from "../../time/timers.ts";
import { TimedText } from "./timedText.ts";

/** Check interval: rows may be a few seconds late. */
const CHECK_MS = 10_000;

interface TimedRowsOptions<Row> {
  readonly view: vscode.TreeView<Row>;
  readonly timers: Timers;
  readonly textOf: (row: Row) => string;
  readonly repaint: (rows: Row[]) => void;
}

/** Repaints rows whose text changes with time only, while the tree is visible. */
export class TimedRows<Row> extends Disposable {
  readonly #options: TimedRowsOptions<Row>;
  readonly #painted = new Map<Row, string>();
  readonly #times: TimedText;

  constructor(options: TimedRowsOptions<Row>) {
    super();
    this.#options = options;
    this.#times = new TimedText(options.timers, () => this.#repaintChanged());
    this.register(
      options.view.onDidChangeVisibility(() => this.#followVisibility()),
      () => this.#times.hide(),
    );
    this.#followVisibility();
  }

  /** Call when a row was painted with this text. */
  note(row: Row, text: string): void {
    this.#painted.set(row, text);
  }

  /** Call when all rows are replaced. */
  clear(): void {
    this.#painted.clear();
  }

  #followVisibility(): void {
    if (this.#options.view.visible) this.#times.show();
    else this.#times.hide();
  }

  #repaintChanged(): number {
    const { textOf, repaint } = this.#options;
    const changed = [...this.#painted].filter(([row, text]) => textOf(row) !== text).map(([row]) => row);
    for (const row of changed) this.#painted.set(row, textOf(row));
    if (changed.length > 0) repaint(changed);
    return CHECK_MS;
  }
}
