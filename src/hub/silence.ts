const LOOK_MS = 200;

/**
 * Calls back once when nothing was heard for so long. Counted up in small steps: a machine that slept for an hour has
 * not heard anybody be silent for an hour. What was said while this process was busy is read before it is judged.
 */
export class Silence {
  readonly #longestMs: number;
  readonly #broken: () => void;
  readonly #looks: NodeJS.Timeout;
  #judgement: NodeJS.Immediate | undefined;
  #silentMs = 0;
  #looked = performance.now();

  constructor(longestMs: number, broken: () => void) {
    this.#longestMs = longestMs;
    this.#broken = broken;
    this.#looks = setInterval(() => {
      const now = performance.now();
      this.#silentMs += Math.min(now - this.#looked, 2 * LOOK_MS);
      this.#looked = now;
      // Timers run first in a turn of the event loop, then sockets are read, then this.
      if (this.#silentMs >= longestMs) this.#judgement = setImmediate(() => this.#judge());
    }, LOOK_MS);
  }

  heard(): void {
    this.#silentMs = 0;
  }

  stop(): void {
    clearInterval(this.#looks);
    clearImmediate(this.#judgement);
  }

  #judge(): void {
    if (this.#silentMs < this.#longestMs) return;
    this.stop();
    this.#broken();
  }
}
