import { Listeners } from "./listeners.ts";
import type { Timers } from "./timers.ts";

/** How often the clock is looked at while nothing else is due. */
const BEAT_MS = 2_000;
/** No busy machine keeps a timer waiting for longer. */
const LONGEST_STALL_MS = 5_000;

/**
 * Timers that notice when time went on without them: the machine slept, or its clock was set. Whoever is the first to
 * ask for the time after that, and whichever timer is the first to run, lets everybody know before it gets an answer,
 * or does its work; there is such a timer at least every two seconds.
 */
export class SleepAwareTimers implements Timers {
  readonly #timers: Timers;
  readonly #woke = new Listeners<void>();
  #lastLook: number;
  #cancelBeat: () => void;

  readonly onDidWake = this.#woke.add;

  constructor(timers: Timers) {
    this.#timers = timers;
    this.#lastLook = timers.now();
    this.#cancelBeat = this.#beat();
  }

  readonly now = (): number => {
    this.#look();
    return this.#timers.now();
  };

  readonly after = (ms: number, task: () => void): (() => void) => {
    let isCancelled = false;
    const cancel = this.#timers.after(ms, () => {
      this.#look();
      // Whoever was told may have put this very task off.
      if (!isCancelled) task();
    });
    return () => {
      isCancelled = true;
      cancel();
    };
  };

  dispose(): void {
    this.#cancelBeat();
  }

  #beat(): () => void {
    return this.after(BEAT_MS, () => {
      this.#cancelBeat = this.#beat();
    });
  }

  #look(): void {
    const now = this.#timers.now();
    const passed = now - this.#lastLook;
    this.#lastLook = now;
    if (Math.abs(passed) > BEAT_MS + LONGEST_STALL_MS) this.#woke.fire();
  }
}
