import { type HeldElsewhere, MAX_HELD_ELSEWHERE } from "../../market/holdings/heldElsewhere.ts";
import type { HeldElsewhereFile } from "../../storage/heldElsewhereFile.ts";
import { Event } from "../event.ts";
import type { CurrentVenue } from "../venue.ts";

interface ListOptions {
  readonly file: Pick<HeldElsewhereFile, "read" | "write">;
  readonly venue: Pick<CurrentVenue, "account">;
  readonly onError: (error: unknown) => void;
}

/** There are MAX_HELD_ELSEWHERE entries. */
export class TooManyHoldingsError extends Error {
  override readonly name = "TooManyHoldingsError";
}

/** The holdings that the user entered, in a file that all windows share. */
export class HeldElsewhereList {
  readonly #options: ListOptions;
  readonly #changed = new Event<void>();
  readonly #written = new Event<void>();
  #all: readonly HeldElsewhere[] = [];
  #problem: unknown;

  readonly onDidChange = this.#changed.add;
  /** Fires when this window wrote the file, which the other windows must reload. */
  readonly onDidWrite = this.#written.add;

  constructor(options: ListOptions) {
    this.#options = options;
    this.reread();
  }

  /** Those of practice, or of all live accounts. Changes with the account of the window. */
  get list(): readonly HeldElsewhere[] {
    const { kind } = this.#options.venue.account;
    return this.#all.filter(({ venue }) => venue === kind);
  }

  /** Why the file cannot be read; undefined if it can. The list is then empty, and its value unknown. */
  get problem(): unknown {
    return this.#problem;
  }

  /** Reads what other windows wrote. */
  reread(): void {
    const { file, onError } = this.#options;
    try {
      this.#show(file.read());
    } catch (error) {
      if (this.#problem === undefined) onError(error);
      this.#all = [];
      this.#problem = error;
      this.#changed.fire();
    }
  }

  /**
   * Adds a holding, or replaces the one with the same id. Like all changes, it throws if the file cannot be read or
   * written; nothing changes then.
   */
  put(holding: HeldElsewhere): void {
    this.#change((all) => {
      const isKnown = all.some(({ id }) => id === holding.id);
      if (!isKnown && all.length >= MAX_HELD_ELSEWHERE) throw new TooManyHoldingsError();
      return isKnown ? all.map((each) => (each.id === holding.id ? holding : each)) : [...all, holding];
    });
  }

  remove(id: string): void {
    this.#change((all) => all.filter((each) => each.id !== id));
  }

  /** Applies a change to what is on the disk now, whichever window wrote it. */
  #change(change: (all: readonly HeldElsewhere[]) => readonly HeldElsewhere[]): void {
    const { file } = this.#options;
    const next = change(file.read());
    file.write(next);
    this.#show(next);
    this.#written.fire();
  }

  #show(all: readonly HeldElsewhere[]): void {
    const isSame = this.#problem === undefined && JSON.stringify(all) === JSON.stringify(this.#all);
    if (isSame) return;
    this.#all = all;
    this.#problem = undefined;
    this.#changed.fire();
  }
}
