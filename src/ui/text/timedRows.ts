import type * as vscode from "vscode";
import { Disposable } from "../../desk/disposable.ts";
import type { Timers } from "../../desk/time/timers.ts";
import { TimedText } from "./timedText.ts";

/** Rows show times of day and states that end: a delay of a few seconds is fine. */
const CHECK_MS = 10_000;

export interface TimedRowsOptions<Row> {
  readonly view: vscode.TreeView<Row>;
  readonly timers: Timers;
  /** The row's text now. */
  readonly textOf: (row: Row) => string;
  /** Repaints these rows. */
  readonly repaint: (rows: Row[]) => void;
}

/** Rows of a tree whose texts change with time only. While the tree is visible, changed rows are repainted. */
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

  /** A row was painted with this text. */
  note(row: Row, text: string): void {
    this.#painted.set(row, text);
  }

  /** All rows are new. */
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
