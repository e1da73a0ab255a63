import type { Timers } from "../time/timers.ts";

const STEP_MS = 200;

/**
 * Calls back once when no message has arrived for the given time. Time is counted in small steps, so that an hour of sleep does
 * not count as an hour of silence. Messages that arrived while this process was busy are read before the timeout is decided.
 */
export class HeartbeatTimeout {
  readonly #longestMs: number;
  readonly #timers: Timers;
  readonly #broken: () => void;
  #cancel: () => void;
  #silentMs = 0;

  constructor(longestMs: number, timers: Timers, broken: () => void) {
    this.#longestMs = longestMs;
    this.#timers = timers;
    this.#broken = broken;
    this.#cancel = this.#step();
  }

  reset(): void {
    this.#silentMs = 0;
  }

  stop(): void {
    this.#cancel();
  }

  #step(): () => void {
    const began = this.#timers.now();
    return this.#timers.after(STEP_MS, () => {
      this.#silentMs += Math.min(this.#timers.now() - began, 2 * STEP_MS);
      // Deferred by one turn of the event loop, so that pending socket data is read first.
      this.#cancel = this.#isSilent ? this.#timers.after(0, () => this.#judge()) : this.#step();
    });
  }

  #judge(): void {
    if (this.#isSilent) this.#broken();
    else this.#cancel = this.#step();
  }

  get #isSilent(): boolean {
    return this.#silentMs >= this.#longestMs;
  }
}
