import type { Timers } from "../../time/timers.ts";

export interface ThrottleOptions<T> {
  readonly timers: Timers;
  /** Minimum time between two deliveries, in ms. Evaluated at each delivery. */
  readonly everyMs: () => number;
  readonly deliver: (items: ReadonlySet<T>) => void;
}

/**
 * Throttles deliveries of frequent changes, without duplicates: the first item after a pause is delivered at once,
 * later ones together at an interval.
 */
export class Throttle<T> {
  readonly #options: ThrottleOptions<T>;
  #items = new Set<T>();
  #cancel: (() => void) | undefined;

  constructor(options: ThrottleOptions<T>) {
    this.#options = options;
  }

  add(items: Iterable<T>): void {
    for (const item of items) this.#items.add(item);
    if (!this.#cancel) this.flush();
  }

  /** Delivers all collected items now. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#items.size === 0) return;
    const items = this.#items;
    this.#items = new Set();
    this.#cancel = this.#options.timers.after(this.#options.everyMs(), () => this.flush());
    this.#options.deliver(items);
  }

  /** Removes and returns the collected items. */
  drain(): ReadonlySet<T> {
    const items = this.#items;
    this.#items = new Set();
    return items;
  }

  /** Discards the collected items. */
  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#items = new Set();
  }

  dispose(): void {
    this.clear();
  }
}
