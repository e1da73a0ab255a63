import type { Decimal } from "../../market/numbers/decimal.ts";
import type { AmountText } from "../text/amountText.ts";
import { alignedChange, alignedShare } from "../text/numberText.ts";
import {
  columnGap,
  labelGap,
  MAX_CHANGE_DIGITS,
  shownChange,
  wider,
  widerLabel,
} from "../text/rowColumns.ts";

/** Wider values are not aligned, because one outlier would push all others out of view. */
const MAX_VALUE_DIGITS = 10;
const MAX_VALUE_DECIMALS = 6;

const SHARE_DIGITS = 3;

export interface WalletCells {
  readonly label: string;
  readonly value: Decimal;
  /** Share of the total, 0 to 1. */
  readonly share: Decimal | undefined;
  /** In percent; null for the quote asset, whose price does not change. */
  readonly change: number | undefined | null;
}

/** Column widths of Wallet: label, value, share, change. */
export class WalletColumns {
  readonly #amounts: AmountText;
  #label = 0;
  #valueDigits = 1;
  #valueDecimals = 2;
  #changeDigits = 1;

  constructor(rows: readonly WalletCells[], amounts: AmountText) {
    this.#amounts = amounts;
    for (const { label, value, change } of rows) {
      this.#label = widerLabel(this.#label, label);
      this.#changeDigits = wider(this.#changeDigits, shownChange(change ?? undefined), MAX_CHANGE_DIGITS);
      const { digits, decimals } = amounts.valueWidth(value);
      if (digits <= MAX_VALUE_DIGITS) this.#valueDigits = Math.max(this.#valueDigits, digits);
      if (decimals <= MAX_VALUE_DECIMALS) this.#valueDecimals = Math.max(this.#valueDecimals, decimals);
    }
  }

  /** Spaces between a label and the value column. */
  gap(label: string): string {
    return labelGap(this.#label, label);
  }

  text({ label, value, share, change }: WalletCells): string {
    const cells = [
      this.#amounts.alignedValue(value, this.#valueDigits, this.#valueDecimals),
      alignedShare(share, SHARE_DIGITS),
      ...(change === null ? [] : [alignedChange(change, this.#changeDigits)]),
    ];
    return this.gap(label) + cells.join(columnGap);
  }
}
