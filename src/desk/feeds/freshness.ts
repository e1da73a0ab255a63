import { Event } from "../event.ts";
import type { Timers } from "../../time/timers.ts";
import type { MarketState } from "./marketState.ts";

/** Older prices are stale at any poll interval. */
const LONGEST_FRESH_MS = 60_000;

/** Whether the newest poll of the market is fresh enough to be shown as current. */
export class Freshness {
  readonly #timers: Timers;
  readonly #aged = new Event<void>();
  #intervalMs: number;
  #newestPoll: Pick<MarketState, "readAt" | "problem"> = { readAt: undefined, problem: undefined };
  #isDoubtful = false;
  #doubtedAt = Number.NEGATIVE_INFINITY;
  /** The staleness that listeners know of. */
  #reported = false;
  #cancelAging: (() => void) | undefined;

  /** Fires when the market becomes stale or fresh other than by a poll: a window that the user left does not poll. */
  readonly onDidChange = this.#aged.add;

  /** `intervalMs`: the expected poll interval. */
  constructor(timers: Timers, intervalMs: number) {
    this.#timers = timers;
    this.#intervalMs = intervalMs;
  }

  /**
   * Time since the newest poll was requested, in ms. Undefined before the first response, negative after the clock was
   * set back.
   */
  get ageMs(): number | undefined {
    const { readAt } = this.#newestPoll;
    return readAt === undefined ? undefined : this.#timers.now() - readAt;
  }

  /** The expected poll interval, in ms. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  /**
   * Whether the newest poll failed, the data are in doubt, or they are older than a minute or than two intervals and
   * ten seconds.
   */
  get isStale(): boolean {
    const { ageMs } = this;
    if (ageMs === undefined) return false;
    return this.#isKnownStale || ageMs > this.#longestFreshMs;
  }

  /** Whether the age of the data is within the poll interval. */
  get isOnTime(): boolean {
    const { ageMs } = this;
    return ageMs !== undefined && !this.#isKnownStale && ageMs <= this.#longestOnTimeMs;
  }

  /** Sets the expected poll interval. Much older data are stale. */
  expectEvery(ms: number): void {
    if (ms === this.#intervalMs) return;
    this.#intervalMs = ms;
    this.#watchAge();
  }

  /** Call after a sleep: marks all data, and the response to any earlier request, as stale. */
  markStale(): void {
    this.#doubtedAt = this.#timers.now();
    this.#isDoubtful = this.#newestPoll.readAt !== undefined;
    this.#watchAge();
  }

  /**
   * Applies the newest poll. `isNews`: it has data of its own, or succeeded. Data are in doubt if they were requested
   * before the last `doubt`, or if their time is in the future after the clock was set. Returns whether the market
   * became stale or fresh.
   */
  apply(poll: Pick<MarketState, "readAt" | "problem">, isNews: boolean): boolean {
    this.#newestPoll = poll;
    const { readAt } = poll;
    if (isNews)
      this.#isDoubtful = readAt !== undefined && (readAt < this.#doubtedAt || readAt > this.#timers.now());
    const { isStale } = this;
    const isChanged = isStale !== this.#reported;
    this.#reported = isStale;
    this.#watchAge();
    return isChanged;
  }

  /** Forgets the newest poll. */
  clear(): void {
    this.#newestPoll = { readAt: undefined, problem: undefined };
    this.#isDoubtful = false;
    this.#reported = false;
    this.#watchAge();
  }

  dispose(): void {
    this.#cancelAging?.();
  }

  get #isKnownStale(): boolean {
    return this.#isDoubtful || this.#newestPoll.problem !== undefined;
  }

  get #longestOnTimeMs(): number {
    return 2 * this.#intervalMs + 10_000;
  }

  get #longestFreshMs(): number {
    return Math.min(LONGEST_FRESH_MS, this.#longestOnTimeMs);
  }

  #watchAge(): void {
    this.#cancelAging?.();
    this.#cancelAging = undefined;
    const { ageMs, isStale } = this;
    if (isStale !== this.#reported) {
      this.#reported = isStale;
      this.#aged.fire();
    }
    if (ageMs === undefined || isStale) return;
    this.#cancelAging = this.#timers.after(this.#longestFreshMs + 1 - ageMs, () => this.#watchAge());
  }
}
