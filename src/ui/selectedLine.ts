import type * as vscode from "vscode";
import { Event } from "../desk/event.ts";
import type { KnownOrder } from "../market/orders/knownOrder.ts";

/**
 * The chart's line of the row last selected in Orders, Alerts or Wallet. Charts emphasise it until that row is no longer
 * selected or another one is.
 */
export class SelectedLine {
  readonly #changed = new Event<void>();
  readonly onDidChange = this.#changed.add;
  #view: unknown;
  #keyOf: () => string | undefined = () => undefined;

  /** Identifies the line; undefined if the row has none. An order gets one with its exchange id. */
  get key(): string | undefined {
    return this.#keyOf();
  }

  /** Follows the selected row of a view. */
  follow<Row>(
    view: vscode.TreeView<Row>,
    keyOf: (row: NoInfer<Row>) => string | undefined,
  ): vscode.Disposable {
    return view.onDidChangeSelection(({ selection: [row] }) => {
      if (row === undefined && view !== this.#view) return;
      this.#view = view;
      this.#keyOf = () => (row === undefined ? undefined : keyOf(row));
      this.#changed.fire();
    });
  }
}

export function orderLineKey({ symbol, side, orderId }: KnownOrder): string {
  return `order ${symbol} ${side} ${orderId}`;
}

export function alertLineKey({ id }: { readonly id: string }): string {
  return `alert ${id}`;
}

export function costLineKey(symbol: string): string {
  return `cost ${symbol}`;
}
