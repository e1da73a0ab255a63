/** Replaces hidden amounts. Its width does not depend on the amount. */
export const hiddenAmount = "•••";

/** Digits of any script with any grouping. A space groups if three digits follow. */
const FIGURE = /\p{N}(?:[.,'’٫٬]?\p{N}|[\s.,]\p{N}{3}(?!\p{N}))*/gu;

/** Masks every number in untrusted text, because any may be an amount of the account. */
export function maskFigures(text: string): string {
  return text.replace(FIGURE, hiddenAmount);
}
