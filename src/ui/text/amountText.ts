import * as vscode from "vscode";
import { cutAmount, cutQuantity, shownAmount } from "../../market/numbers/amountDecimals.ts";
import { Decimal, plainText } from "../../market/numbers/decimal.ts";
import { hiddenAmount, maskFigures } from "../../market/numbers/hiddenFigures.ts";
import { amountsAreHidden } from "../settings.ts";
import { confirmedAmountText, confirmedHoldingText, confirmedQuantityText, figures } from "./numberText.ts";

/** Formats amounts of the account, masked in privacy mode. */
export class AmountText {
  readonly areHidden: boolean;

  constructor(areHidden: boolean) {
    this.areHidden = areHidden;
  }

  /** An amount in a quote asset: all digits, at least two decimals unless its currency has none. */
  amount(amount: Decimal, quote: string | undefined): string {
    return this.areHidden ? hiddenAmount : confirmedAmountText(amount, quote);
  }

  /** A balance: an amount if the asset is the quote asset, else a quantity. */
  holding(held: Decimal, asset: string, quote: string | undefined): string {
    return this.areHidden ? hiddenAmount : confirmedHoldingText(held, asset, quote);
  }

  /**
   * A balance in the wallet. Money is cut to its currency's decimals, because an exchange may compute with more and the
   * user can only spend what is shown; other assets have every digit.
   */
  balance(held: Decimal, asset: string, quote: string | undefined): string {
    return this.holding(asset === quote ? cutAmount(held, quote) : held, asset, quote);
  }

  /** A quantity in a narrow row. Tooltips have every digit. */
  rowQuantity(held: Decimal): string {
    return this.areHidden ? hiddenAmount : confirmedQuantityText(cutQuantity(held));
  }

  /** A balance at a glance: whole units from a thousand upwards, and never more than there is. */
  shortBalance(held: Decimal, asset: string): string {
    if (this.areHidden || held.lt("1000")) return this.balance(held, asset, asset);
    return confirmedQuantityText(held.round(0, Decimal.roundDown));
  }

  /** A computed amount with the decimals of its currency. */
  computed(amount: Decimal, quote: string): string {
    return this.amount(shownAmount(amount, quote), quote);
  }

  /** A value, rounded to two decimals, or to three significant digits if that is more precise. */
  value(value: Decimal, signDisplay: "auto" | "exceptZero" = "auto"): string {
    return this.areHidden ? hiddenAmount : figures.value(plainText(value), signDisplay);
  }

  /** Masks all numbers in untrusted text in privacy mode, because they may be amounts. */
  maskIn = (text: string): string => (this.areHidden ? maskFigures(text) : text);

  /**
   * A value aligned in a column with this many digits before and after the point. All masks have the same width.
   */
  alignedValue(value: Decimal, digits: number, decimals: number): string {
    const shown = this.value(value);
    if (this.areHidden) return shown;
    return figures.indent(shown, digits) + shown + figures.trail(shown, decimals);
  }

  /** Number of digits before and after the point. */
  valueWidth(value: Decimal): { readonly digits: number; readonly decimals: number } {
    return figures.widthOf(this.value(value));
  }
}

/** How amounts of the account are shown now. */
export function shownAmounts(): AmountText {
  return new AmountText(amountsAreHidden());
}

/** Replaces masks for screen readers, which would read each dot. */
export function spoken(text: string): string {
  return text.replaceAll(hiddenAmount, vscode.l10n.t("hidden"));
}
