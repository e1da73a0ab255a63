import type * as vscode from "vscode";
import type { Timers } from "../desk/timers.ts";
import { TimedText } from "./timedText.ts";

/** Rows tell times of day and what is over: a few seconds late is soon enough. */
const LOOK_MS = 10_000;

export interface TimedRowsOptions<Row> {
  readonly view: vscode.TreeView<Row>;
  readonly timers: Timers;
  /** What a row says now. */
  readonly textOf: (row: Row) => string;
  /** Has these rows painted again. */
  readonly repaint: (rows: Row[]) => void;
}

/** Rows of a tree whose texts change with the time alone: while the tree is on screen, those that did are painted again. */
export class TimedRows<Row> implements vscode.Disposable {
  readonly #options: TimedRowsOptions<Row>;
  readonly #painted = new Map<Row, string>();
  readonly #look: TimedText;
  readonly #visibility: vscode.Disposable;

  constructor(options: TimedRowsOptions<Row>) {
    this.#options = options;
    this.#look = new TimedText(options.timers, () => this.#repaintChanged());
    this.#visibility = options.view.onDidChangeVisibility(() => this.#followVisibility());
    this.#followVisibility();
  }

  /** A row was painted, and says this. */
  note(row: Row, text: string): void {
    this.#painted.set(row, text);
  }

  /** All rows are other ones now. */
  clear(): void {
    this.#painted.clear();
  }

  dispose(): void {
    this.#look.hide();
    this.#visibility.dispose();
  }

  #followVisibility(): void {
    if (this.#options.view.visible) this.#look.show();
    else this.#look.hide();
  }

  #repaintChanged(): number {
    const { textOf, repaint } = this.#options;
    const changed = [...this.#painted].filter(([row, text]) => textOf(row) !== text).map(([row]) => row);
    for (const row of changed) this.#painted.set(row, textOf(row));
    if (changed.length > 0) repaint(changed);
    return LOOK_MS;
  }
}
