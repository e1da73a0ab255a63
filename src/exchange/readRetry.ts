import { messageOf } from "./errors.ts";
import { systemTimers, type After } from "../time/timers.ts";
import { isTransient } from "./meaning.ts";

/** Maximum delay before each retry, ms. */
const WAITS_MS = [300, 600];

/** Lets a window that is no longer responsible for polling abort a read. Default: always allowed. */
export interface ReadGate {
  /** Called once before each retry. False ends the read with its last failure. */
  readonly mayRetry?: () => boolean;
  /** Called right before the first byte of each request. False ends the read (NotSentError, `tooLate`). */
  readonly mayStillSend?: () => boolean;
}

/**
 * Runs a read or a cancellation, and retries it after transient failures. `mayRetry` is called once before each retry;
 * false ends it with the last failure.
 */
export type ReadRetry = <T>(read: () => Promise<T>, mayRetry?: () => boolean) => Promise<T>;

export interface ReadRetryOptions {
  /** Maximum delay before each retry, ms; one retry per entry. */
  readonly readWaitsMs?: readonly number[];
  readonly after?: After;
  /** 0 (inclusive) to 1. A delay is between half of its maximum and the maximum. */
  readonly random?: () => number;
}

/** For reads and cancellations, which are safe to repeat; orders are never retried. `log` receives each retry. */
export function createReadRetry(options: ReadRetryOptions, log: (text: string) => void): ReadRetry {
  const { readWaitsMs = WAITS_MS, after = systemTimers.after, random = () => 1 } = options;
  return async (read, mayRetry = () => true) => {
    for (const longest of readWaitsMs) {
      try {
        return await read();
      } catch (error) {
        if (!isTransient(error)) throw error;
        const ms = longest * (0.5 + random() / 2);
        log(`${messageOf(error)}; trying again in ${Math.round(ms)} ms`);
        await new Promise<void>((resolve) => void after(ms, resolve));
        // Another window may have taken over polling in the meantime.
        if (!mayRetry()) throw error;
      }
    }
    return await read();
  };
}
