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
  readonly intervalMs: number;
  /** One round; never rejects. */
  readonly run: () => Promise<PollResult>;
}

/**
 * Repeats a read while anyone watches. The next round is armed after the last answer, so rounds never pile up;
 * failures back off with jitter to a minute, and a service's block is waited out.
 */
export class Poll {
  readonly #options: PollOptions;
  #intervalMs: number;
  #watchers = 0;
  #failures = 0;
  #running: Promise<void> | undefined;
  #again = false;
  #cancelNext: (() => void) | undefined;
  #lastEnd = Number.NEGATIVE_INFINITY;

  constructor(options: PollOptions) {
    this.#options = options;
    this.#intervalMs = options.intervalMs;
  }

  get intervalMs(): number {
    return this.#intervalMs;
  }

  /** Keeps the poll going until the returned function is called. The first round starts at once if one is due. */
  watch(): () => void {
    this.#watchers += 1;
    if (this.#watchers === 1) this.#arm(this.#dueIn());
    let watching = true;
    return () => {
      if (!watching) return;
      watching = false;
      this.#watchers -= 1;
      if (this.#watchers === 0) this.#disarm();
    };
  }

  /** Runs a round now, or shares the one under way. */
  refresh(): Promise<void> {
    this.#disarm();
    this.#running ??= this.#round();
    return this.#running;
  }

  /** Forgets failures and reads anew, after the round under way if there is one: what it reads is no longer wanted. */
  async restart(): Promise<void> {
    this.#failures = 0;
    if (this.#running) {
      this.#again = true;
      await this.#running;
    } else await this.refresh();
  }

  get isWatched(): boolean {
    return this.#watchers > 0;
  }

  /** Puts the next round off, to `ms` from now: something else is to go first. One that is asked for goes at once. */
  putOff(ms: number): void {
    if (this.isWatched) this.#arm(ms);
  }

  setInterval(ms: number): void {
    if (ms === this.#intervalMs) return;
    this.#intervalMs = ms;
    if (this.#watchers > 0 && !this.#running) this.#arm(this.#dueIn());
  }

  dispose(): void {
    this.#watchers = 0;
    this.#disarm();
  }

  async #round(): Promise<void> {
    let result: PollResult;
    do {
      this.#again = false;
      result = await this.#options.run();
    } while (this.#again);
    this.#failures = result.ok ? 0 : this.#failures + 1;
    this.#lastEnd = this.#options.timers.now();
    this.#running = undefined;
    if (this.#watchers > 0) this.#arm(this.#pause(result));
  }

  #dueIn(): number {
    const age = this.#options.timers.now() - this.#lastEnd;
    return age < 0 ? 0 : Math.max(0, this.#intervalMs - age);
  }

  #pause({ ok, retryAt }: PollResult): number {
    if (ok) return this.#intervalMs;
    const { random, timers } = this.#options;
    const pause = backoffMs(this.#failures, this.#intervalMs, random);
    return Math.max(pause, (retryAt ?? 0) - timers.now());
  }

  #arm(ms: number): void {
    this.#disarm();
    if (this.#running) return;
    this.#cancelNext = this.#options.timers.after(ms, () => void this.refresh());
  }

  #disarm(): void {
    this.#cancelNext?.();
    this.#cancelNext = undefined;
  }
}
