import { Listeners } from "./listeners.ts";
import type { Timers } from "./timers.ts";

/** Input in one of Bidside's pages counts for as long as the editor counts input of its own. */
const PRESENT_MS = 60_000;

/**
 * Whether the person is at this window: by the editor's own word, which knows nothing of input in a webview, or because
 * of input in one of Bidside's pages.
 */
export class Presence {
  readonly #timers: Timers;
  readonly #changed = new Listeners<boolean>();
  #isActive: boolean;
  #cancel: (() => void) | undefined;
  #told: boolean;

  /** Fires when the person comes or leaves. */
  readonly onDidChange = this.#changed.add;

  /** `isActive`: what the editor says now. */
  constructor(timers: Timers, isActive: boolean) {
    this.#timers = timers;
    this.#isActive = isActive;
    this.#told = isActive;
  }

  get isPresent(): boolean {
    return this.#isActive || this.#cancel !== undefined;
  }

  /** What the editor says from now on. */
  setActive(isActive: boolean): void {
    this.#isActive = isActive;
    this.#tell();
  }

  /** The person used one of Bidside's pages just now. */
  noteInput(): void {
    this.#cancel?.();
    this.#cancel = this.#timers.after(PRESENT_MS, () => {
      this.#cancel = undefined;
      this.#tell();
    });
    this.#tell();
  }

  dispose(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #tell(): void {
    const { isPresent } = this;
    if (isPresent === this.#told) return;
    this.#told = isPresent;
    this.#changed.fire(isPresent);
  }
}
