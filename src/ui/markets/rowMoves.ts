import * as vscode from "vscode";
import { dropRow, moveRow } from "../../desk/watchLists/edits.ts";
import { showStatusMessage } from "../statusMessage.ts";
import type { MarketRows } from "./marketRows.ts";

/**
 * Handles a row dropped on another row or, without a target, on empty space. While all pairs are shown, only the
 * favourites are in the user's order.
 */
export async function dropOnRow(
  { order, lists }: MarketRows,
  symbol: string,
  target: string | undefined,
): Promise<void> {
  const shown = order.top;
  if (!shown.includes(symbol) && (target === undefined || !shown.includes(target))) {
    showStatusMessage(vscode.l10n.t("Only favourites can be arranged here. Drop the row on one to add it."));
    return;
  }
  await lists.change((all) => dropRow(all, symbol, target, shown));
}

/** Moves a row of the list at the top up or down by one, or shows that the row is not in it. */
export async function moveByOne(rows: MarketRows, symbol: string, direction: "up" | "down"): Promise<void> {
  const shown = rows.order.top;
  if (!shown.includes(symbol)) {
    showStatusMessage(
      vscode.l10n.t("{0} is not a favourite. Only favourites can be moved.", rows.nameOf(symbol)),
    );
    return;
  }
  await rows.lists.change((all) => moveRow(all, symbol, direction, shown));
}
