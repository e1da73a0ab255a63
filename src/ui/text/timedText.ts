import type { Timers } from "../../time/timers.ts";

/** Repaint at least this often: the computer may have slept, or midnight may have passed. */
const LONGEST_MS = 60_000;

/**
 * A text that changes with time, such as an age. While visible it is repainted when it expires, and at least once a
 * minute; while hidden it uses no timer.
 */
export class TimedText {
  readonly #timers: Timers;
  readonly #paint: () => number | undefined;
  #cancel: (() => void) | undefined;

  /** `paint` shows the current text and returns for how many ms it is valid; undefined: indefinitely. */
  constructor(timers: Timers, paint: () => number | undefined) {
    this.#timers = timers;
    this.#paint = paint;
  }

  show(): void {
    this.hide();
    const validMs = this.#paint();
    if (validMs === undefined) return;
    this.#cancel = this.#timers.after(Math.min(validMs, LONGEST_MS), () => this.show());
  }

  hide(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
