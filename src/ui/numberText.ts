import * as vscode from "vscode";
import { plainText, type Decimal } from "../market/decimal.ts";
import { PricePlaces } from "../market/pricePlaces.ts";
import type { Ticker } from "../market/ticker.ts";
import { amountsAreHidden } from "./settings.ts";

/** Display only: what is signed, sent or confirmed to the digit is plain decimal text. */

/** What stands in place of an amount while amounts are hidden: as wide for a thousand as for a million. */
export const hiddenAmount = "•••";

const formats = new Map<string, Intl.NumberFormat>();

function format(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  let made = formats.get(key);
  if (!made) formats.set(key, (made = new Intl.NumberFormat(vscode.env.language, options)));
  return made;
}

/** Every digit of an amount, grouped; at least two decimals, so that columns of money line up. Masked while amounts are hidden. */
export function amountText(amount: Decimal): string {
  return masked(amount, { minimumFractionDigits: 2, maximumFractionDigits: 20 });
}

/** A quantity of an asset, grouped, all its digits and no more. Masked while amounts are hidden. */
export function quantityText(quantity: Decimal): string {
  return masked(quantity, { maximumFractionDigits: 20 });
}

/** Every digit of a price, grouped, and no more. Never masked: it tells nothing of the account. */
export function exactRateText(rate: Decimal): string {
  return exactly(rate, { maximumFractionDigits: 20 });
}

/** What something is worth, rounded: to two decimals, or to three digits where that says more. Masked while amounts are hidden. */
export function valueText(value: Decimal, signDisplay: "auto" | "exceptZero" = "auto"): string {
  return masked(value, {
    minimumFractionDigits: 2,
    maximumFractionDigits: Math.min(20, Math.max(2, 2 - value.e)),
    signDisplay,
  });
}

function masked(amount: Decimal, options: Intl.NumberFormatOptions): string {
  return amountsAreHidden() ? hiddenAmount : exactly(amount, options);
}

function exactly(amount: Decimal, options: Intl.NumberFormatOptions): string {
  return format(options).format(plainText(amount) as Intl.StringNumericLiteral);
}

/** A text of someone else's making that may tell amounts: its numbers are masked while amounts are hidden. */
export function withoutAmounts(text: string): string {
  return amountsAreHidden() ? text.replace(/\d[\d.,]*/g, hiddenAmount) : text;
}

/** For a screen reader, which says the mask dot by dot. */
export function spoken(text: string): string {
  return text.replaceAll(hiddenAmount, vscode.l10n.t("hidden"));
}

const places = new PricePlaces();

/** A price with the decimals of its pair: what the service itself quotes, never rounded to 0.00. */
export function rateText(price: number, ticker: Ticker): string {
  const digits = places.of(ticker);
  return format({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(price);
}

/** A share, 0 to 1, as a percentage: 45.2%. It tells no amount. */
export function shareText(share: Decimal): string {
  return exactly(share, { style: "percent", maximumFractionDigits: 1 });
}

const ARROWS = { up: "▲", down: "▼", flat: "" };

/** A change with its arrow and its sign: neither colour nor shape alone says which way. "" where the service gave none. */
export function arrowText(percent: number | undefined): string {
  return [ARROWS[directionOf(percent)], changeText(percent)].filter(Boolean).join(" ");
}

/** `+1.23%`; "" where the service gave none. */
export function changeText(percent: number | undefined): string {
  if (percent === undefined) return "";
  const options = {
    style: "percent",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: "exceptZero",
  } as const;
  return format(options).format(percent / 100);
}

/** Which way a change points: the sign of what is shown, so that 0.00% never carries an arrow. */
export function directionOf(percent: number | undefined): "up" | "down" | "flat" {
  const shown = Math.round((percent ?? 0) * 100);
  if (shown === 0) return "flat";
  return shown > 0 ? "up" : "down";
}

/** A volume, short: 1.2M. */
export function volumeText(volume: number): string {
  return format({ notation: "compact", maximumFractionDigits: 2 }).format(volume);
}

export function timeText(ms: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { timeStyle: "medium" }).format(ms);
}

/** A time of day, with its date where that is not today's. */
export function momentText(ms: number, now: number): string {
  const isToday = new Date(ms).toDateString() === new Date(now).toDateString();
  const date = isToday ? {} : ({ dateStyle: "medium" } as const);
  return new Intl.DateTimeFormat(vscode.env.language, { ...date, timeStyle: "short" }).format(ms);
}

/** An age in the largest unit that says enough: 12 s, 3 min, 2 h. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return unit(seconds, "second");
  if (seconds < 5400) return unit(Math.round(seconds / 60), "minute");
  if (seconds < 172_800) return unit(Math.round(seconds / 3600), "hour");
  return unit(Math.round(seconds / 86_400), "day");
}

function unit(value: number, name: "second" | "minute" | "hour" | "day"): string {
  return format({ style: "unit", unit: name, unitDisplay: "short" }).format(value);
}
