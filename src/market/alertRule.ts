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
  | { readonly kind: "change"; readonly percent: string; readonly minutes: number }
  /** The volume of the last 24 hours in an asset, the base or the quote, rises to a quantity. */
  | { readonly kind: "volume"; readonly volume: string; readonly asset: string };

/** A rule with prices that a chart can show and a candle can pass. */
export type LevelRule = Exclude<AlertRule, { readonly kind: "change" | "volume" }>;

/** Which price of a rule a line shows. */
export const alertEdges = ["price", "low", "high"] as const;
export type AlertEdge = (typeof alertEdges)[number];

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
export type AlertProblem =
  | "notANumber"
  | "zero"
  | "alreadyThere"
  | "tooMuch"
  | "notMinutes"
  | "noVolume"
  | "volumeReached";

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

/** The problem of a volume; `noVolume` if the exchange does not report it. */
export function volumeProblem(
  { volume, asset }: Extract<AlertRule, { readonly kind: "volume" }>,
  ticker: Ticker,
): AlertProblem | undefined {
  if (Number(volume) === 0) return "zero";
  const current = volumeIn(ticker, asset);
  if (current === undefined) return "noVolume";
  return isBeyond("above", current, Number(volume)) ? "volumeReached" : undefined;
}

export function hasLevel(rule: AlertRule): rule is LevelRule {
  return rule.kind !== "change" && rule.kind !== "volume";
}

/**
 * The price to compare with alerts; undefined if there is none: a frozen pair is not traded, and a new pair has no last
 * price.
 */
export function alertPrice({ last, frozen }: Ticker): number | undefined {
  return !frozen && last !== undefined && Number.isFinite(last) && last > 0 ? last : undefined;
}

/** What a rule compares: the price, or the volume. Undefined if the pair has no price to compare. */
export function alertFigure(rule: AlertRule, ticker: Ticker): number | undefined {
  const price = alertPrice(ticker);
  return rule.kind === "volume" && price !== undefined ? volumeIn(ticker, rule.asset) : price;
}

/**
 * Whether the rule is met by a figure of `alertFigure`. `span` is the price range since the alert was armed, within its minutes, including the
 * latest price. Compares displayed prices, without floating-point noise.
 */
export function isReached(
  rule: AlertRule,
  figure: number,
  span: { readonly lowest: number; readonly highest: number } | undefined,
): boolean {
  if (rule.kind === "crosses") return isBeyond(rule.towards, figure, Number(rule.price));
  if (rule.kind === "volume") return isBeyond("above", figure, Number(rule.volume));
  if (rule.kind === "within")
    return isBeyond("above", figure, Number(rule.low)) && isBeyond("below", figure, Number(rule.high));
  if (rule.kind !== "change") return isBeyond(rule.kind, figure, Number(rule.price));
  if (!span) return false;
  const share = Number(rule.percent) / 100 - ROUNDING;
  return figure / span.lowest - 1 >= share || 1 - figure / span.highest >= share;
}

/** The price of a candle that is furthest beyond the rule's level; undefined if none is. */
export function levelPassedIn(
  rule: LevelRule,
  { low, high }: { readonly low: number; readonly high: number },
): number | undefined {
  if (rule.kind === "within") {
    const nearest = Math.max(low, Number(rule.low));
    return nearest <= Math.min(high, Number(rule.high)) ? nearest : undefined;
  }
  const side = rule.kind === "crosses" ? rule.towards : rule.kind;
  const furthest = side === "above" ? high : low;
  return isBeyond(side, furthest, Number(rule.price)) ? furthest : undefined;
}

/** Whether the figure has moved back far enough for a repeating alert to rearm. */
export function hasMovedBack(rule: AlertRule, figure: number): boolean {
  if (rule.kind === "change") return true;
  const [low, high] = boundsOf(rule);
  const isBelow = figure < low - low * HYSTERESIS;
  const isAbove = figure > high + high * HYSTERESIS;
  if (rule.kind === "above" || rule.kind === "volume") return isBelow;
  return rule.kind === "below" ? isAbove : isBelow || isAbove;
}

function boundsOf(rule: Exclude<AlertRule, { readonly kind: "change" }>): readonly [number, number] {
  if (rule.kind === "within") return [Number(rule.low), Number(rule.high)];
  const level = Number(rule.kind === "volume" ? rule.volume : rule.price);
  return [level, level];
}

function volumeIn({ pair, baseVolume, quoteVolume }: Ticker, asset: string): number | undefined {
  if (asset === pair.base) return baseVolume;
  return asset === pair.quote ? quoteVolume : undefined;
}

/** The rule of an alert that is turned on at this price: a crossing is awaited from the side where the price is. */
export function ruleFrom(rule: AlertRule, last: number): AlertRule {
  if (rule.kind !== "crosses") return rule;
  return { ...rule, towards: isBeyond("above", last, Number(rule.price)) ? "below" : "above" };
}

/**
 * The rule with one of its prices moved; the side of a single price is that of the last price. Undefined if the price is the last
 * one, and for a rule without this price.
 */
export function movedRule(
  rule: AlertRule,
  edge: AlertEdge,
  price: string,
  last: number | undefined,
): AlertRule | undefined {
  if (rule.kind === "within" && edge !== "price") {
    const [low, high] = edge === "low" ? [price, rule.high] : [rule.low, price];
    if (Number(low) === Number(high)) return undefined;
    return Number(low) < Number(high) ? { ...rule, low, high } : { ...rule, low: high, high: low };
  }
  if (rule.kind === "crosses") return { ...rule, price };
  if (rule.kind !== "above" && rule.kind !== "below") return undefined;
  const kind = (["above", "below"] as const).find((each) => !priceProblem(each, price, last));
  return kind && { kind, price };
}

function isBeyond(kind: "above" | "below", figure: number, level: number): boolean {
  const quoted = Number(quotedPrice(figure));
  return kind === "above" ? quoted >= level : quoted <= level;
}
