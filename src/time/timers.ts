/** Time and timers, passed in so that a test can control them. */
export interface Timers {
  /** ms since the epoch on the local clock, or on a clock that is never set. */
  now(): number;
  /** Runs `task` once, `ms` from now; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}

export type After = Timers["after"];

export const systemTimers: Timers = {
  now: () => Date.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};

/** The same, on a clock that is never set: `now` is not the time of day. */
export const monotonicTimers: Timers = { ...systemTimers, now: () => performance.now() };
