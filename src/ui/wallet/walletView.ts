import * as vscode from "vscode";
import { viewIds } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { executeCommand, registerCommands, symbolOf } from "../commands.ts";
import { VisiblePrices } from "../visiblePrices.ts";
import { focusedRow, meansFocused } from "../focusedRow.ts";
import { noteRowRead } from "../paintPause.ts";
import { costLineKey, type SelectedLine } from "../selectedLine.ts";
import { removeHolding } from "./elsewherePrompt.ts";
import { type WalletRow, WalletRows } from "./walletRows.ts";

/** The Wallet view. Polls the market while visible. */
export function showWalletView(desk: Desk, selectedLine: SelectedLine): Disposable {
  const changed = new vscode.EventEmitter<WalletRow[] | undefined>();
  const view = vscode.window.createTreeView<WalletRow>(viewIds.wallet, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (row) => {
        noteRowRead();
        return rows.children(row);
      },
      getTreeItem: (row) => rows.item(row),
      resolveTreeItem: (item) => {
        rows.holdTooltip();
        return item;
      },
    },
  });
  const rows: WalletRows = new WalletRows(desk, view, (painted) => changed.fire(painted));
  const prices = new VisiblePrices(desk.tickers);
  const follow = (): void => prices.set(view.visible ? [] : undefined);
  follow();
  return new Disposable(
    changed,
    view,
    rows,
    view.onDidChangeVisibility(follow),
    prices,
    selectedLine.follow(view, (row) =>
      row.kind === "holding" && row.symbol ? costLineKey(row.symbol) : undefined,
    ),
    registerCommands({
      removeHolding: async (row) => {
        const target = meansFocused(row) ? await focusedRow(view) : row;
        // Delete on another row must not remove anything, or ask what to remove.
        if (!meansFocused(row) || (target as WalletRow | undefined)?.kind === "heldElsewhere")
          await removeHolding(desk, target);
      },
      previewAsset: () => {
        const symbol = symbolOf(view.selection[0]);
        if (symbol !== undefined) return executeCommand("previewChart", symbol);
      },
    }),
  );
}
