import { Event } from "../event.ts";
import type { Timers } from "../../time/timers.ts";

/** Input in one of Bidside's pages counts as long as the editor counts its own input. */
const PRESENT_MS = 60_000;

/**
 * Whether the user is active in this window. The editor does not count input in a webview, so input in Bidside's pages
 * is added.
 */
export class Presence {
  readonly #timers: Timers;
  readonly #changed = new Event<boolean>();
  #isActive: boolean;
  #cancel: (() => void) | undefined;
  #reported: boolean;

  /** Fires when the user becomes active or inactive. */
  readonly onDidChange = this.#changed.add;

  /** `isActive`: the editor's current state. */
  constructor(timers: Timers, isActive: boolean) {
    this.#timers = timers;
    this.#isActive = isActive;
    this.#reported = isActive;
  }

  get isPresent(): boolean {
    return this.#isActive || this.#cancel !== undefined;
  }

  /** Sets the editor's state. */
  setActive(isActive: boolean): void {
    this.#isActive = isActive;
    this.#report();
  }

  /** Records input in one of Bidside's pages. */
  noteInput(): void {
    this.#cancel?.();
    this.#cancel = this.#timers.after(PRESENT_MS, () => {
      this.#cancel = undefined;
      this.#report();
    });
    this.#report();
  }

  dispose(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #report(): void {
    const { isPresent } = this;
    if (isPresent === this.#reported) return;
    this.#reported = isPresent;
    this.#changed.fire(isPresent);
  }
}
