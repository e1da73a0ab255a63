import { Event } from "../event.ts";
import type { Timers } from "./timers.ts";

/** How often the clock is checked while nothing else is due. */
const BEAT_MS = 2_000;
/** A busy computer delays a timer less than this. */
const LONGEST_STALL_MS = 5_000;

/**
 * Timers that notice a gap in time: the computer slept, or its clock was set. The first call that asks for the time
 * after the gap, or the first timer that runs, reports the gap before it gets an answer or does its work. There is
 * such a timer at least every two seconds.
 */
export class WakeDetector implements Timers {
  readonly #timers: Timers;
  readonly #woke = new Event<void>();
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
      // A listener may have cancelled or delayed this task.
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
