import { memoized } from "../../market/numbers/memoized.ts";
import type { Ticker } from "../../market/ticker.ts";
import { alignedChange, alignedPrice, DIGIT_SPACE, POINT_SPACE } from "./numberText.ts";

/** Of a digit, and of the space as wide as one. */
export const DIGIT_WIDTH = 57;
/** Character widths in hundredths of an em: averages of the editor's default fonts. */
const WIDTHS: readonly (readonly [string, number])[] = [
  ["Iil. ", 27],
  ["J-/t", 37],
  ["EFLST", 51],
  ["0123456789BKPXYZ", DIGIT_WIDTH],
  ["ACRV", 63],
  ["DGHU", 71],
  ["NOQ", 75],
  ["MW", 91],
];
const USUAL_WIDTH = 57;
/** Marks above or below a letter, as in Thai, and joiners, which take no space of their own. */
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Signs that fill a square in every font (Unicode Standard Annex 11: wide and full width). */
const WIDE =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303F\u30FC\uFF01-\uFF60\uFFE0-\uFFE6]$/u;
/** Half-width katakana and hangul, which the scripts of `WIDE` contain. */
const HALF_WIDTH = /^[\uFF61-\uFFDC]$/u;
const WIDE_WIDTH = 100;

/** Wider labels and numbers are not aligned, because one outlier would push all others out of view. */
const WIDEST_LABEL = 500;
const MAX_PRICE_DIGITS = 10;
export const MAX_CHANGE_DIGITS = 4;

/** Spaces and their widths in hundredths of an em. */
const SPACES = [
  ["\u2003", 100],
  ["\u2005", 25],
  ["\u200A", 6.25],
] as const;

/** Maximum decimals to reserve space for. */
const MAX_PLACES = 8;
const ELLIPSIS = "…";

export const columnGap = "\u2003";

/**
 * Column widths of Markets: label, price, change. A tree row is one text in a proportional font, so columns are aligned
 * with spaces as wide as a digit, a point or a fraction of an em.
 */
export class RowColumns {
  #label = 0;
  #changeDigits = 1;
  #priceDigits = 1;
  #places = 0;

  /**
   * Widens the columns for more rows; `places` are the decimals of a row's price. Returns whether a column became
   * wider, so that all rows must be repainted.
   */
  widen(
    rows: Iterable<{ readonly label: string; readonly ticker: Ticker; readonly places: number }>,
  ): boolean {
    const before = [this.#label, this.#changeDigits, this.#priceDigits, this.#places].join();
    for (const { label, ticker, places } of rows) {
      this.#places = Math.max(this.#places, Math.min(places, MAX_PLACES));
      // One long label must not push all figures to the right.
      if (!label.endsWith(ELLIPSIS)) this.#label = widerLabel(this.#label, label);
      this.#changeDigits = wider(this.#changeDigits, shownChange(ticker.percentChange), MAX_CHANGE_DIGITS);
      this.#priceDigits = wider(this.#priceDigits, ticker.last ?? 0, MAX_PRICE_DIGITS);
    }
    return before !== [this.#label, this.#changeDigits, this.#priceDigits, this.#places].join();
  }

  /**
   * Price, then change, both aligned at their decimal points. The price comes first, because a narrow view truncates
   * the end.
   */
  text(label: string, ticker: Ticker, places: number): string {
    const price = alignedPrice(ticker.last, places, this.#priceDigits);
    const change = alignedChange(ticker.percentChange, this.#changeDigits);
    const missing = Math.max(0, this.#places - places);
    const rest = (places === 0 && missing > 0 ? POINT_SPACE : "") + DIGIT_SPACE.repeat(missing);
    return labelGap(this.#label, label) + price + rest + columnGap + change;
  }
}

/** A change without sign, rounded as displayed. */
export function shownChange(percent: number | undefined): number {
  return Math.round(Math.abs(percent ?? 0) * 100) / 100;
}

/** The width of a label column with this label added. */
export function widerLabel(width: number, label: string): number {
  const needed = labelWidth(label);
  return needed > WIDEST_LABEL ? width : Math.max(width, needed);
}

/** Truncates a long label with "…", so that it does not push the price out of a narrow view. */
export function shortLabel(label: string): string {
  if (labelWidth(label) <= WIDEST_LABEL) return label;
  const letters = [...label];
  do letters.pop();
  while (letters.length > 1 && labelWidth(`${letters.join("")}${ELLIPSIS}`) > WIDEST_LABEL);
  return `${letters.join("")}${ELLIPSIS}`;
}

/** Spaces that pad a label to its column's width. */
export function labelGap(width: number, label: string): string {
  return spaceOf(width - labelWidth(label));
}

/** The digits of a column with this number added. */
export function wider(digits: number, value: number, most: number): number {
  let needed = digits;
  while (needed <= most && value >= 10 ** needed) needed += 1;
  return needed > most ? digits : needed;
}

/** The width of a label in hundredths of an em, in the editor's default fonts. */
export const labelWidth = memoized((label: string): number => {
  let width = 0;
  for (const letter of label)
    width += WIDTHS.find(([letters]) => letters.includes(letter))?.[1] ?? otherWidth(letter);
  return width;
});

/** The width of a character outside `WIDTHS`. */
function otherWidth(letter: string): number {
  if (ZERO_WIDTH.test(letter)) return 0;
  return WIDE.test(letter) && !HALF_WIDTH.test(letter) ? WIDE_WIDTH : USUAL_WIDTH;
}

/** Spaces of about this width, in hundredths of an em. */
export function spaceOf(width: number): string {
  let [left, text] = [width, ""];
  for (const [space, each] of SPACES) {
    const times = Math.max(0, Math.floor(left / each));
    text += space.repeat(times);
    left -= times * each;
  }
  return text;
}
