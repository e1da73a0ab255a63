import { Event } from "../event.ts";
import type { Timers } from "../time/timers.ts";

/** Input in one of Bidside's pages counts as long as the editor counts its own input. */
const PRESENT_MS = 60_000;

/**
 * Whether the person is at this window. The editor tells it, but does not notice input in a webview, so input in
 * Bidside's pages counts too.
 */
export class Presence {
  readonly #timers: Timers;
  readonly #changed = new Event<boolean>();
  #isActive: boolean;
  #cancel: (() => void) | undefined;
  #reported: boolean;

  /** Fires when the person comes or leaves. */
  readonly onDidChange = this.#changed.add;

  /** `isActive`: the editor's present state. */
  constructor(timers: Timers, isActive: boolean) {
    this.#timers = timers;
    this.#isActive = isActive;
    this.#reported = isActive;
  }

  get isPresent(): boolean {
    return this.#isActive || this.#cancel !== undefined;
  }

  /** Takes the editor's new state. */
  setActive(isActive: boolean): void {
    this.#isActive = isActive;
    this.#report();
  }

  /** The person just used one of Bidside's pages. */
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
