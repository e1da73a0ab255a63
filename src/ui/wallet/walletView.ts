import * as vscode from "vscode";
import { viewIds } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { watchWhileVisible } from "../marketWatch.ts";
import { noteRowRead } from "../paintPause.ts";
import { type WalletRow, WalletRows } from "./walletRows.ts";

/** The Wallet view. Polls the market while visible. */
export class WalletView extends Disposable {
  constructor(desk: Desk) {
    super();
    const changed = this.register(new vscode.EventEmitter<WalletRow[] | undefined>());
    const view = this.register(
      vscode.window.createTreeView<WalletRow>(viewIds.wallet, {
        treeDataProvider: {
          onDidChangeTreeData: changed.event,
          getChildren: (row) => {
            noteRowRead();
            return rows.children(row);
          },
          getTreeItem: (row) => rows.item(row),
        },
      }),
    );
    const rows: WalletRows = this.register(new WalletRows(desk, view, (painted) => changed.fire(painted)));
    this.register(watchWhileVisible(view, desk.tickers));
  }
}
