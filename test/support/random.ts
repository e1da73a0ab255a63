/** A stream of numbers from 0 (inclusive) to 1. */
export type Random = () => number;

/** One of them, each as likely as the others. */
export function pick<T>(random: Random, from: readonly T[]): T {
  if (from.length === 0) throw new RangeError("Nothing to pick from.");
  return from[Math.floor(random() * from.length)] as T;
}
