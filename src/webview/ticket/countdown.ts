import type { Timers } from "../../time/timers.ts";

/** Counts down in whole seconds, rounded up, so that 0 is shown exactly at the end. */
export class Countdown {
  readonly #timers: Timers;
  readonly #show: (seconds: number) => void;
  #end = 0;
  #cancel: (() => void) | undefined;

  /** `show` is called once per second, and with 0 at the end. `timers` must have a monotonic clock. */
  constructor(timers: Timers, show: (seconds: number) => void) {
    this.#timers = timers;
    this.#show = show;
  }

  /** Restarts from `ms`; 0 stops. */
  start(ms: number): void {
    this.#end = this.#timers.now() + ms;
    this.#tick();
  }

  #tick(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const left = Math.max(0, this.#end - this.#timers.now());
    const seconds = Math.ceil(left / 1000);
    if (seconds > 0) this.#cancel = this.#timers.after(left - (seconds - 1) * 1000, () => this.#tick());
    this.#show(seconds);
  }
}
