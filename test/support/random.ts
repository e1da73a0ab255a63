/** A stream of numbers from 0 (inclusive) to 1. */
export type Random = () => number;

/** A stream of numbers from 0 (inclusive) to 1, the same for the same seed (mulberry32, 32 bits of state). */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of the values, each with the same probability. */
export function pick<T>(random: Random, from: readonly T[]): T {
  if (from.length === 0) throw new RangeError("Nothing to pick from.");
  return from[Math.floor(random() * from.length)] as T;
}
