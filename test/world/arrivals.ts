import type { StreamConnection } from "./streamWire.ts";

/** One arrival of a price or a book on the computer. `at`: the exchanges' clock, ms. */
export interface Arrival {
  readonly at: number;
  /** Undefined for a poll. */
  readonly connection: StreamConnection | undefined;
}

/** Readings are ordered by the time of their requests, which take at most this time to arrive. */
const WAY_MS = 250;

/** What arrived from the exchanges, by content, and the order in which a window may show it. */
export class Arrivals {
  readonly #arrivals = new Map<string, Arrival[]>();
  /** The time of what a window shows, by window and subject. */
  readonly #newest = new Map<string, number>();
  #clockSetAt = 0;

  /** Content arrived now, perhaps once more. */
  arrived(content: string, at: number, connection?: StreamConnection): void {
    const arrivals = this.#arrivals.get(content);
    if (arrivals) arrivals.push({ at, connection });
    else this.#arrivals.set(content, [{ at, connection }]);
  }

  /** All arrivals of a content, the newest last: two windows may each have a connection. */
  arrivals(content: string): readonly Arrival[] {
    return this.#arrivals.get(content) ?? [];
  }

  /**
   * A window shows a content for a subject. Returns by how many ms it is older than what the window showed before; undefined
   * if it is not. Of several arrivals, the earliest one counts that is not older.
   */
  shown(window: number, subject: string, content: string): number | undefined {
    const key = `${window} ${subject}`;
    const before = this.#newest.get(key) ?? 0;
    const arrivals = this.#arrivals.get(content) ?? [];
    const counting = arrivals.find(({ at }) => at >= before - WAY_MS);
    if (counting && counting.at > this.#clockSetAt) this.#newest.set(key, Math.max(before, counting.at));
    const last = arrivals.at(-1);
    return counting || !last ? undefined : before - last.at;
  }

  /** What this window shows is no measure any more. */
  forget(window: number): void {
    for (const key of this.#newest.keys()) if (key.startsWith(`${window} `)) this.#newest.delete(key);
  }

  /** The computer's clock was set at `now`, the exchanges' clock, so what arrived before has no order. */
  clockWasSet(now: number): void {
    this.#clockSetAt = now;
    this.#newest.clear();
  }
}
