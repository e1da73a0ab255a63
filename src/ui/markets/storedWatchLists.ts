import * as vscode from "vscode";
import { stateKeys, syncedStateKeys } from "../../contributions.ts";
import type { WatchListsPort } from "../../desk/watchLists/watchListsStore.ts";

/** Keeps the watch lists in the editor's global state, which Settings Sync includes. */
export function storedWatchLists(
  memento: Pick<vscode.ExtensionContext["globalState"], "get" | "update" | "setKeysForSync">,
): WatchListsPort {
  memento.setKeysForSync(syncedStateKeys);
  return {
    read: () => memento.get(stateKeys.watchLists),
    write: (lists) => memento.update(stateKeys.watchLists, lists),
    warnNewer: () =>
      void vscode.window.showWarningMessage(
        vscode.l10n.t("A newer version of Bidside saved your watch lists. Update Bidside to edit them here."),
      ),
  };
}
