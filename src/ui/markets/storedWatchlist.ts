import * as vscode from "vscode";
import { stateKeys, syncedStateKeys } from "../../contributions.ts";
import type { WatchlistPort } from "../../desk/watchlist/watchlistStore.ts";

/** Keeps the watchlist in the editor's global state, which Settings Sync includes. */
export function storedWatchlist(
  memento: Pick<vscode.ExtensionContext["globalState"], "get" | "update" | "setKeysForSync">,
): WatchlistPort {
  memento.setKeysForSync(syncedStateKeys);
  return {
    read: () => memento.get(stateKeys.watchlist),
    write: (list) => memento.update(stateKeys.watchlist, list),
    warnNewer: () =>
      void vscode.window.showWarningMessage(
        vscode.l10n.t("A newer version of Bidside saved this list. Update Bidside to edit it here."),
      ),
  };
}
