import * as vscode from "vscode";
import { plainText, priceText, type Decimal } from "../market/decimal.ts";
import type { Ticker } from "../market/ticker.ts";

/** Display only: what is signed, sent or confirmed to the digit is plain decimal text. */

const formats = new Map<string, Intl.NumberFormat>();

function format(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  let made = formats.get(key);
  if (!made) formats.set(key, (made = new Intl.NumberFormat(vscode.env.language, options)));
  return made;
}

/** Every digit of an amount, grouped; at least two decimals, so that columns of money line up. */
export function amountText(amount: Decimal): string {
  return format({ minimumFractionDigits: 2, maximumFractionDigits: 20 }).format(
    plainText(amount) as Intl.StringNumericLiteral,
  );
}

/** A quantity of an asset, grouped, all its digits and no more. */
export function quantityText(quantity: Decimal): string {
  return format({ maximumFractionDigits: 20 }).format(plainText(quantity) as Intl.StringNumericLiteral);
}

/** A price with the decimals of its pair: what the service itself quotes, never rounded to 0.00. */
export function rateText(price: number, ticker: Ticker): string {
  const places = placesOf(ticker);
  return format({ minimumFractionDigits: places, maximumFractionDigits: places }).format(price);
}

/** The finest decimals among a pair's prices; at least two from 1 upwards. */
function placesOf({ last, bestBid, bestAsk }: Ticker): number {
  const prices = [last, bestBid ?? last, bestAsk ?? last].map(
    (price) => priceText(price).split(".")[1]?.length ?? 0,
  );
  return Math.min(20, Math.max(...prices, last >= 1 ? 2 : 0));
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
  return unit(Math.round(seconds / 3600), "hour");
}

function unit(value: number, name: "second" | "minute" | "hour"): string {
  return format({ style: "unit", unit: name, unitDisplay: "short" }).format(value);
}
