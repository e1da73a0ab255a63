import type { Timers } from "../../desk/time/timers.ts";

/** Every text is painted again after this time: the computer may have slept, or midnight may have passed. */
const LONGEST_MS = 60_000;

/**
 * A text that changes with time only, like an age. It is painted again when it is no longer true, and at least once a
 * minute, while it is visible. A hidden text costs nothing.
 */
export class TimedText {
  readonly #timers: Timers;
  readonly #paint: () => number | undefined;
  #cancel: (() => void) | undefined;

  /**
   * `paint` shows the present text and returns for how many ms it is true; undefined: until something else changes
   * it.
   */
  constructor(timers: Timers, paint: () => number | undefined) {
    this.#timers = timers;
    this.#paint = paint;
  }

  /** Paints now, and again whenever needed. */
  show(): void {
    this.hide();
    const holdsMs = this.#paint();
    if (holdsMs === undefined) return;
    this.#cancel = this.#timers.after(Math.min(holdsMs, LONGEST_MS), () => this.show());
  }

  /** The text is hidden: it is no longer painted. */
  hide(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
