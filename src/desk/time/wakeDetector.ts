import { Event } from "../event.ts";
import type { Timers } from "./timers.ts";

/** How often the clock is checked while nothing else is due. */
const BEAT_MS = 2_000;
/** A busy computer delays a timer less than this. */
const LONGEST_STALL_MS = 5_000;

/**
 * Timers that notice a gap in time: the computer slept, or its clock was set. The gap is noticed where `checkWake` is
 * called: before each task of these timers, which is at least every two seconds, and before other events that may be
 * the first to happen after a sleep. `docs/architecture.md` names these points.
 */
export class WakeDetector implements Timers {
  readonly #timers: Timers;
  readonly #woke = new Event<void>();
  #lastCheck: number;
  #cancelBeat: () => void;

  readonly onDidWake = this.#woke.add;

  constructor(timers: Timers) {
    this.#timers = timers;
    this.#lastCheck = timers.now();
    this.#cancelBeat = this.#beat();
  }

  readonly now = (): number => this.#timers.now();

  readonly after = (ms: number, task: () => void): (() => void) => {
    let isCancelled = false;
    const cancel = this.#timers.after(ms, () => {
      this.checkWake();
      // A listener may have cancelled or delayed this task.
      if (!isCancelled) task();
    });
    return () => {
      isCancelled = true;
      cancel();
    };
  };

  /** Tells the listeners of a gap since the last check, before it returns. */
  readonly checkWake = (): void => {
    const now = this.#timers.now();
    const passed = now - this.#lastCheck;
    this.#lastCheck = now;
    if (Math.abs(passed) > BEAT_MS + LONGEST_STALL_MS) this.#woke.fire();
  };

  dispose(): void {
    this.#cancelBeat();
  }

  #beat(): () => void {
    return this.after(BEAT_MS, () => {
      this.#cancelBeat = this.#beat();
    });
  }
}
