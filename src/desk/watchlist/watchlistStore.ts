import { isNewer, versioned } from "../../files/versioned.ts";
import { Event } from "../event.ts";
import { readWatchlist, type Watchlist } from "./watchlist.ts";

/** Where the watchlist is kept, perhaps for several computers. */
export interface WatchlistPort {
  /** What was stored last, in this or another window. It may be anything. */
  readonly read: () => unknown;
  readonly write: (list: object) => PromiseLike<void>;
  /** Reports that a newer version stored the list, which is therefore not edited. */
  readonly warnNewer: () => void;
}

/** The user's watchlist. */
export class WatchlistStore {
  readonly #port: WatchlistPort;
  readonly #changed = new Event<void>();
  #state: Watchlist;

  readonly onDidChange = this.#changed.add;

  constructor(port: WatchlistPort) {
    this.#port = port;
    this.#state = readWatchlist(port.read());
  }

  get state(): Watchlist {
    return this.#state;
  }

  /** Call when another window or computer may have changed the list: the store reports no changes. */
  reread(): void {
    this.#show(readWatchlist(this.#port.read()));
  }

  /**
   * Edits the stored list, which another window may have changed. A list in a newer format, from another computer, is
   * shown as far as it is readable, and not edited.
   */
  async change(edit: (list: Watchlist) => Watchlist): Promise<void> {
    const stored = this.#port.read();
    if (isNewer(stored)) return this.#port.warnNewer();
    const before = readWatchlist(stored);
    const after = edit(before);
    this.#show(after);
    if (after !== before) await this.#port.write(versioned(after));
  }

  #show(state: Watchlist): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#changed.fire();
  }
}
