import type { Timers } from "../../../src/time/timers.ts";

/** Fake timers. `advance` runs the due tasks in order, and lets promises settle in between. */
export class FakeTimers implements Timers {
  /** The timers' clock. */
  #now: number;
  #asleepMs = 0;
  #stoppedMs = 0;
  #tasks: { at: number; task: () => void }[] = [];

  readonly #settle: () => Promise<void>;

  /** `settled` waits until nothing is pending: with sockets, longer than for promises. */
  constructor(now = 1_795_000_000_000, settled = settle) {
    this.#now = now;
    this.#settle = settled;
  }

  readonly now = (): number => this.#now + this.#asleepMs;

  /** The computer is suspended: its clock advances (negative: is set back), but its timers do not. */
  sleep(ms: number): void {
    this.#asleepMs += ms;
  }

  /** ms on a clock that is never set, and that stops while the computer is suspended. */
  readonly monotonicNow = (): number => this.#now + this.#stoppedMs;

  /** The process is stopped: the clocks advance, but its timers do not. */
  stop(ms: number): void {
    this.#asleepMs += ms;
    this.#stoppedMs += ms;
  }

  readonly after = (ms: number, task: () => void): (() => void) => {
    const entry = { at: this.#now + ms, task };
    this.#tasks.push(entry);
    return () => {
      this.#tasks = this.#tasks.filter((each) => each !== entry);
    };
  };

  /** ms until the next timer; undefined without a timer. */
  get nextIn(): number | undefined {
    return this.#tasks.length === 0 ? undefined : Math.min(...this.#tasks.map(({ at }) => at)) - this.#now;
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await this.#settle();
      const due = this.#tasks.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#tasks = this.#tasks.filter((each) => each !== due);
      this.#now = Math.max(this.#now, due.at);
      due.task();
    }
    this.#now = end;
    await this.#settle();
  }
}

/** Lets the handlers of every settled promise run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
