import type { AccountRef } from "./order.ts";
import { parseDecimal, quotedPrice } from "./numbers/decimal.ts";
import type { Ticker } from "./ticker.ts";

/** Condition of an alert. Prices and percentages are canonical decimal text, as typed. */
export type AlertRule =
  | { readonly kind: "above" | "below"; readonly price: string }
  /** The price is crossed in either direction; `towards` is the direction of the next crossing. */
  | { readonly kind: "crosses"; readonly price: string; readonly towards: "above" | "below" }
  /** The price comes back between two prices, both included. */
  | { readonly kind: "within"; readonly low: string; readonly high: string }
  /** The price moved by this percentage, up or down, within a time span. */
  | { readonly kind: "change"; readonly percent: string; readonly minutes: number };

/** The latest firing of an alert. */
interface AlertFiring {
  /** `armedAt` of the alert, which names the firing: an alert fires once after it was armed. */
  readonly armedAt: number;
  readonly at: number;
  readonly price: number;
  readonly isSeen: boolean;
  /** Nothing watched the price: a candle tells of it. */
  readonly isMissed?: boolean | undefined;
}

/** A rule for one pair of one account's exchange, with its state. Times are ms since the epoch. */
export interface Alert extends AccountRef {
  readonly id: string;
  readonly symbol: string;
  readonly rule: AlertRule;
  /** Rearms when the price has moved back; otherwise the alert fires once. */
  readonly repeats: boolean;
  readonly isOn: boolean;
  /** `waiting`: fired, and rearms when the price has moved back. */
  readonly phase: "armed" | "waiting" | "fired";
  /** Earlier prices are ignored. A time in the future is a snooze. */
  readonly armedAt: number;
  readonly fired?: AlertFiring | undefined;
}

/** Why a rule is invalid; shown beside the typed text. */
export type AlertProblem = "notANumber" | "zero" | "alreadyThere" | "tooMuch" | "notMinutes";

/** Share of the alert's price by which the price must move back before a repeating alert rearms. */
const HYSTERESIS = 0.005;
/** Lets a change of exactly the percentage count, although floating-point results may be slightly below it. */
const ROUNDING = 1e-9;
export const LONGEST_MINUTES = 24 * 60;

/** The problem of a target price; undefined if there is none. `last` is the pair's last price, if known. */
export function priceProblem(
  kind: "above" | "below",
  text: string,
  last: number | undefined,
): AlertProblem | undefined {
  const price = parseDecimal(text);
  if (!price) return "notANumber";
  if (price.eq("0")) return "zero";
  return last !== undefined && isBeyond(kind, last, Number(text)) ? "alreadyThere" : undefined;
}

/** The problem of a percentage. A price cannot fall by more than 100 %. */
export function percentProblem(text: string): AlertProblem | undefined {
  const percent = parseDecimal(text);
  if (!percent) return "notANumber";
  if (percent.eq("0")) return "zero";
  return percent.gte("100") ? "tooMuch" : undefined;
}

export function minutesProblem(text: string): AlertProblem | undefined {
  const minutes = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return minutes < 1 || minutes > LONGEST_MINUTES ? "notMinutes" : undefined;
}

/**
 * The price to compare with alerts; undefined if there is none: a frozen pair is not traded, and a new pair has no last
 * price.
 */
export function alertPrice({ last, frozen }: Ticker): number | undefined {
  return !frozen && last !== undefined && Number.isFinite(last) && last > 0 ? last : undefined;
}

/**
 * Whether the rule is met. `span` is the price range since the alert was armed, within its minutes, including the
 * latest price. Compares displayed prices, without floating-point noise.
 */
export function isReached(
  rule: AlertRule,
  last: number,
  span: { readonly lowest: number; readonly highest: number } | undefined,
): boolean {
  if (rule.kind === "crosses") return isBeyond(rule.towards, last, Number(rule.price));
  if (rule.kind === "within")
    return isBeyond("above", last, Number(rule.low)) && isBeyond("below", last, Number(rule.high));
  if (rule.kind !== "change") return isBeyond(rule.kind, last, Number(rule.price));
  if (!span) return false;
  const share = Number(rule.percent) / 100 - ROUNDING;
  return last / span.lowest - 1 >= share || 1 - last / span.highest >= share;
}

/** The price of a candle that is furthest beyond the rule's level; undefined if none is, and for a change. */
export function levelPassedIn(
  rule: AlertRule,
  { low, high }: { readonly low: number; readonly high: number },
): number | undefined {
  if (rule.kind === "change") return undefined;
  if (rule.kind === "within") {
    const nearest = Math.max(low, Number(rule.low));
    return nearest <= Math.min(high, Number(rule.high)) ? nearest : undefined;
  }
  const side = rule.kind === "crosses" ? rule.towards : rule.kind;
  const furthest = side === "above" ? high : low;
  return isBeyond(side, furthest, Number(rule.price)) ? furthest : undefined;
}

/** Whether the price has moved back far enough for a repeating alert to rearm. */
export function hasMovedBack(rule: AlertRule, last: number): boolean {
  if (rule.kind === "change") return true;
  const [low, high] =
    rule.kind === "within" ? [Number(rule.low), Number(rule.high)] : [Number(rule.price), Number(rule.price)];
  const isBelow = last < low - low * HYSTERESIS;
  const isAbove = last > high + high * HYSTERESIS;
  if (rule.kind === "above") return isBelow;
  return rule.kind === "below" ? isAbove : isBelow || isAbove;
}

/** The rule of an alert that is turned on at this price: a crossing is awaited from the side where the price is. */
export function ruleFrom(rule: AlertRule, last: number): AlertRule {
  if (rule.kind !== "crosses") return rule;
  return { ...rule, towards: isBeyond("above", last, Number(rule.price)) ? "below" : "above" };
}

function isBeyond(kind: "above" | "below", last: number, price: number): boolean {
  const quoted = Number(quotedPrice(last));
  return kind === "above" ? quoted >= price : quoted <= price;
}
