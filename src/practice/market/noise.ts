/** Random numbers as pure functions of a seed and a position: the same in every process. */

/** 0 (inclusive) to 1. */
export function unit(seed: number, cell: number): number {
  return mix(seed, cell) / 2 ** 32;
}

/** 32-bit integer hash (the finaliser of MurmurHash3 over seed and value). */
export function mix(seed: number, value: number): number {
  let h = (seed ^ Math.imul(value, 0x9e3779b1)) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** 32-bit FNV-1a over UTF-16 units. */
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) h = Math.imul(h ^ text.charCodeAt(index), 0x01000193);
  return h >>> 0;
}

export function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
