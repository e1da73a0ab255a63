import type { Timers } from "../../time/timers.ts";
import { backoffMs } from "../../exchange/backoff.ts";

/** The result of one round of a poll. `retryAt`: end of a rate limit, ms since the epoch. */
export interface PollResult {
  readonly ok: boolean;
  readonly retryAt?: number | undefined;
}

export interface PollOptions {
  readonly timers: Timers;
  /** 0 (inclusive) to 1, for the jitter. */
  readonly random: () => number;
  /** Called right before each round, once. False skips the round. Default: always true. */
  readonly begin?: () => boolean;
  /** One round; never rejects. */
  readonly run: () => Promise<PollResult>;
}

/**
 * Repeats a read at an interval, if there is one. The next round is scheduled when the previous one has ended, so
 * rounds never overlap. Failures back off with jitter up to a minute. A rate limit delays the next round until it ends.
 */
export class Poll {
  readonly #options: PollOptions;
  #intervalMs: number | undefined;
  #failures = 0;
  #running: Promise<void> | undefined;
  #isRepeatDue = false;
  #cancelNext: (() => void) | undefined;
  /** When the last round ended here or began in another window. */
  #lastRound = Number.NEGATIVE_INFINITY;
  /** No round before this time. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  /** After failures: the earliest time of the next round. */
  #notBefore: number | undefined;

  constructor(options: PollOptions) {
    this.#options = options;
  }

  /** Undefined while nothing is repeated. */
  get intervalMs(): number | undefined {
    return this.#intervalMs;
  }

  /**
   * Repeats from now on at this interval, counted from the last round; undefined stops. The first round starts at
   * once if it is due.
   */
  setInterval(ms: number | undefined): void {
    if (ms === this.#intervalMs) return;
    this.#intervalMs = ms;
    this.#arm();
  }

  /** Runs a round now, or shares the running one. */
  refresh(): Promise<void> {
    if (this.#running) return this.#running;
    this.#disarm();
    if (!this.#begin()) {
      this.#arm(this.#intervalMs);
      return Promise.resolve();
    }
    return (this.#running = this.#round());
  }

  /**
   * Forgets failures and reads again, after a running round if there is one, because the result of that round is
   * outdated.
   */
  async restart(): Promise<void> {
    this.#forget();
    if (this.#running) {
      this.#isRepeatDue = true;
      await this.#running;
    } else await this.refresh();
  }

  /** Whether a round has begun and not ended. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get isRepeating(): boolean {
    return this.#intervalMs !== undefined;
  }

  /**
   * Delays the next round until `ms` from now, because something else goes first. A requested round still starts at
   * once.
   */
  holdFor(ms: number): void {
    this.#heldUntil = this.#options.timers.now() + ms;
    this.#arm();
  }

  /** The last result is outdated: a round is due at once, if there is an interval. */
  reset(): void {
    this.#forget();
    this.#isRepeatDue = this.#running !== undefined;
    this.#arm();
  }

  /** Another window has begun a round, ms since the epoch. It counts as a round of this poll. */
  noteBegin(at: number): void {
    this.#lastRound = Math.max(this.#lastRound, at);
  }

  /** The result of another window's round. */
  noteEnd({ ok, retryAt }: PollResult): void {
    this.#failures = ok ? 0 : this.#failures + 1;
    this.#notBefore = ok ? undefined : retryAt;
  }

  dispose(): void {
    this.#intervalMs = undefined;
    this.#disarm();
  }

  #begin(): boolean {
    return this.#options.begin?.() ?? true;
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
      this.#isRepeatDue = false;
      result = await this.#options.run();
    } while (this.#isRepeatDue && this.#begin());
    // An outdated result counts for nothing: the next round is due as soon as one may begin.
    if (!this.#isRepeatDue) this.#count(result);
    this.#running = undefined;
    this.#arm();
  }

  #count({ ok, retryAt }: PollResult): void {
    this.#failures = ok ? 0 : this.#failures + 1;
    this.#lastRound = this.#options.timers.now();
    this.#notBefore = ok ? undefined : this.#lastRound + this.#pause(retryAt);
  }

  #pause(retryAt = 0): number {
    const { random, timers } = this.#options;
    const pause = backoffMs(this.#failures, this.#intervalMs ?? 0, random);
    return Math.max(pause, retryAt - timers.now());
  }

  #dueIn(intervalMs: number): number {
    const now = this.#options.timers.now();
    const age = now - this.#lastRound;
    // The clock was set back, so the time since the last round is unknown.
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
