import * as vscode from "vscode";
import { plainText, type Decimal } from "../../market/numbers/decimal.ts";
import { hiddenAmount, maskFigures } from "../../market/numbers/hiddenFigures.ts";
import { confirmedAmountText, confirmedHoldingText, figures } from "./numberText.ts";

/** Amounts of the account as text: as figures, or masked while amounts are hidden. */
export class AmountText {
  readonly areHidden: boolean;

  constructor(areHidden: boolean) {
    this.areHidden = areHidden;
  }

  /** Money in a quote asset: every digit, at least two decimals. */
  amount(amount: Decimal): string {
    return this.areHidden ? hiddenAmount : confirmedAmountText(amount);
  }

  /** The balance of an asset: an amount if the asset is the quote asset of the market, else a quantity. */
  holding(held: Decimal, asset: string, quote: string | undefined): string {
    return this.areHidden ? hiddenAmount : confirmedHoldingText(held, asset, quote);
  }

  /** The value of an asset, rounded to two decimals, or to three significant digits if that says more. */
  value(value: Decimal, signDisplay: "auto" | "exceptZero" = "auto"): string {
    return this.areHidden ? hiddenAmount : figures.value(plainText(value), signDisplay);
  }

  /** Foreign text, which may contain amounts: its numbers are masked while amounts are hidden. */
  maskIn = (text: string): string => (this.areHidden ? maskFigures(text) : text);

  /** A value in a column with this many digits before and after the point. All masks have the same width. */
  alignedValue(value: Decimal, digits: number, decimals: number): string {
    const shown = this.value(value);
    if (this.areHidden) return shown;
    return figures.indent(shown, digits) + shown + figures.trail(shown, decimals);
  }

  /** The number of digits before and after the point in the text of a value. */
  valueWidth(value: Decimal): { readonly digits: number; readonly decimals: number } {
    return figures.widthOf(this.value(value));
  }
}

/** The text for a screen reader, which would read each dot of the mask. */
export function spoken(text: string): string {
  return text.replaceAll(hiddenAmount, vscode.l10n.t("hidden"));
}
