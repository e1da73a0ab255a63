import { Listeners } from "./listeners.ts";
import type { Timers } from "./timers.ts";

/** How often the clock is looked at while nothing else is due. */
const BEAT_MS = 2_000;
/** No busy machine keeps a timer waiting for longer. */
const LONGEST_STALL_MS = 5_000;

/**
 * Timers that notice when time went on without them: the machine slept, or its clock was set. Whichever of them is the
 * first to run after that says so before it does its own work, and there is one at least every two seconds.
 */
export class SleepAwareTimers implements Timers {
  readonly #timers: Timers;
  readonly #woke = new Listeners<void>();
  #lastLook: number;
  #cancelBeat: () => void;

  readonly now: () => number;
  readonly onDidWake = this.#woke.add;

  constructor(timers: Timers) {
    this.#timers = timers;
    this.now = timers.now;
    this.#lastLook = timers.now();
    this.#cancelBeat = this.#beat();
  }

  readonly after = (ms: number, task: () => void): (() => void) =>
    this.#timers.after(ms, () => {
      this.#look();
      task();
    });

  dispose(): void {
    this.#cancelBeat();
  }

  #beat(): () => void {
    return this.after(BEAT_MS, () => {
      this.#cancelBeat = this.#beat();
    });
  }

  #look(): void {
    const now = this.now();
    const passed = now - this.#lastLook;
    this.#lastLook = now;
    if (Math.abs(passed) > BEAT_MS + LONGEST_STALL_MS) this.#woke.fire();
  }
}
