import { retryTime } from "../../exchange/errors.ts";
import { MOST_LEVELS } from "../../market/book/book.ts";
import { Disposable } from "../disposable.ts";
import { Poll, type PollResult } from "../feeds/poll.ts";
import type { Timers } from "../time/timers.ts";
import type { CurrentVenue, Venue } from "../venue.ts";
import { bookIntervalMs } from "../windows/readIntervals.ts";
import type { Windows } from "../windows/windows.ts";
import type { BookSource, BookTarget, BookUpdate } from "./bookSource.ts";

/** How many trades are asked for. */
const TRADES = 30;

export interface PolledBookOptions {
  readonly venue: Pick<CurrentVenue, "read">;
  readonly windows: Pick<Windows, "demand" | "onDidChange">;
  readonly timers: Timers;
  /** 0 (inclusive) to 1. */
  readonly random: () => number;
}

interface Following extends BookTarget {
  readonly report: (update: BookUpdate) => void;
}

/**
 * Book and trades by requests: one of each in a second at most, whatever the pairs, and fewer while the window is not in
 * front. A failure is waited for as those of other reads.
 */
export class PolledBook extends Disposable implements BookSource {
  readonly #options: PolledBookOptions;
  readonly #poll: Poll;
  #following: Following | undefined;

  constructor(options: PolledBookOptions) {
    super();
    this.#options = options;
    const { timers, random } = options;
    this.#poll = this.register(new Poll({ timers, random, run: () => this.#read() }));
    this.register(options.windows.onDidChange(() => this.#pace()));
  }

  offers({ client }: Venue): boolean {
    return client.capabilities.depth !== undefined;
  }

  follow(target: BookTarget, report: Following["report"]): () => void {
    const following = (this.#following = { ...target, report });
    // A failure of the pair before says nothing of this one. A rate limit does: the client sends nothing until it ends.
    this.#poll.noteEnd({ ok: true });
    this.#pace();
    return () => {
      if (this.#following !== following) return;
      this.#following = undefined;
      this.#pace();
    };
  }

  #pace(): void {
    this.#poll.setInterval(this.#following && bookIntervalMs(this.#options.windows.demand));
  }

  async #read(): Promise<PollResult> {
    const following = this.#following;
    if (!following) return { ok: true };
    const { venue, named, report } = following;
    // The next round comes soon, so nothing is repeated. A page that was hidden meanwhile needs no answer.
    const gate = { beginAgain: () => false, mayStillGo: () => this.#following === following };
    const at = this.#options.timers.now();
    const [depth, trades] = await Promise.all([
      settled(
        this.#options.venue.read(venue, async ({ capabilities }) =>
          capabilities.depth?.(named, MOST_LEVELS, gate),
        ),
      ),
      settled(
        this.#options.venue.read(venue, async ({ capabilities }) =>
          capabilities.trades?.(named, TRADES, gate),
        ),
      ),
    ]);
    if (this.#following !== following) return { ok: true };
    // Trades that could not be read leave the earlier ones, which have their times on them.
    report({ at, ...(depth && { depth }), ...(trades && "trades" in trades && { trades: trades.trades }) });
    const errors = [depth, trades].flatMap((part) => (part && "error" in part ? [part.error] : []));
    const retryAt = errors.map(retryTime).find((time) => time !== undefined);
    return { ok: depth === undefined || !("error" in depth), retryAt };
  }
}

async function settled<T>(reading: Promise<T>): Promise<T | { readonly error: unknown }> {
  try {
    return await reading;
  } catch (error) {
    return { error };
  }
}
