/** One percent: what a price may move between a reading, which may be some seconds old, and the stream's price beside it. */
export const TOLERANCE = 0.01;

/** The wait before a wrong stream is opened again; it doubles up to the longest. */
const WAIT_MS = 15_000;
const LONGEST_WAIT_MS = 10 * 60_000;

/** Decides whether a stream is wrong: it contradicted two readings in a row about one name. */
export class Contradictions {
  /** The names that contradicted the last reading that they were compared with. */
  readonly #suspects = new Set<string>();
  #failures = 0;
  #failedAt = Number.NEGATIVE_INFINITY;

  /** Notes a comparison with a reading. Returns true for the second contradiction in a row. */
  note(name: string, agrees: boolean): boolean {
    if (agrees) this.#suspects.delete(name);
    else if (this.#suspects.has(name)) return true;
    else this.#suspects.add(name);
    return false;
  }

  /** The stream was closed as wrong, at `now` (ms). Returns how many ms to wait before it is opened again. */
  fail(now: number): number {
    this.#suspects.clear();
    // A stream that was right for longer than the longest wait begins anew.
    if (now - this.#failedAt > 2 * LONGEST_WAIT_MS) this.#failures = 0;
    this.#failedAt = now;
    return Math.min(LONGEST_WAIT_MS, WAIT_MS * 2 ** Math.min(this.#failures++, 10));
  }

  /** Another connection or another exchange: what was noted before says nothing of it. */
  clear(): void {
    this.#suspects.clear();
  }
}
