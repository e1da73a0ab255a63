import * as vscode from "vscode";
import { Decimal, plainText, quotedPrice } from "../../market/numbers/decimal.ts";
import { Figures } from "../../market/numbers/figures.ts";

/**
 * Formats numbers for display only: what is signed and sent is plain decimal text. The rules are in docs/interface.md.
 */

/** Spaces as wide as a digit and as a point. */
export const [DIGIT_SPACE, POINT_SPACE] = ["\u2007", "\u2008"];

export const figures = new Figures(vscode.env.language);

/** An amount in a quote asset that the user confirms or copies: all digits, at least the decimals of money. */
export function confirmedAmountText(amount: Decimal, quote: string | undefined): string {
  return figures.amount(plainText(amount), quote);
}

/** A quantity that the user confirms or copies: all digits, no trailing zeros. */
export function confirmedQuantityText(quantity: Decimal): string {
  return figures.quantity(plainText(quantity));
}

/** An amount if the asset is the quote asset, else a quantity. */
export function confirmedHoldingText(held: Decimal, asset: string, quote: string | undefined): string {
  return asset === quote ? confirmedAmountText(held, quote) : confirmedQuantityText(held);
}

/**
 * A market price with at least `places` decimals; a dash if unknown. Never masked, because prices are public.
 */
export function rateText(price: number | undefined, places: number): string {
  return price === undefined ? "–" : figures.price(quotedPrice(price), places);
}

/**
 * A rate with all digits and at least the pair's decimals; without a pair, at least two decimals if it is 1 or more.
 */
export function exactRateText(rate: Decimal, places = rate.gte("1") ? 2 : 0): string {
  return figures.price(plainText(rate), places);
}

/** A size in four significant digits, `100K`, where the tooltip has all. */
export function shortText(size: Decimal): string {
  return figures.volume(Number(plainText(size)));
}

/** `1.235M BTC`; a dash if unknown. Never masked, because volumes are public. */
export function volumeText(volume: number | undefined, asset: string): string {
  return volume === undefined ? "–" : `${figures.volume(volume)} ${asset}`;
}

/** A share, 0 to 1, as a percentage: 45.2%. Never masked, because a share is not an amount. */
export function shareText(share: Decimal): string {
  return figures.share(plainText(share));
}

const SMALLEST_SHARE = new Decimal("0.001");

/**
 * The filled share of an order, 0 to 1. Never rounded up: 100.0% means all. Undefined if it is below 0.1%, which would
 * show as zero.
 */
export function filledShareText(share: Decimal): string | undefined {
  return share.lt(SMALLEST_SHARE) ? undefined : shareText(share.round(3, Decimal.roundDown));
}

/** The smallest share that is shown: 0.1%. */
export function smallestShareText(): string {
  return shareText(SMALLEST_SHARE);
}

/** A distance in percent, without a sign: 0.07%. */
export function percentText(percent: Decimal): string {
  return figures.percent(plainText(percent));
}

const ARROWS = { up: "▲", down: "▼", flat: "" };

/** A change with arrow and sign, so that colour is not needed; "" if unknown. */
export function arrowText(percent: number | undefined): string {
  return [arrowOf(percent), changeText(percent)].filter(Boolean).join(" ");
}

/** "" if the displayed change is zero or unknown. */
export function arrowOf(percent: number | undefined): string {
  return ARROWS[directionOf(percent)];
}

/** `+1.23%`; "" if unknown. */
export function changeText(percent: number | undefined): string {
  return percent === undefined ? "" : figures.change(percent);
}

/**
 * A last price padded to align its decimal point in a column with `digits` integer digits. An unknown price is a dash
 * in the units place.
 */
export function alignedPrice(last: number | undefined, places: number, digits: number): string {
  if (last === undefined) {
    const decimals = places > 0 ? POINT_SPACE + DIGIT_SPACE.repeat(places) : "";
    return figures.indent("0", digits) + "–" + decimals;
  }
  const price = rateText(last, places);
  return figures.indent(price, digits) + price;
}

/** Padding for characters that a change lacks: without sign, negative, or unknown. */
const [NO_SIGN, NARROW_SIGN, UNKNOWN_START, UNKNOWN_END] = [
  "\u2007",
  "\u2005",
  "\u2007\u2008\u2007",
  "\u2007\u2005",
];

/**
 * A change aligned in a column with this many integer digits. An unknown change is a dash below the last digits.
 */
export function alignedChange(percent: number | undefined, digits: number): string {
  if (percent === undefined) {
    return figures.indent("0", digits) + NO_SIGN + UNKNOWN_START + "–" + UNKNOWN_END;
  }
  const change = changeText(percent);
  const sign = { up: "", down: NARROW_SIGN, flat: NO_SIGN }[directionOf(percent)];
  return figures.indent(change, digits) + sign + change;
}

/** The direction of a change as displayed, so that 0.00% has no arrow. */
export function directionOf(percent: number | undefined): "up" | "down" | "flat" {
  const shown = Math.round((percent ?? 0) * 100);
  if (shown === 0) return "flat";
  return shown > 0 ? "up" : "down";
}
