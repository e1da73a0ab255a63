const LOOK_MS = 200;

/**
 * Calls back once when nothing was heard for so long. Counted up in small steps: a machine that slept for an hour has
 * not heard anybody be silent for an hour.
 */
export class Silence {
  readonly #looks: NodeJS.Timeout;
  #silentMs = 0;
  #looked = performance.now();

  constructor(longestMs: number, broken: () => void) {
    this.#looks = setInterval(() => {
      const now = performance.now();
      this.#silentMs += Math.min(now - this.#looked, 2 * LOOK_MS);
      this.#looked = now;
      if (this.#silentMs < longestMs) return;
      this.stop();
      broken();
    }, LOOK_MS);
  }

  heard(): void {
    this.#silentMs = 0;
  }

  stop(): void {
    clearInterval(this.#looks);
  }
}
