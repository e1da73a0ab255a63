const SECOND_MS = 1000;

/** Maximum per second. */
interface Bounds {
  readonly frames: number;
  readonly chars: number;
}

/** Detects a service that floods a stream with frames. */
export class FloodGuard {
  readonly #most: Bounds;
  #second = Number.NEGATIVE_INFINITY;
  #frames = 0;
  #chars = 0;

  constructor(most: Bounds) {
    this.#most = most;
  }

  /** Counts a frame that arrived at `now` (ms). Returns a description for the log if a bound is exceeded. */
  count(text: string, now: number): string | undefined {
    if (Math.abs(now - this.#second) >= SECOND_MS) [this.#second, this.#frames, this.#chars] = [now, 0, 0];
    this.#frames += 1;
    this.#chars += text.length;
    return this.#frames > this.#most.frames || this.#chars > this.#most.chars
      ? `${this.#frames} frames, ${this.#chars} characters in a second`
      : undefined;
  }
}
