import * as vscode from "vscode";
import { stateKeys, syncedStateKeys } from "../../contributions.ts";
import { Disposable } from "../../desk/disposable.ts";
import { Event } from "../../desk/event.ts";
import { isNewer, versioned } from "../../files/versioned.ts";
import { readWatchlist, type Watchlist } from "../../desk/watchlist/watchlist.ts";

export type WatchlistMemento = Pick<
  vscode.ExtensionContext["globalState"],
  "get" | "update" | "setKeysForSync"
>;

/** The watchlist, stored in the editor's global state and included in Settings Sync. */
export class WatchlistStore extends Disposable {
  readonly #memento: WatchlistMemento;
  readonly #changed = new Event<void>();
  #state: Watchlist;

  readonly onDidChange = this.#changed.add;

  constructor(memento: WatchlistMemento) {
    super();
    this.#memento = memento;
    memento.setKeysForSync(syncedStateKeys);
    this.#state = this.#read();
    // There is no event when another window or computer changes the list, so it is read again whenever the window gets
    // focus.
    this.register(vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#show(this.#read())));
  }

  get state(): Watchlist {
    return this.#state;
  }

  /**
   * Edits the stored list, which another window may have changed. A list in a newer format, from another computer, is
   * shown as far as it is readable, and not edited.
   */
  async change(edit: (list: Watchlist) => Watchlist): Promise<void> {
    if (isNewer(this.#memento.get(stateKeys.watchlist)))
      return void vscode.window.showWarningMessage(
        vscode.l10n.t("A newer version of Bidside saved this list. Update Bidside to edit it here."),
      );
    const before = this.#read();
    const after = edit(before);
    this.#show(after);
    if (after !== before) await this.#memento.update(stateKeys.watchlist, versioned(after));
  }

  #read(): Watchlist {
    return readWatchlist(this.#memento.get(stateKeys.watchlist));
  }

  #show(state: Watchlist): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#changed.fire();
  }
}
