import { Event } from "../event.ts";
import type { Timers } from "../../time/timers.ts";

/** Interval of clock checks while nothing else is due. */
const BEAT_MS = 2_000;
/** A busy computer delays a timer less than this. */
const LONGEST_STALL_MS = 5_000;

/**
 * Timers that detect a gap in time: the computer slept, its clock was set, or this process was stopped. `checkWake`
 * detects it. It runs before each task of these timers, so at least every two seconds, and is called before other
 * events that may be the first after a sleep; `docs/architecture.md` lists them. Two clocks are compared, because a
 * clock that is set back hides the time that a process was stopped, and the monotonic clock may stop while the computer
 * sleeps.
 */
export class WakeDetector implements Timers {
  readonly #timers: Timers;
  readonly #monotonicNow: () => number;
  readonly #woke = new Event<void>();
  #lastCheck: number;
  #lastMonotonic: number;
  #cancelBeat: () => void;

  readonly onDidWake = this.#woke.add;

  /** `monotonicNow`: ms on a clock that is never set. */
  constructor(timers: Timers, monotonicNow: () => number) {
    this.#timers = timers;
    this.#monotonicNow = monotonicNow;
    this.#lastCheck = timers.now();
    this.#lastMonotonic = monotonicNow();
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
    const monotonic = this.#monotonicNow();
    const passed = Math.max(Math.abs(now - this.#lastCheck), monotonic - this.#lastMonotonic);
    this.#lastCheck = now;
    this.#lastMonotonic = monotonic;
    if (passed > BEAT_MS + LONGEST_STALL_MS) this.#woke.fire();
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
