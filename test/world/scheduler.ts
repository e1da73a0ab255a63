import { type Random, seededRandom } from "../support/random.ts";

interface Task {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;
}

/**
 * Time, chance and the order of events of a world. Time passes only from one task to the next task.
 * Tasks of the same time run in the order in which they were planned.
 */
export class Scheduler {
  readonly random: Random;
  /** ms since the start of the world. Never goes back. */
  now = 0;
  #order = 0;
  /** A binary heap: the earliest task is first. */
  readonly #tasks: Task[] = [];

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  /** Runs `run` once, `ms` from now; the returned function cancels it. */
  after(ms: number, run: () => void): () => void {
    const task: Task = { at: this.now + Math.max(0, ms), order: this.#order++, run };
    this.#tasks.push(task);
    this.#rise(this.#tasks.length - 1);
    return () => {
      task.run = undefined;
    };
  }

  /** Runs the next task that is due at `end` or earlier. False if there is none: then `now` is `end`. */
  step(end: number): boolean {
    for (;;) {
      const next = this.#tasks[0];
      if (!next || next.at > end) {
        this.now = Math.max(this.now, end);
        return false;
      }
      this.#removeFirst();
      if (!next.run) continue;
      this.now = next.at;
      next.run();
      return true;
    }
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return probability > 0 && this.random() < probability;
  }

  /** A whole number from `from` to `to`. */
  between(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from + 1));
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.random() * from.length)];
  }

  /** Bytes that differ at each call. */
  bytes(size: number): Buffer {
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size; at += 1) bytes[at] = Math.floor(this.random() * 256);
    return bytes;
  }

  #rise(from: number): void {
    const tasks = this.#tasks;
    for (let index = from; index > 0;) {
      const parent = (index - 1) >> 1;
      if (!isBefore(tasks, index, parent)) return;
      swap(tasks, index, parent);
      index = parent;
    }
  }

  #removeFirst(): void {
    const tasks = this.#tasks;
    swap(tasks, 0, tasks.length - 1);
    tasks.pop();
    for (let index = 0; ;) {
      const left = 2 * index + 1;
      const least = left + 1 < tasks.length && isBefore(tasks, left + 1, left) ? left + 1 : left;
      if (least >= tasks.length || !isBefore(tasks, least, index)) return;
      swap(tasks, index, least);
      index = least;
    }
  }
}

function isBefore(tasks: readonly Task[], one: number, other: number): boolean {
  const [a, b] = [tasks[one], tasks[other]];
  return a !== undefined && b !== undefined && (a.at - b.at || a.order - b.order) < 0;
}

function swap(tasks: Task[], one: number, other: number): void {
  const [a, b] = [tasks[one], tasks[other]];
  if (!a || !b) return;
  tasks[one] = b;
  tasks[other] = a;
}
