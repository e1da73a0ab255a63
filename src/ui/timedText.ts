import type { Timers } from "../desk/timers.ts";

/** No text is trusted for longer: the machine may have slept, or midnight may have passed. */
const LONGEST_MS = 60_000;

/**
 * A text that changes with the time alone, like an age. It is painted again when it is no longer true, and at least once a
 * minute, for as long as it is on screen; nothing runs for a text that is not.
 */
export class TimedText {
  readonly #timers: Timers;
  readonly #paint: () => number | undefined;
  #cancel: (() => void) | undefined;

  /** `paint` shows the text as of now, and says for how many ms it is true; undefined: until something else changes it. */
  constructor(timers: Timers, paint: () => number | undefined) {
    this.#timers = timers;
    this.#paint = paint;
  }

  /** Paints now, and again whenever that is due. */
  show(): void {
    this.hide();
    const holdsMs = this.#paint();
    if (holdsMs === undefined) return;
    this.#cancel = this.#timers.after(Math.min(holdsMs, LONGEST_MS), () => this.show());
  }

  /** The text is off the screen: it is painted no more. */
  hide(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
