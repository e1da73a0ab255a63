import * as vscode from "vscode";
import { plainText, quotedPrice, type Decimal } from "../market/decimal.ts";
import { Figures } from "../market/figures.ts";
import { PricePlaces } from "../market/pricePlaces.ts";
import type { Ticker } from "../market/ticker.ts";
import { amountsAreHidden } from "./settings.ts";

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

/** An amount that a person must see in order to agree to it: the same text, never masked. */
export function confirmedAmountText(amount: Decimal): string {
  return figures().amount(plainText(amount));
}

/** A quantity of an asset: every digit and no more. Masked while amounts are hidden. */
export function quantityText(quantity: Decimal): string {
  return amountsAreHidden() ? hiddenAmount : confirmedQuantityText(quantity);
}

/** A quantity that a person must see in order to agree to it: the same text, never masked. */
export function confirmedQuantityText(quantity: Decimal): string {
  return figures().quantity(plainText(quantity));
}

/** What the account has of an asset: money where the market is quoted in it, a quantity otherwise. */
export function holdingText(held: Decimal, asset: string, quote: string | undefined): string {
  return asset === quote ? amountText(held) : quantityText(held);
}

/** What something is worth, rounded: to two decimals, or to three digits where that says more. Masked while amounts are hidden. */
export function valueText(value: Decimal, signDisplay: "auto" | "exceptZero" = "auto"): string {
  return amountsAreHidden() ? hiddenAmount : figures().value(plainText(value), signDisplay);
}

/** Digits of any script, grouped in any way: a space groups where three digits follow. */
const FIGURE = /\p{N}(?:[.,'’٫٬]?\p{N}|[\s.,]\p{N}{3}(?!\p{N}))*/gu;

/** A text of someone else's making that may tell amounts: its numbers are masked while amounts are hidden. */
export function withoutAmounts(text: string): string {
  return amountsAreHidden() ? text.replace(FIGURE, hiddenAmount) : text;
}

/** For a screen reader, which says the mask dot by dot. */
export function spoken(text: string): string {
  return text.replaceAll(hiddenAmount, vscode.l10n.t("hidden"));
}

const places = new PricePlaces();

/** Decimals of a pair's prices on the current exchange. */
export function placesOf(ticker: Ticker): number {
  return places.of(ticker);
}

/** Forgets the decimals of all pairs: the exchange is another one now. */
export function forgetPlaces(): void {
  places.clear();
}

/** A price off the market with the decimals of its pair. Never masked: a price tells nothing of the account. */
export function rateText(price: number, ticker: Ticker): string {
  return figures().price(quotedPrice(price), places.of(ticker));
}

/** A rate to the digit: every one, and at least the decimals of its pair. Without a pair, at least two from 1 upwards. */
export function exactRateText(rate: Decimal, ticker?: Ticker): string {
  return figures().price(plainText(rate), ticker ? places.of(ticker) : rate.gte("1") ? 2 : 0);
}

/** A share, 0 to 1, as a percentage: 45.2%. It tells no amount. */
export function shareText(share: Decimal): string {
  return figures().share(plainText(share));
}

/** A distance in percent, without a sign: 0.07%. */
export function percentText(percent: Decimal): string {
  return figures().percent(plainText(percent));
}

const ARROWS = { up: "▲", down: "▼", flat: "" };

/** A change with its arrow and its sign: neither colour nor shape alone says which way. "" where the service gave none. */
export function arrowText(percent: number | undefined): string {
  return [ARROWS[directionOf(percent)], changeText(percent)].filter(Boolean).join(" ");
}

/** `+1.23%`; "" where the service gave none. */
export function changeText(percent: number | undefined): string {
  return percent === undefined ? "" : figures().change(percent);
}

/** A last price behind the spaces that put its point below the others of a column with so many whole digits. */
export function arrangedPrice(ticker: Ticker, digits: number): string {
  const price = rateText(ticker.last, ticker);
  return figures().indent(price, digits) + price;
}

/** What something is worth, in a column with so many digits before and after the point. A mask has one width. */
export function arrangedValue(value: Decimal, digits: number, decimals: number): string {
  const shown = valueText(value);
  if (shown === hiddenAmount) return shown;
  return figures().indent(shown, digits) + shown + figures().trail(shown, decimals);
}

/** How many digits the text of a value has before and after its point. */
export function valueWidth(value: Decimal): { readonly digits: number; readonly decimals: number } {
  return figures().widthOf(valueText(value));
}

/** A share in a column, likewise: an unknown one is a dash. */
export function arrangedShare(share: Decimal | undefined, digits: number): string {
  if (!share) return figures().indent("0", digits) + UNKNOWN_START + "–" + UNKNOWN_END;
  const shown = shareText(share);
  return figures().indent(shown, digits) + shown;
}

/** Spaces about as wide as what a change without a sign, one below zero, and an unknown one lack. */
const [NO_SIGN, NARROW_SIGN, UNKNOWN_START, UNKNOWN_END] = [
  "\u2007",
  "\u2005",
  "\u2007\u2008\u2007",
  "\u2007\u2005",
];

/** A change, likewise: an unknown one is a dash in the column of the last digits. */
export function arrangedChange(percent: number | undefined, digits: number): string {
  if (percent === undefined) {
    return figures().indent("0", digits) + NO_SIGN + UNKNOWN_START + "–" + UNKNOWN_END;
  }
  const change = changeText(percent);
  const sign = { up: "", down: NARROW_SIGN, flat: NO_SIGN }[directionOf(percent)];
  return figures().indent(change, digits) + sign + change;
}

/** Which way a change points: the sign of what is shown, so that 0.00% never carries an arrow. */
export function directionOf(percent: number | undefined): "up" | "down" | "flat" {
  const shown = Math.round((percent ?? 0) * 100);
  if (shown === 0) return "flat";
  return shown > 0 ? "up" : "down";
}

/** A volume, short: 1.235M. */
export function volumeText(volume: number): string {
  return figures().volume(volume);
}
