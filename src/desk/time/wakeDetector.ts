import { Event } from "../event.ts";
import type { Timers } from "./timers.ts";

/** Interval of clock checks while nothing else is due. */
const BEAT_MS = 2_000;
/** A busy computer delays a timer less than this. */
const LONGEST_STALL_MS = 5_000;

/**
 * Timers that detect a gap in time: the computer slept, or its clock was set. `checkWake` detects it. It runs before
 * each task of these timers, so at least every two seconds, and is called before other events that may be the first
 * after a sleep; `docs/architecture.md` lists them.
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

  /** Notifies the listeners synchronously if there was a gap since the last check. */
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
