import { Disposable } from "../desk/disposable.ts";
import type { Timers } from "../desk/time/timers.ts";
import { onDidUseRow } from "./commands.ts";

const PAUSE_MS = 1000;

/**
 * A pause in the painting of rows by prices, from each use of a row. The editor gives the focus back to a list that it
 * painted, for a moment also if a page or an input has just taken the focus.
 */
export class PaintPause extends Disposable {
  readonly #timers: Timers;
  readonly #catchUp: () => void;
  #cancel: (() => void) | undefined;
  #isMissed = false;

  /** `catchUp` is called at the end of a pause in which something was not painted. */
  constructor(timers: Timers, catchUp: () => void) {
    super();
    this.#timers = timers;
    this.#catchUp = catchUp;
    this.register(
      onDidUseRow(() => this.begin(PAUSE_MS)),
      () => this.#cancel?.(),
    );
  }

  /** Pauses from now on, for this time in ms at most. */
  begin(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#timers.after(ms, () => this.end());
  }

  /** Ends the pause, if there is one. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (!this.#isMissed) return;
    this.#isMissed = false;
    this.#catchUp();
  }

  /** Whether rows must not be painted now. Then `catchUp` is called later. */
  isPaused(): boolean {
    if (!this.#cancel) return false;
    this.#isMissed = true;
    return true;
  }
}
