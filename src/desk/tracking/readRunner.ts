import { RefusedError, retryTime } from "../../exchange/errors.ts";
import { meaningOf } from "../../exchange/meaning.ts";
import { type NamedPair, pairKey } from "../../market/pair.ts";
import { Disposable } from "../disposable.ts";
import type { Timers } from "../../time/timers.ts";
import {
  type Attempt,
  type FollowedOrder,
  plannedReads,
  type Read,
  readKey,
  type Sources,
} from "./dueReads.ts";

export interface ReadRunnerOptions {
  readonly timers: Timers;
  readonly orders: () => readonly FollowedOrder[];
  readonly sources: () => Omit<Sources, "attempts">;
  /** Whether this window currently reads for all windows. */
  readonly isMine: () => boolean;
  /** Sends one request and records what it states. */
  readonly ask: (read: Read) => Promise<unknown>;
  /** Called if the exchange no longer has the path of a source: it may have a new one. */
  readonly onGone: (error: unknown) => void;
  readonly log: (message: string) => void;
}

/** At most two requests a second. */
const SPACING_MS = 500;
/** A request that hangs until its timeout must not hold up the others. */
const MOST_PENDING = 4;
/** The orders, the visible pairs and the window that polls may change without an event. */
const LONGEST_WAIT_MS = 5_000;
/** Error codes for a pair or path that the exchange does not have. */
const UNSUPPORTED: ReadonlySet<number | string> = new Set([61, 404]);

/** Sends the reads that are due, one every half second. A read that fails or hangs delays only itself. */
export class ReadRunner extends Disposable {
  readonly #options: ReadRunnerOptions;
  readonly #attempts = new Map<string, Attempt>();
  readonly #pending = new Map<string, Promise<void>>();
  #sentAt = Number.NEGATIVE_INFINITY;
  #succeededAt = Number.NEGATIVE_INFINITY;
  #cancelNext: (() => void) | undefined;
  #isDisposed = false;

  constructor(options: ReadRunnerOptions) {
    super();
    this.#options = options;
    this.register(() => {
      this.#isDisposed = true;
      this.#cancelNext?.();
    });
  }

  /** Plans the next read anew. To be called when the orders change. */
  plan(): void {
    this.#wait(0);
  }

  /** Makes every read due, or those of one pair: events since the last poll are not replayed. */
  readNow(named?: NamedPair): void {
    if (named) {
      const pair = ` ${pairKey(named.pair)}`;
      for (const key of this.#attempts.keys())
        if (key.endsWith(pair) || key.includes(`${pair} `)) this.#attempts.delete(key);
    } else this.#attempts.clear();
    this.plan();
  }

  #wait(ms: number): void {
    this.#cancelNext?.();
    this.#cancelNext = undefined;
    if (this.#isDisposed || this.#pending.size >= MOST_PENDING) return;
    const { timers } = this.#options;
    const sinceMs = timers.now() - this.#sentAt;
    const spacingMs = sinceMs >= 0 ? SPACING_MS - sinceMs : 0;
    const waitMs = Math.max(0, spacingMs, Math.min(LONGEST_WAIT_MS, ms));
    this.#cancelNext = timers.after(waitMs, () => this.#next());
  }

  #next(): void {
    const { timers, orders, isMine } = this.#options;
    this.#cancelNext = undefined;
    if (this.#isDisposed) return;
    if (!isMine()) return this.#wait(LONGEST_WAIT_MS);
    const now = timers.now();
    const planned = plannedReads(
      orders(),
      { ...this.#options.sources(), attempts: this.#attempts },
      now,
    ).filter(({ read }) => !this.#pending.has(readKey(read)));
    const due = planned.find(({ at }) => at <= now);
    if (due) this.#begin(due.read, now);
    this.#wait(due ? 0 : planned.reduce((ms, { at }) => Math.min(ms, at - now), LONGEST_WAIT_MS));
  }

  #begin(read: Read, now: number): void {
    this.#sentAt = now;
    const key = readKey(read);
    this.#pending.set(
      key,
      this.#send(read, key, now).finally(() => {
        this.#pending.delete(key);
        this.plan();
      }),
    );
  }

  async #send(read: Read, key: string, at: number): Promise<void> {
    const { ask, log, onGone, timers } = this.#options;
    const before = this.#attempts.get(key);
    const attempt: Attempt = { at, failures: before?.failures ?? 0, isUnsupported: false };
    this.#attempts.set(key, attempt);
    const end = (result: Partial<Attempt>): void => {
      // If the read became due meanwhile, its response may be from before the reason.
      if (this.#attempts.get(key) === attempt) this.#attempts.set(key, { ...attempt, ...result });
    };
    try {
      await ask(read);
      this.#succeededAt = timers.now();
      end({ failures: 0 });
    } catch (error) {
      const isUnsupported = error instanceof RefusedError && UNSUPPORTED.has(error.code);
      const isGone = meaningOf(error) === "wrongPath";
      if (!isUnsupported || isGone) log(`${key}: ${error instanceof Error ? error.message : String(error)}`);
      const retryAt = retryTime(error);
      if (retryAt !== undefined) return end({ retryAt });
      // While nothing succeeds, the exchange fails and not this read, which is wanted as soon as it is back.
      const isAlone = before !== undefined && this.#succeededAt >= before.at;
      end({
        failures: isAlone ? before.failures + 1 : Math.max(1, attempt.failures),
        isUnsupported: isUnsupported || isGone,
      });
      if (isGone) onGone(error);
    }
  }
}
