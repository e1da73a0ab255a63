import { isNewer, versioned } from "../../files/versioned.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { Timers } from "../../time/timers.ts";
import { readWatchLists, type WatchLists } from "./watchLists.ts";

/** Where the watch lists are kept, perhaps for several computers. */
export interface WatchListsPort {
  /** What was stored last, in this or another window. It may be anything. */
  readonly read: () => unknown;
  readonly write: (lists: object) => PromiseLike<void>;
  /** Reports that a newer version stored the lists, which are therefore not edited. */
  readonly warnNewer: () => void;
}

interface StoreOptions {
  readonly port: WatchListsPort;
  readonly timers: Timers;
  readonly newId: () => string;
}

type Edit = (lists: WatchLists) => WatchLists;

/**
 * When an edit is checked, ms. The editor's store has no lock, and needs a few hundred ms to show a window what another
 * one wrote: until then, the later write replaces the earlier one.
 */
const CHECK_MS = 2000;
/** When the lists of another window are read again after it announced them, for the same reason, ms. */
const ARRIVAL_MS = [200, 500, 1000, CHECK_MS];
/** How often an edit is repeated that others overwrote. */
const MAX_REPEATS = 3;
/** Ids of the latest edits are stored beside the lists: more than all windows make until an edit is checked. */
const MAX_EDITS = 50;

/** The user's watch lists. */
export class WatchListsStore extends Disposable {
  readonly #options: StoreOptions;
  readonly #changed = new Event<void>();
  readonly #written = new Event<void>();
  #state: WatchLists;
  /** Cancels each waiting check. */
  readonly #waiting = new Set<() => void>();

  readonly onDidChange = this.#changed.add;
  /** Fires when this window wrote the lists, which the other windows must reload. */
  readonly onDidWrite = this.#written.add;

  constructor(options: StoreOptions) {
    super();
    this.#options = options;
    this.#state = readWatchLists(options.port.read());
    this.register(() => this.#waiting.forEach((cancel) => cancel()));
  }

  get state(): WatchLists {
    return this.#state;
  }

  /** Call when another window or computer may have changed the lists: the store reports no changes. */
  reread(): void {
    this.#show(readWatchLists(this.#options.port.read()));
  }

  /** Call when another window has just written the lists. */
  rereadUntilArrived(): void {
    this.reread();
    for (const ms of ARRIVAL_MS) this.#later(ms, () => this.reread());
  }

  /**
   * Edits the stored lists, which another window may have changed. If another window overwrites the edit, it is
   * repeated. Lists in a newer format, from another computer, are shown as far as they are readable, and not edited.
   */
  async change(edit: Edit): Promise<void> {
    await this.#change(edit, MAX_REPEATS);
  }

  async #change(edit: Edit, repeats: number): Promise<void> {
    const { port, newId } = this.#options;
    const stored = port.read();
    if (isNewer(stored)) return port.warnNewer();
    const before = readWatchLists(stored);
    const after = edit(before);
    this.#show(after);
    if (after === before) return;
    const id = newId();
    if (repeats > 0) this.#checkLater(id, () => this.#change(edit, repeats - 1));
    await port.write(versioned({ ...after, edits: [...editsOf(stored), id].slice(-MAX_EDITS) }));
    this.#written.fire();
  }

  #checkLater(id: string, repeat: () => Promise<void>): void {
    this.#later(CHECK_MS, () => {
      const stored = this.#options.port.read();
      if (editsOf(stored).includes(id) || isNewer(stored)) this.#show(readWatchLists(stored));
      else void repeat();
    });
  }

  #later(ms: number, task: () => void): void {
    const cancel = this.#options.timers.after(ms, () => {
      this.#waiting.delete(cancel);
      task();
    });
    this.#waiting.add(cancel);
  }

  #show(state: WatchLists): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#changed.fire();
  }
}

function editsOf(stored: unknown): readonly unknown[] {
  const { edits } = (stored ?? {}) as { readonly edits?: unknown };
  return Array.isArray(edits) ? (edits as readonly unknown[]).slice(-MAX_EDITS) : [];
}
