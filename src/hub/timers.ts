/** Time for the hub, passed in so that a test can control it. */
export interface HubTimers {
  /** ms on a clock that never goes back. The zero is arbitrary. */
  now(): number;
  /** Runs `task` once, `ms` from now; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}
