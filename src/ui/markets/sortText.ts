import * as vscode from "vscode";
import type { Sort } from "../../desk/watchlist/watchlist.ts";

/** The current sort order, short enough for the view's header: "Change ↓". */
export function sortText(sort: Sort, favouritesOnly: boolean): string {
  const order = `${sortName(sort.by)} ${sort.down ? "↓" : "↑"}`;
  return favouritesOnly ? `${vscode.l10n.t("Favourites")} · ${order}` : order;
}

export function sortName(by: Sort["by"]): string {
  const names: Record<Sort["by"], string> = {
    symbol: vscode.l10n.t("Symbol"),
    last: vscode.l10n.t("Last"),
    change: vscode.l10n.t("Change"),
    volume: vscode.l10n.t("Volume"),
    own: vscode.l10n.t("Custom sorting"),
  };
  return names[by];
}
