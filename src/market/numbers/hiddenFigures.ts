/** The replacement of an amount while amounts are hidden: it has the same width for every amount. */
export const hiddenAmount = "•••";

/** Digits of any script with any grouping. A space is grouping if three digits follow. */
const FIGURE = /\p{N}(?:[.,'’٫٬]?\p{N}|[\s.,]\p{N}{3}(?!\p{N}))*/gu;

/** Foreign text with every number masked: each of them may be an amount of the account. */
export function maskFigures(text: string): string {
  return text.replace(FIGURE, hiddenAmount);
}
