import type { Decimal } from "../../market/numbers/decimal.ts";
import type { AmountText } from "../text/amountText.ts";
import { alignedChange, DIGIT_SPACE, POINT_SPACE } from "../text/numberText.ts";
import {
  columnGap,
  DIGIT_WIDTH,
  labelGap,
  labelWidth,
  MAX_CHANGE_DIGITS,
  shownChange,
  spaceOf,
  wider,
  widerLabel,
} from "../text/rowColumns.ts";

/** Wider figures are not aligned, because one outlier would push all others out of view. */
const MAX_QUANTITY_DIGITS = 10;
const MAX_VALUE_DIGITS = 10;
const MAX_VALUE_DECIMALS = 6;

export interface WalletCells {
  readonly label: string;
  /** As text; "" for the quote asset and for sums. */
  readonly quantity: string;
  readonly value: Decimal;
  /** In percent; null for the quote asset, whose price does not change, and for sums other than the total. */
  readonly change: number | undefined | null;
}

/** Column widths of Wallet: label, quantity, value, change. */
export class WalletColumns {
  readonly #amounts: AmountText;
  #label = 0;
  #quantityDigits = 0;
  #quantitySeparators = 0;
  #valueDigits = 1;
  #valueDecimals = 2;
  #changeDigits = 1;

  constructor(rows: readonly WalletCells[], amounts: AmountText) {
    this.#amounts = amounts;
    let alone = 0;
    for (const { label, quantity, value, change } of rows) {
      if (quantity === "") alone = widerLabel(alone, label);
      else this.#label = widerLabel(this.#label, label);
      const held = widthOf(quantity);
      if (held.digits <= MAX_QUANTITY_DIGITS) {
        this.#quantityDigits = Math.max(this.#quantityDigits, held.digits);
        this.#quantitySeparators = Math.max(this.#quantitySeparators, held.separators);
      }
      this.#changeDigits = wider(this.#changeDigits, shownChange(change ?? undefined), MAX_CHANGE_DIGITS);
      const { digits, decimals } = amounts.valueWidth(value);
      if (digits <= MAX_VALUE_DIGITS) this.#valueDigits = Math.max(this.#valueDigits, digits);
      if (decimals <= MAX_VALUE_DECIMALS) this.#valueDecimals = Math.max(this.#valueDecimals, decimals);
    }
    this.#label = Math.max(this.#label, alone - this.#quantityDigits * DIGIT_WIDTH);
  }

  /**
   * A label's gap, then the quantity, which starts its column: with up to eight decimals, aligned points would need too
   * much room. A label without a quantity reaches into that column.
   */
  start(label: string, quantity: string): string {
    const { digits, separators } = widthOf(quantity);
    const beyond = quantity === "" ? Math.max(0, labelWidth(label) - this.#label) : 0;
    const covered = Math.min(this.#quantityDigits, Math.ceil(beyond / DIGIT_WIDTH));
    return (
      labelGap(this.#label, label) +
      spaceOf(covered * DIGIT_WIDTH - beyond) +
      quantity +
      DIGIT_SPACE.repeat(Math.max(0, this.#quantityDigits - digits - covered)) +
      POINT_SPACE.repeat(Math.max(0, this.#quantitySeparators - separators))
    );
  }

  text({ label, quantity, value, change }: WalletCells): string {
    return [
      this.start(label, quantity),
      this.#amounts.alignedValue(value, this.#valueDigits, this.#valueDecimals),
      ...(change === null ? [] : [alignedChange(change, this.#changeDigits)]),
    ].join(columnGap);
  }
}

function widthOf(figure: string): { readonly digits: number; readonly separators: number } {
  const digits = figure.replaceAll(/\D/g, "").length;
  return { digits, separators: digits === 0 ? 0 : figure.length - digits };
}
