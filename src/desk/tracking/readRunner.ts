import { RefusedError } from "../../exchange/errors.ts";
import { type NamedPair, pairKey } from "../../market/pair.ts";
import { Disposable } from "../disposable.ts";
import type { Timers } from "../time/timers.ts";
import {
  type Attempt,
  dueReads,
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
  /** Called once for each source that the exchange no longer has at all: it may have a new path. */
  readonly onGone: (source: Read["source"]) => void;
  readonly log: (message: string) => void;
}

/** At most two requests a second. */
const SPACING_MS = 500;
/** A request that hangs until its timeout must not hold up the others. */
const MOST_PENDING = 4;
/** Error codes for a pair or path that the exchange does not have. */
const UNSUPPORTED: ReadonlySet<number | string> = new Set([61, 404]);

/** Sends the reads that are due, one every half second. A read that fails or hangs delays only itself. */
export class ReadRunner extends Disposable {
  readonly #options: ReadRunnerOptions;
  readonly #attempts = new Map<string, Attempt>();
  readonly #pending = new Map<string, Promise<void>>();
  readonly #gone = new Set<Read["source"]>();
  #sentAt = Number.NEGATIVE_INFINITY;
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

  /** Plans the next read anew. To be called when the orders, the visible pairs or the reading window change. */
  plan(): void {
    this.#cancelNext?.();
    this.#cancelNext = undefined;
    const { timers, isMine } = this.#options;
    if (this.#isDisposed || !isMine() || this.#pending.size >= MOST_PENDING) return;
    const now = timers.now();
    const times = plannedReads(this.#options.orders(), this.#sources(), now)
      .filter(({ read }) => !this.#pending.has(readKey(read)))
      .map(({ at }) => at);
    if (times.length === 0) return;
    const sinceMs = now - this.#sentAt;
    const spacing = sinceMs >= 0 && sinceMs < SPACING_MS ? SPACING_MS - sinceMs : 0;
    const waitMs = Math.max(spacing, times.reduce((one, other) => Math.min(one, other)) - now);
    this.#cancelNext = timers.after(waitMs, () => this.#next());
  }

  /** Makes every read due, or those of one pair: events since the last reading are not replayed. */
  readNow(named?: NamedPair): void {
    if (named) {
      const pair = ` ${pairKey(named.pair)}`;
      for (const key of this.#attempts.keys())
        if (key.endsWith(pair) || key.includes(`${pair} `)) this.#attempts.delete(key);
    } else this.#attempts.clear();
    this.plan();
  }

  #sources(): Sources {
    return { ...this.#options.sources(), attempts: this.#attempts };
  }

  #next(): void {
    const { timers, orders, isMine } = this.#options;
    this.#cancelNext = undefined;
    if (this.#isDisposed || !isMine()) return;
    const now = timers.now();
    const read = dueReads(orders(), this.#sources(), now).find((each) => !this.#pending.has(readKey(each)));
    if (read) {
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
    this.plan();
  }

  async #send(read: Read, key: string, at: number): Promise<void> {
    const { ask, log } = this.#options;
    const failures = this.#attempts.get(key)?.failures ?? 0;
    this.#attempts.set(key, { at, failures, isUnsupported: false });
    try {
      await ask(read);
      this.#attempts.set(key, { at, failures: 0, isUnsupported: false });
    } catch (error) {
      const isUnsupported = error instanceof RefusedError && UNSUPPORTED.has(error.code);
      this.#attempts.set(key, { at, failures: failures + 1, isUnsupported });
      log(`${key}: ${error instanceof Error ? error.message : String(error)}`);
      if (isUnsupported && read.source === "info") this.#noteGone(read.source);
    }
  }

  #noteGone(source: Read["source"]): void {
    if (this.#gone.has(source)) return;
    this.#gone.add(source);
    this.#options.onGone(source);
  }
}
