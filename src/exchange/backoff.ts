const LONGEST_PAUSE_MS = 60_000;
const MAX_DOUBLINGS = 10;

/**
 * Delay after consecutive failures, in whole ms. The interval doubles with each failure, up to a minute, with up to half
 * taken off as jitter so that clients that failed together do not retry together.
 */
export function backoffMs(failures: number, intervalMs: number, random: () => number): number {
  const full = Math.min(LONGEST_PAUSE_MS, intervalMs * 2 ** Math.min(failures, MAX_DOUBLINGS));
  return Math.round(Math.max(Math.min(intervalMs, full), full * (0.5 + random() / 2)));
}
