import type { Timers } from "../../src/time/timers.ts";
import type { Scheduler } from "./scheduler.ts";

/** Thrown where a process is killed, so that the rest of its call does not run. */
class Killed extends Error {
  override readonly name = "Killed";
}

/**
 * A process of the world. All events of a window go through `run`: a killed process runs nothing more,
 * and a frozen process runs its events when it wakes.
 */
export class Process {
  readonly pid: number;
  isAlive = true;
  readonly #scheduler: Scheduler;
  readonly #failed: (error: unknown) => void;
  #isFrozen = false;
  #waiting: (() => void)[] = [];
  readonly #endings = new Set<() => void>();

  constructor(pid: number, scheduler: Scheduler, failed: (error: unknown) => void) {
    this.pid = pid;
    this.#scheduler = scheduler;
    this.#failed = failed;
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  /** Runs a task of this process now, after it wakes, or never. An error of the task is reported. */
  run(task: () => void): void {
    if (!this.isAlive) return;
    if (this.#isFrozen) {
      this.#waiting.push(task);
      return;
    }
    try {
      task();
    } catch (error) {
      if (!(error instanceof Killed)) this.#failed(error);
    }
  }

  /** Runs a task of this process in `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void {
    let isCancelled = false;
    const cancel = this.#scheduler.after(ms, () =>
      this.run(() => {
        if (!isCancelled) task();
      }),
    );
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  /** Timers of this process on a clock. */
  timers(now: () => number): Timers {
    return { now, after: (ms, task) => this.after(ms, task) };
  }

  /** Calls back once when the process ends, to release what the system held for the process. */
  onEnd(task: () => void): () => void {
    this.#endings.add(task);
    return () => this.#endings.delete(task);
  }

  freeze(): void {
    this.#isFrozen = this.isAlive;
  }

  wake(): void {
    if (!this.#isFrozen) return;
    this.#isFrozen = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    // One task at a time, as in an event loop.
    for (const task of waiting) this.#scheduler.after(0, () => this.run(task));
  }

  /** Ends the process. Its files and sockets are closed, and its written bytes stay. */
  kill(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#isFrozen = false;
    this.#waiting = [];
    for (const end of this.#endings) end();
    this.#endings.clear();
  }

  /** Ends this process within its own call. */
  killHere(): never {
    this.kill();
    throw new Killed("killed");
  }

  /** Throws in a process that was killed, because its code may still run to its next await. */
  check(): void {
    if (!this.isAlive) throw new Killed("killed");
  }
}
