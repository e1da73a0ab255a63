import { Disposable } from "../desk/disposable.ts";
import type { Timers } from "../desk/time/timers.ts";
import { onDidUseRow } from "./commands.ts";

const PAUSE_MS = 1000;

/**
 * A pause in the painting of rows by prices, from each use of a row. The editor gives the focus back to a list that it
 * painted, for a moment also if a page or an input has just taken the focus.
 */
export class PaintPause extends Disposable {
  #cancel: (() => void) | undefined;
  #isMissed = false;

  /** `catchUp` is called at the end of a pause in which something was not painted. */
  constructor(timers: Timers, catchUp: () => void) {
    super();
    const end = (): void => {
      this.#cancel = undefined;
      if (!this.#isMissed) return;
      this.#isMissed = false;
      catchUp();
    };
    const listener = onDidUseRow(() => {
      this.#cancel?.();
      this.#cancel = timers.after(PAUSE_MS, end);
    });
    this.register(listener, () => this.#cancel?.());
  }

  /** Whether rows must not be painted now. Then `catchUp` is called later. */
  isPaused(): boolean {
    if (!this.#cancel) return false;
    this.#isMissed = true;
    return true;
  }
}
