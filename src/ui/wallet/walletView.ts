import * as vscode from "vscode";
import { viewIds } from "../../contributions.ts";
import type { WalletRow, WalletRows, WalletRowsParts } from "./walletRows.ts";

/** The Wallet view. Its rows are loaded when it is first visible, and the market is read while it is visible. */
export class WalletView implements vscode.Disposable {
  readonly #parts: WalletRowsParts;
  readonly #view: vscode.TreeView<WalletRow>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  #rows: Promise<WalletRows> | undefined;
  #unwatch: (() => void) | undefined;

  constructor(parts: WalletRowsParts) {
    this.#parts = parts;
    this.#view = vscode.window.createTreeView<WalletRow>(viewIds.wallet, {
      treeDataProvider: {
        onDidChangeTreeData: this.#changed.event,
        getChildren: async (row) => (row ? [] : (await this.#load()).children()),
        getTreeItem: async (row) => (await this.#load()).item(row),
      },
    });
    this.#view.onDidChangeVisibility(() => this.#followVisibility());
    this.#followVisibility();
  }

  dispose(): void {
    this.#unwatch?.();
    void this.#rows?.then((rows) => rows.dispose());
    this.#view.dispose();
    this.#changed.dispose();
  }

  #load(): Promise<WalletRows> {
    this.#rows ??= import("./walletRows.ts").then(
      ({ WalletRows }) => new WalletRows(this.#parts, this.#view, () => this.#changed.fire(undefined)),
    );
    return this.#rows;
  }

  #followVisibility(): void {
    if (this.#view.visible) this.#unwatch ??= this.#parts.tickers.watch();
    else {
      this.#unwatch?.();
      this.#unwatch = undefined;
    }
  }
}
