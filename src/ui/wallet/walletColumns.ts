import type { Decimal } from "../../market/numbers/decimal.ts";
import { arrangedChange, arrangedShare, arrangedValue, valueWidth } from "../text/numberText.ts";
import {
  columnGap,
  labelGap,
  MOST_CHANGE_DIGITS,
  shownChange,
  wider,
  widerLabel,
} from "../text/rowColumns.ts";

/** Wider values stay out of line: one strange asset does not push all the others out of view. */
const MOST_VALUE_DIGITS = 10;
const MOST_VALUE_DECIMALS = 6;

const SHARE_DIGITS = 3;

export interface WalletCells {
  readonly label: string;
  readonly value: Decimal;
  /** Of the total, 0 to 1. */
  readonly share: Decimal | undefined;
  /** In percent; null for money, whose price does not change. */
  readonly change: number | undefined | null;
}

/** How wide the columns of Wallet are: label, worth, share, change. */
export class WalletColumns {
  readonly #label: number;
  readonly #valueDigits: number;
  readonly #valueDecimals: number;
  readonly #changeDigits: number;

  constructor(rows: readonly WalletCells[]) {
    let [label, valueDigits, valueDecimals, changeDigits] = [0, 1, 2, 1];
    for (const row of rows) {
      label = widerLabel(label, row.label);
      changeDigits = wider(changeDigits, shownChange(row.change ?? undefined), MOST_CHANGE_DIGITS);
      const { digits, decimals } = valueWidth(row.value);
      if (digits <= MOST_VALUE_DIGITS) valueDigits = Math.max(valueDigits, digits);
      if (decimals <= MOST_VALUE_DECIMALS) valueDecimals = Math.max(valueDecimals, decimals);
    }
    this.#label = label;
    this.#valueDigits = valueDigits;
    this.#valueDecimals = valueDecimals;
    this.#changeDigits = changeDigits;
  }

  /** The spaces that put a text behind the label into the column of values. */
  gap(label: string): string {
    return labelGap(this.#label, label);
  }

  /** Worth, share and change, with the spaces that put them into their columns behind the label. */
  text({ label, value, share, change }: WalletCells): string {
    const cells = [
      arrangedValue(value, this.#valueDigits, this.#valueDecimals),
      arrangedShare(share, SHARE_DIGITS),
      ...(change === null ? [] : [arrangedChange(change, this.#changeDigits)]),
    ];
    return this.gap(label) + cells.join(columnGap);
  }
}
