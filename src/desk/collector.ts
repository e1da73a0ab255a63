import type { Timers } from "./time/timers.ts";

export interface CollectorOptions<T> {
  readonly timers: Timers;
  /** The shortest time between two deliveries, in ms. Asked at each delivery. */
  readonly everyMs: () => number;
  readonly deliver: (items: ReadonlySet<T>) => void;
}

/**
 * Gathers what changes often, each item once: the first one after a pause is delivered at once, the following ones together
 * at a fixed interval.
 */
export class Collector<T> {
  readonly #options: CollectorOptions<T>;
  #items = new Set<T>();
  #cancel: (() => void) | undefined;

  constructor(options: CollectorOptions<T>) {
    this.#options = options;
  }

  add(items: Iterable<T>): void {
    for (const item of items) this.#items.add(item);
    if (!this.#cancel) this.flush();
  }

  /** Delivers what was gathered, now. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#items.size === 0) return;
    const items = this.#items;
    this.#items = new Set();
    this.#cancel = this.#options.timers.after(this.#options.everyMs(), () => this.flush());
    this.#options.deliver(items);
  }

  /** What was gathered and is not delivered any more. */
  drain(): ReadonlySet<T> {
    const items = this.#items;
    this.#items = new Set();
    return items;
  }

  /** Forgets what was gathered. */
  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#items = new Set();
  }

  dispose(): void {
    this.clear();
  }
}
