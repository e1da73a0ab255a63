/** Monotonic time and timers, passed in so that tests control them. */
export interface HubTimers {
  /** Monotonic ms with an arbitrary origin. */
  now(): number;
  after(ms: number, task: () => void): () => void;
}
