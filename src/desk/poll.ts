import { backoffMs } from "./backoff.ts";
import type { Timers } from "./timers.ts";

/** What one round of a poll came to. `retryAt`: a service's block, ms since the epoch. */
export interface PollResult {
  readonly ok: boolean;
  readonly retryAt?: number | undefined;
}

export interface PollOptions {
  readonly timers: Timers;
  /** 0 (inclusive) to 1, for the jitter. */
  readonly random: () => number;
  /** Asked right before each round; where false there is none. Not given: always. */
  readonly mayBegin?: () => boolean;
  /** One round; never rejects. */
  readonly run: () => Promise<PollResult>;
}

/**
 * Repeats a read at an interval, while there is one. The next round is armed after the last answer, so rounds never pile
 * up; failures back off with jitter to a minute, and a service's block is waited out.
 */
export class Poll {
  readonly #options: PollOptions;
  #intervalMs: number | undefined;
  #failures = 0;
  #running: Promise<void> | undefined;
  #again = false;
  #cancelNext: (() => void) | undefined;
  /** When the last round ended, or began in another window. */
  #lastRound = Number.NEGATIVE_INFINITY;
  /** Put off until then. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  /** After failures: when the next round may be. */
  #notBefore: number | undefined;

  constructor(options: PollOptions) {
    this.#options = options;
  }

  /** Undefined while nothing is repeated. */
  get intervalMs(): number | undefined {
    return this.#intervalMs;
  }

  /** Repeats from now on, so long after the last round; undefined: no more. The first round comes at once if one is due. */
  setInterval(ms: number | undefined): void {
    if (ms === this.#intervalMs) return;
    this.#intervalMs = ms;
    this.#arm();
  }

  /** Runs a round now, or shares the one under way. */
  refresh(): Promise<void> {
    if (this.#running) return this.#running;
    this.#disarm();
    if (!this.#mayBegin()) {
      this.#arm(this.#intervalMs);
      return Promise.resolve();
    }
    return (this.#running = this.#round());
  }

  /** Forgets failures and reads anew, after the round under way if there is one: what it reads is no longer wanted. */
  async restart(): Promise<void> {
    this.#forget();
    if (this.#running) {
      this.#again = true;
      await this.#running;
    } else await this.refresh();
  }

  get isRepeating(): boolean {
    return this.#intervalMs !== undefined;
  }

  /** Puts the next round off, to `ms` from now: something else is to go first. One that is asked for goes at once. */
  putOff(ms: number): void {
    this.#heldUntil = this.#options.timers.now() + ms;
    this.#arm();
  }

  /** What was read belongs to the past: a round is due at once, if there is an interval. */
  reset(): void {
    this.#forget();
    this.#again = this.#running !== undefined;
    this.#arm();
  }

  /** Another window has begun a round, ms since the epoch: it counts as one of this poll. */
  noteBegin(at: number): void {
    this.#lastRound = Math.max(this.#lastRound, at);
  }

  /** Another window's round came to this. */
  noteEnd({ ok, retryAt }: PollResult): void {
    this.#failures = ok ? 0 : this.#failures + 1;
    this.#notBefore = ok ? undefined : retryAt;
  }

  dispose(): void {
    this.#intervalMs = undefined;
    this.#disarm();
  }

  #mayBegin(): boolean {
    return this.#options.mayBegin?.() ?? true;
  }

  #forget(): void {
    this.#failures = 0;
    this.#notBefore = undefined;
    this.#lastRound = Number.NEGATIVE_INFINITY;
    this.#heldUntil = Number.NEGATIVE_INFINITY;
  }

  async #round(): Promise<void> {
    this.#heldUntil = Number.NEGATIVE_INFINITY;
    let result: PollResult;
    do {
      this.#again = false;
      result = await this.#options.run();
    } while (this.#again && this.#mayBegin());
    this.#failures = result.ok ? 0 : this.#failures + 1;
    this.#lastRound = this.#options.timers.now();
    this.#notBefore = result.ok ? undefined : this.#lastRound + this.#pause(result.retryAt);
    this.#running = undefined;
    this.#arm();
  }

  #pause(retryAt = 0): number {
    const { random, timers } = this.#options;
    const pause = backoffMs(this.#failures, this.#intervalMs ?? 0, random);
    return Math.max(pause, retryAt - timers.now());
  }

  #dueIn(intervalMs: number): number {
    const now = this.#options.timers.now();
    const age = now - this.#lastRound;
    // The clock was set back: nothing tells how long ago it was.
    if (age < 0) return 0;
    return Math.max(0, this.#notBefore === undefined ? intervalMs - age : this.#notBefore - now);
  }

  #arm(ms = this.#intervalMs === undefined ? undefined : this.#dueIn(this.#intervalMs)): void {
    this.#disarm();
    if (this.#running || this.#intervalMs === undefined || ms === undefined) return;
    const { timers } = this.#options;
    this.#cancelNext = timers.after(Math.max(ms, this.#heldUntil - timers.now()), () => void this.refresh());
  }

  #disarm(): void {
    this.#cancelNext?.();
    this.#cancelNext = undefined;
  }
}
