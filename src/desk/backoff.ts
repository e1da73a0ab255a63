const LONGEST_PAUSE_MS = 60_000;
const MOST_DOUBLINGS = 10;

/**
 * How long to wait after so many failures in a row, in whole ms: the interval doubled with each, at most a minute, and
 * up to half of that taken off at random, so that those who failed together do not come back together.
 */
export function backoffMs(failures: number, intervalMs: number, random: () => number): number {
  const full = Math.min(LONGEST_PAUSE_MS, intervalMs * 2 ** Math.min(failures, MOST_DOUBLINGS));
  return Math.round(Math.max(Math.min(intervalMs, full), full * (0.5 + random() / 2)));
}
