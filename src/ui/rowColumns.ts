import type { Ticker } from "../market/ticker.ts";
import { arrangedChange, arrangedPrice } from "./numberText.ts";

/** Widths of a label's characters in hundredths of an em, the mean of the fonts that the editor uses by default. */
const WIDTHS: readonly (readonly [string, number])[] = [
  ["Iil. ", 27],
  ["J-/t", 37],
  ["EFLST", 51],
  ["0123456789BKPXYZ", 57],
  ["ACRV", 63],
  ["DGHU", 71],
  ["NOQ", 75],
  ["MW", 91],
];
const USUAL_WIDTH = 57;

/** Wider labels and numbers stay out of line: one strange pair does not push all the others out of view. */
const WIDEST_LABEL = 500;
const MOST_PRICE_DIGITS = 10;
export const MOST_CHANGE_DIGITS = 4;

/** Spaces of known width, in hundredths of an em: em, a quarter, a sixteenth. */
const SPACES = [
  ["\u2003", 100],
  ["\u2005", 25],
  ["\u200A", 6.25],
] as const;

/** A gap between two columns. */
export const columnGap = "\u2003";

/**
 * How wide the columns of Markets are: label, change, price. A tree has one text a row in a proportional font, so the
 * columns are made of spaces as wide as a digit, a point or a part of the font's size.
 */
export class RowColumns {
  #label = 0;
  #changeDigits = 1;
  #priceDigits = 1;

  /** Makes room for more rows; true where a column became wider, so that every row is to be painted anew. */
  widen(rows: Iterable<{ readonly label: string; readonly ticker: Ticker }>): boolean {
    const before = [this.#label, this.#changeDigits, this.#priceDigits].join();
    for (const { label, ticker } of rows) {
      this.#label = widerLabel(this.#label, label);
      this.#changeDigits = wider(this.#changeDigits, shownChange(ticker.percentChange), MOST_CHANGE_DIGITS);
      this.#priceDigits = wider(this.#priceDigits, ticker.last, MOST_PRICE_DIGITS);
    }
    return before !== [this.#label, this.#changeDigits, this.#priceDigits].join();
  }

  /** Change, then price, with the spaces that put them into their columns behind the label. */
  text(label: string, ticker: Ticker): string {
    const change = arrangedChange(ticker.percentChange, this.#changeDigits);
    const price = arrangedPrice(ticker, this.#priceDigits);
    return labelGap(this.#label, label) + change + columnGap + price;
  }
}

/** A change without its sign, rounded as it is shown. */
export function shownChange(percent: number | undefined): number {
  return Math.round(Math.abs(percent ?? 0) * 100) / 100;
}

/** The width that a column of labels needs for one label more. */
export function widerLabel(width: number, label: string): number {
  const needed = widthOf(label);
  return needed > WIDEST_LABEL ? width : Math.max(width, needed);
}

/** Spaces behind a label up to the end of its column. */
export function labelGap(width: number, label: string): string {
  return spaceOf(width - widthOf(label));
}

/** The digits that a column needs for one number more. */
export function wider(digits: number, value: number, most: number): number {
  let needed = digits;
  while (needed <= most && value >= 10 ** needed) needed += 1;
  return needed > most ? digits : needed;
}

function widthOf(label: string): number {
  let width = 0;
  for (const letter of label)
    width += WIDTHS.find(([letters]) => letters.includes(letter))?.[1] ?? USUAL_WIDTH;
  return width;
}

function spaceOf(width: number): string {
  let [left, text] = [width, ""];
  for (const [space, each] of SPACES) {
    const times = Math.max(0, Math.floor(left / each));
    text += space.repeat(times);
    left -= times * each;
  }
  return text;
}
