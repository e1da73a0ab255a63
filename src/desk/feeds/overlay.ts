import type { Timers } from "../../time/timers.ts";
import type { Watching } from "../venue.ts";
import type { Source } from "./source.ts";

/** 1%: how far a streamed price may differ from a polled one that is some seconds old. */
export const TOLERANCE = 0.01;

/** Delay before a contradictory stream is reopened; it doubles up to the maximum. */
const WAIT_MS = 15_000;
const LONGEST_WAIT_MS = 10 * 60_000;

export interface OverlayOptions<Target, Update> {
  /** For the log. */
  readonly name: string;
  /** Undefined if streams are not available. */
  readonly source: Source<Target, Update> | undefined;
  readonly timers: Timers;
  readonly log: { warn(message: string): void } | undefined;
}

/** Follows a stream alongside polls. A stream that contradicts two polls in a row is closed and reopened later. */
export class Overlay<Target, Update> {
  readonly #options: OverlayOptions<Target, Update>;
  /** Names whose last comparison with a poll was a contradiction. */
  readonly #suspects = new Set<string>();
  #failures = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #begin: (() => () => void) | undefined;
  #stop: (() => void) | undefined;
  #cancelRetry: (() => void) | undefined;

  constructor(options: OverlayOptions<Target, Update>) {
    this.#options = options;
  }

  follow(target: Target, venue: Watching, report: (update: Update) => void): void {
    this.stop();
    const { source } = this.#options;
    if (!source?.offers(venue)) return;
    this.#begin = () => source.follow(target, report);
    this.#stop = this.#begin();
  }

  stop(): void {
    this.#stop?.();
    this.#cancelRetry?.();
    this.#begin = this.#stop = this.#cancelRetry = undefined;
    this.#suspects.clear();
  }

  /** Records whether the stream agrees with a poll on one name. True at the second contradiction in a row. */
  isContradicted(name: string, agrees: boolean): boolean {
    if (agrees) this.#suspects.delete(name);
    else if (this.#suspects.has(name)) return true;
    else this.#suspects.add(name);
    return false;
  }

  /** Closes the stream as contradictory, for a delay that doubles each time. */
  drop(detail = ""): void {
    const { name, timers, log } = this.#options;
    const now = timers.now();
    // A stream that was right for longer than the maximum delay starts over.
    if (now - this.#failedAt > 2 * LONGEST_WAIT_MS) this.#failures = 0;
    this.#failedAt = now;
    const waitMs = Math.min(LONGEST_WAIT_MS, WAIT_MS * 2 ** Math.min(this.#failures++, 10));
    const seconds = Math.round(waitMs / 1000);
    log?.warn(`The ${name} contradicted two polls in a row${detail}: closed for ${seconds} s`);
    this.#stop?.();
    this.#stop = undefined;
    this.#suspects.clear();
    this.#cancelRetry = timers.after(waitMs, () => {
      this.#stop = this.#begin?.();
    });
  }
}
