import * as vscode from "vscode";
import { stateKeys } from "../../contributions.ts";
import { Disposable } from "../../desk/disposable.ts";
import { Event } from "../../desk/event.ts";
import { readWatchlist, type Watchlist } from "../../desk/watchlist/watchlist.ts";

/** The part of the editor's global state that a watchlist needs. */
export type WatchlistMemento = Pick<
  vscode.ExtensionContext["globalState"],
  "get" | "update" | "setKeysForSync"
>;

/** The watchlist in the editor's global state, which Settings Sync includes. */
export class WatchlistStore extends Disposable {
  readonly #memento: WatchlistMemento;
  readonly #changed = new Event<void>();
  #state: Watchlist;

  readonly onDidChange = this.#changed.add;

  constructor(memento: WatchlistMemento) {
    super();
    this.#memento = memento;
    memento.setKeysForSync([stateKeys.watchlist]);
    this.#state = this.#read();
    // The editor sends no event when another window or computer wrote the list: it is read again when a person may
    // look at it.
    this.register(vscode.window.onDidChangeWindowState(({ focused }) => focused && this.#show(this.#read())));
  }

  get state(): Watchlist {
    return this.#state;
  }

  /** Edits the stored list, which another window may have changed. */
  async change(edit: (list: Watchlist) => Watchlist): Promise<void> {
    const before = this.#read();
    const after = edit(before);
    this.#show(after);
    if (after !== before) await this.#memento.update(stateKeys.watchlist, after);
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
