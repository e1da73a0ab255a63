import { parseDecimal } from "./decimal.ts";
import type { Ticker } from "./ticker.ts";

/** What an alert waits for. Prices and percents are canonical decimal text, as the person typed them. */
export type AlertRule =
  | { readonly kind: "above" | "below"; readonly price: string }
  /** The price moved by a share, up or down, within a span. */
  | { readonly kind: "change"; readonly percent: string; readonly minutes: number };

/** A rule on one pair of one venue, and how it stands. Times are ms since the epoch. */
export interface Alert {
  readonly id: string;
  readonly venue: "practice" | "live";
  /** Scheme, host and port of the service; the practice exchange's changes and says nothing. */
  readonly origin: string;
  readonly symbol: string;
  readonly rule: AlertRule;
  /** Armed again by itself once the price has moved back; else it fires once. */
  readonly repeats: boolean;
  readonly isOn: boolean;
  /** `waiting`: it has fired, and waits for the price to move back before it is armed again. */
  readonly phase: "armed" | "waiting" | "fired";
  /** What happened before this is nothing to it; a time to come is a snooze. */
  readonly armedAt: number;
  /** Counts its firings: each is announced once on this machine. */
  readonly round: number;
  readonly fired?: { readonly at: number; readonly price: number; readonly isSeen: boolean } | undefined;
}

/** Why a rule cannot be: each is shown beside what was typed. */
export type AlertProblem = "notANumber" | "zero" | "alreadyThere" | "tooMuch" | "notMinutes";

/** Of the alert's price: how far the price must move back before a repeating alert is armed again. */
const HYSTERESIS = 0.005;
/** A change of exactly the share is reached, though doubles may put it a hair below. */
const ROUNDING = 1e-9;
export const LONGEST_MINUTES = 24 * 60;

/** What is wrong with a price to wait for: undefined when nothing. `last` is the pair's last price, where one is known. */
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

/** What is wrong with a percentage to wait for; a price cannot fall by more than 100 %. */
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
 * Whether a price is worth an alert: a pair that is frozen is not traded, and a price of zero or none is an error of
 * the service, never news.
 */
export function canAlert({ last, frozen }: Ticker): boolean {
  return !frozen && Number.isFinite(last) && last > 0;
}

/**
 * Whether the rule is fulfilled. `span` is the lowest and highest price since the alert was armed, within its minutes,
 * the newest included. Ticker prices are doubles, and so is what the text is compared as: equal text is equal.
 */
export function isReached(
  rule: AlertRule,
  last: number,
  span: { readonly lowest: number; readonly highest: number } | undefined,
): boolean {
  if (rule.kind !== "change") return isBeyond(rule.kind, last, Number(rule.price));
  if (!span) return false;
  const share = Number(rule.percent) / 100 - ROUNDING;
  return last / span.lowest - 1 >= share || 1 - last / span.highest >= share;
}

/** Whether the price has moved back far enough for a repeating alert to be armed again. */
export function hasMovedBack(rule: AlertRule, last: number): boolean {
  if (rule.kind === "change") return true;
  const price = Number(rule.price);
  return rule.kind === "above" ? last < price * (1 - HYSTERESIS) : last > price * (1 + HYSTERESIS);
}

function isBeyond(kind: "above" | "below", last: number, price: number): boolean {
  return kind === "above" ? last >= price : last <= price;
}
