/** The environment variable that enables full random tests. */
export const FULL = "BIDSIDE_FULL";

/** Whether random tests run in full: `npm test -- --full`, or `npm run test:safety`. */
export function isFull(): boolean {
  return process.env[FULL] !== undefined;
}

/** Rounds of a random test: a twentieth of the full number in `npm test`, at least one. */
export function roundsOf(full: number): number {
  return isFull() ? full : Math.max(1, Math.floor(full / 20));
}
