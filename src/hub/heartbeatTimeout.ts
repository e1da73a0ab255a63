const LOOK_MS = 200;

/**
 * Calls back once after this time without a message. The time is counted in small steps, so that a computer that
 * slept for an hour does not count as an hour of silence. Messages that arrived while this process was busy are read
 * before the silence is judged.
 */
export class HeartbeatTimeout {
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
