import { messageOf } from "./errors.ts";
import { afterTime, type After } from "./http/after.ts";
import { isTransient } from "./meaning.ts";

/** The longest wait before each repetition, ms. */
const WAITS_MS = [300, 600];

/** Asks whether this window may still read, because another window may have taken over. Default: it may. */
export interface ReadGate {
  /** Called right before each repetition, once. False ends the read with its last failure. */
  readonly beginAgain?: () => boolean;
  /** Called right before the first byte of each request. False ends the read (NotSentError, `tooLate`). */
  readonly mayStillGo?: () => boolean;
}

/**
 * Runs a read, and repeats it after a failure that may be temporary. `beginAgain` is called right before each
 * repetition, once; false ends the read with its last failure.
 */
export type ReadRetry = <T>(read: () => Promise<T>, beginAgain?: () => boolean) => Promise<T>;

export interface ReadRetryOptions {
  /** The longest wait before each repetition, ms; as many repetitions as waits. */
  readonly readWaitsMs?: readonly number[];
  readonly after?: After;
  /** 0 (inclusive) to 1: a wait lasts between half of it and all of it. */
  readonly random?: () => number;
}

/** For reads only: an order is never sent again. `tell` is called for each repetition. */
export function createReadRetry(options: ReadRetryOptions, tell: (text: string) => void): ReadRetry {
  const { readWaitsMs = WAITS_MS, after = afterTime, random = () => 1 } = options;
  return async (read, beginAgain = () => true) => {
    for (const longest of readWaitsMs) {
      try {
        return await read();
      } catch (error) {
        if (!isTransient(error)) throw error;
        const ms = longest * (0.5 + random() / 2);
        tell(`${messageOf(error)}; trying again in ${Math.round(ms)} ms`);
        await new Promise<void>((resolve) => void after(ms, resolve));
        // Another window may have started to ask in the meantime.
        if (!beginAgain()) throw error;
      }
    }
    return await read();
  };
}
