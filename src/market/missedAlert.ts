import {
  type Alert,
  type AlertRule,
  hasLevel,
  isReached,
  type LevelRule,
  levelPassedIn,
} from "./alertRule.ts";
import type { Candle } from "./candle.ts";
import type { Pair } from "./pair.ts";

/** Candles of one interval, sorted by time. */
export interface CandleSeries {
  readonly candles: readonly Candle[];
  /** Length of the interval. */
  readonly ms: number;
  readonly pair: Pair;
}

/** When a rule was met, ms since the epoch, and the price. */
interface MissedFiring {
  readonly price: number;
  readonly at: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** How far the candles must reach back for the first figure of a rule, ms. */
export function lookBackOf(rule: AlertRule): number {
  if (rule.kind === "volume") return DAY_MS;
  return rule.kind === "change" ? rule.minutes * MINUTE_MS : 0;
}

/**
 * Where an armed alert was first met after `since`, ms since the epoch, as far as candles prove it. Of the candle in which this time
 * lies, only the close is known to be later.
 */
export function firstMet(
  { rule, armedAt }: Pick<Alert, "rule" | "armedAt">,
  series: CandleSeries,
  since: number,
): MissedFiring | undefined {
  const start = Math.max(since, armedAt);
  if (rule.kind === "volume") return firstVolume(rule, series, start);
  const priceAt = hasLevel(rule)
    ? (index: number) => passedAt(rule, series, index, start)
    : (index: number) => movedAt(rule, series, index, { start, armedAt });
  return firstAt(series, start, priceAt);
}

function firstAt(
  { candles, ms }: CandleSeries,
  start: number,
  priceAt: (index: number) => number | undefined,
): MissedFiring | undefined {
  for (const [index, { time }] of candles.entries()) {
    const price = time + ms > start ? priceAt(index) : undefined;
    if (price !== undefined) return { price, at: Math.max(time, start) };
  }
  return undefined;
}

function passedAt(
  rule: LevelRule,
  { candles }: CandleSeries,
  index: number,
  start: number,
): number | undefined {
  const candle = candles[index];
  if (!candle) return undefined;
  const { time, close } = candle;
  return levelPassedIn(rule, time < start ? { low: close, high: close } : candle);
}

/** A price of a candle that is away by the percentage from one that was certainly earlier, within the rule's minutes. */
function movedAt(
  rule: Extract<AlertRule, { readonly kind: "change" }>,
  { candles, ms }: CandleSeries,
  index: number,
  { start, armedAt }: { readonly start: number; readonly armedAt: number },
): number | undefined {
  const candle = candles[index];
  if (!candle) return undefined;
  const { time, open, high, low, close } = candle;
  const from = Math.max(armedAt, time + ms - rule.minutes * MINUTE_MS);
  const before = candles.slice(0, index).filter((each) => each.time >= from);
  const isInside = time >= from;
  const hasMoved = (price: number, earlier: readonly Pick<Candle, "low" | "high">[]): boolean =>
    earlier.length > 0 &&
    isReached(rule, price, {
      lowest: Math.min(...earlier.map((each) => each.low)),
      highest: Math.max(...earlier.map((each) => each.high)),
    });
  const sinceOpen = isInside ? [...before, { low: open, high: open }] : before;
  const extreme = time >= start ? [high, low].find((price) => hasMoved(price, sinceOpen)) : undefined;
  return extreme ?? (hasMoved(close, isInside ? [...before, candle] : before) ? close : undefined);
}

/**
 * Where the volume of 24 hours rose to that of a rule. In the quote asset it is at least that at the lowest prices. A volume that was
 * there before is no rise, and shows that the exchange counts in another way than its candles.
 */
function firstVolume(
  { volume, asset }: Extract<AlertRule, { readonly kind: "volume" }>,
  series: CandleSeries,
  start: number,
): MissedFiring | undefined {
  const { candles, ms, pair } = series;
  const tradedIn = ({ volume: traded = 0, low }: Candle): number =>
    asset === pair.base ? traded : asset === pair.quote ? traded * low : 0;
  let sum = 0;
  let oldest = 0;
  let wasReached = false;
  for (const candle of candles) {
    const end = candle.time + ms;
    sum += tradedIn(candle);
    for (let first = candles[oldest]; first && first.time < end - DAY_MS; first = candles[(oldest += 1)])
      sum -= tradedIn(first);
    const isThere = isReached({ kind: "volume", volume, asset }, sum, undefined);
    if (isThere && !wasReached && end > start)
      return { price: candle.close, at: Math.max(candle.time, start) };
    wasReached = isThere;
  }
  return undefined;
}
