import * as vscode from "vscode";
import { viewIds } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { watchWhileVisible } from "../marketWatch.ts";
import { noteRead } from "../paintPause.ts";
import type { WalletRow, WalletRows } from "./walletRows.ts";

/** What the view needs when it is first visible. */
export interface LateWalletView {
  readonly WalletRows: typeof WalletRows;
}

/** The Wallet view. Its rows are loaded when it is first visible, and the market is read while it is visible. */
export class WalletView extends Disposable {
  readonly #desk: Desk;
  readonly #late: () => Promise<LateWalletView>;
  readonly #changed = this.register(new vscode.EventEmitter<WalletRow[] | undefined>());
  readonly #view: vscode.TreeView<WalletRow>;
  #rows: Promise<WalletRows> | undefined;

  constructor(desk: Desk, late: () => Promise<LateWalletView>) {
    super();
    this.#desk = desk;
    this.#late = late;
    this.#view = this.register(
      vscode.window.createTreeView<WalletRow>(viewIds.wallet, {
        treeDataProvider: {
          onDidChangeTreeData: this.#changed.event,
          getChildren: async (row) => {
            noteRead();
            return (await this.#load()).children(row);
          },
          getTreeItem: async (row) => (await this.#load()).item(row),
        },
      }),
    );
    this.register(watchWhileVisible(this.#view, desk.tickers));
  }

  #load(): Promise<WalletRows> {
    return (this.#rows ??= this.#late().then(({ WalletRows }) =>
      this.register(new WalletRows(this.#desk, this.#view, (rows) => this.#changed.fire(rows))),
    ));
  }
}
