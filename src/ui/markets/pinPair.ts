import * as vscode from "vscode";
import { pin } from "../../desk/watchlist/edits.ts";
import { mostPinned } from "../../desk/watchlist/watchlist.ts";
import { pairKey } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { WatchlistStore } from "./watchlistStore.ts";

/** Pins a pair to the status bar; says so if there is no room. */
export async function pinPair(list: WatchlistStore, { pair }: Ticker): Promise<void> {
  const key = pairKey(pair);
  await list.change((before) => pin(before, key));
  if (list.state.pinned.includes(key)) return;
  void vscode.window.showInformationMessage(
    vscode.l10n.t("The status bar has {0} pinned pairs, which is the limit. Unpin one first.", mostPinned),
  );
}
