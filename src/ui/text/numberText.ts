import * as vscode from "vscode";
import { plainText, quotedPrice, type Decimal } from "../../market/numbers/decimal.ts";
import { Figures } from "../../market/numbers/figures.ts";
import { PriceDecimals } from "../../market/numbers/priceDecimals.ts";
import type { Ticker } from "../../market/ticker.ts";
import { amountsAreHidden } from "../settings.ts";

/**
 * For display only: the signed and sent text is plain decimal text of the same digits. docs/interface.md has the
 * rules.
 */

let made: Figures | undefined;

/** Created for the first number, because nothing is shown at the start. */
const figures = (): Figures => (made ??= new Figures(vscode.env.language));

/** The replacement of an amount while amounts are hidden: it has the same width for every amount. */
export const hiddenAmount = "•••";

/** Money of the account in a quote asset: every digit, at least two decimals. Masked while amounts are hidden. */
export function amountText(amount: Decimal): string {
  return amountsAreHidden() ? hiddenAmount : confirmedAmountText(amount);
}

/** An amount in a text that the person confirms: the same text, never masked. */
export function confirmedAmountText(amount: Decimal): string {
  return figures().amount(plainText(amount));
}

/** A quantity of an asset: every digit and no more. Masked while amounts are hidden. */
export function quantityText(quantity: Decimal): string {
  return amountsAreHidden() ? hiddenAmount : confirmedQuantityText(quantity);
}

/** A quantity in a text that the person confirms: the same text, never masked. */
export function confirmedQuantityText(quantity: Decimal): string {
  return figures().quantity(plainText(quantity));
}

/** The balance of an asset: an amount if the asset is the quote asset of the market, else a quantity. */
export function holdingText(held: Decimal, asset: string, quote: string | undefined): string {
  return asset === quote ? amountText(held) : quantityText(held);
}

/**
 * The value of an asset, rounded to two decimals, or to three significant digits if that says more. Masked while amounts
 * are hidden.
 */
export function valueText(value: Decimal, signDisplay: "auto" | "exceptZero" = "auto"): string {
  return amountsAreHidden() ? hiddenAmount : figures().value(plainText(value), signDisplay);
}

/** Digits of any script with any grouping. A space is grouping if three digits follow. */
const FIGURE = /\p{N}(?:[.,'’٫٬]?\p{N}|[\s.,]\p{N}{3}(?!\p{N}))*/gu;

/** Foreign text, which may contain amounts: its numbers are masked while amounts are hidden. */
export function withoutAmounts(text: string): string {
  return amountsAreHidden() ? text.replace(FIGURE, hiddenAmount) : text;
}

/** The text for a screen reader, which would read each dot of the mask. */
export function spoken(text: string): string {
  return text.replaceAll(hiddenAmount, vscode.l10n.t("hidden"));
}

const places = new PriceDecimals();

/** Decimals of a pair's prices on the current exchange. */
export function placesOf(ticker: Ticker): number {
  return places.of(ticker);
}

/** Forgets the decimals of all pairs: the exchange is another one now. */
export function forgetPlaces(): void {
  places.clear();
}

/** A market price with the decimals of its pair. Never masked, because a price is public. */
export function rateText(price: number, ticker: Ticker): string {
  return figures().price(quotedPrice(price), places.of(ticker));
}

/**
 * A rate with every digit, and at least the decimals of its pair. Without a pair: at least two decimals from 1 upwards.
 */
export function exactRateText(rate: Decimal, ticker?: Ticker): string {
  return figures().price(plainText(rate), ticker ? places.of(ticker) : rate.gte("1") ? 2 : 0);
}

/** A share, 0 to 1, as a percentage: 45.2%. Never masked, because a share is not an amount. */
export function shareText(share: Decimal): string {
  return figures().share(plainText(share));
}

/** A distance in percent, without a sign: 0.07%. */
export function percentText(percent: Decimal): string {
  return figures().percent(plainText(percent));
}

const ARROWS = { up: "▲", down: "▼", flat: "" };

/** A change with its arrow and its sign, so that no colour is needed; "" if the exchange gave no change. */
export function arrowText(percent: number | undefined): string {
  return [ARROWS[directionOf(percent)], changeText(percent)].filter(Boolean).join(" ");
}

/** `+1.23%`; "" if the exchange gave no change. */
export function changeText(percent: number | undefined): string {
  return percent === undefined ? "" : figures().change(percent);
}

/** A last price after spaces, so that the points of a column with this many whole digits are in line. */
export function arrangedPrice(ticker: Ticker, digits: number): string {
  const price = rateText(ticker.last, ticker);
  return figures().indent(price, digits) + price;
}

/** A value in a column with this many digits before and after the point. All masks have the same width. */
export function arrangedValue(value: Decimal, digits: number, decimals: number): string {
  const shown = valueText(value);
  if (shown === hiddenAmount) return shown;
  return figures().indent(shown, digits) + shown + figures().trail(shown, decimals);
}

/** The number of digits before and after the point in the text of a value. */
export function valueWidth(value: Decimal): { readonly digits: number; readonly decimals: number } {
  return figures().widthOf(valueText(value));
}

/** A share in a column with this many whole digits. An unknown share is a dash. */
export function arrangedShare(share: Decimal | undefined, digits: number): string {
  if (!share) return figures().indent("0", digits) + UNKNOWN_START + "–" + UNKNOWN_END;
  const shown = shareText(share);
  return figures().indent(shown, digits) + shown;
}

/** Spaces that replace the missing characters of a change without a sign, below zero, or unknown. */
const [NO_SIGN, NARROW_SIGN, UNKNOWN_START, UNKNOWN_END] = [
  "\u2007",
  "\u2005",
  "\u2007\u2008\u2007",
  "\u2007\u2005",
];

/** A change in a column with this many whole digits. An unknown change is a dash below the last digits. */
export function arrangedChange(percent: number | undefined, digits: number): string {
  if (percent === undefined) {
    return figures().indent("0", digits) + NO_SIGN + UNKNOWN_START + "–" + UNKNOWN_END;
  }
  const change = changeText(percent);
  const sign = { up: "", down: NARROW_SIGN, flat: NO_SIGN }[directionOf(percent)];
  return figures().indent(change, digits) + sign + change;
}

/** The direction of a change: the sign of the shown text, so that 0.00% has no arrow. */
export function directionOf(percent: number | undefined): "up" | "down" | "flat" {
  const shown = Math.round((percent ?? 0) * 100);
  if (shown === 0) return "flat";
  return shown > 0 ? "up" : "down";
}

/** A volume, short: 1.235M. */
export function volumeText(volume: number): string {
  return figures().volume(volume);
}
