import { intervalMs, type Candle, type Interval } from "../../market/candle.ts";
import { Decimal, plainText, priceText, quotedPrice } from "../../market/numbers/decimal.ts";
import { Figures } from "../../market/numbers/figures.ts";
import { finestPlaces } from "../../market/numbers/priceDecimals.ts";
import { remembered } from "../../market/numbers/remembered.ts";

/** Far below the smallest tradable quantity, 0.00000001. */
const NO_VOLUME = 1e-10;
/** Share of the largest mark of a scale: a smaller mark is a rounding error of a subtraction. */
const NO_SHARE = 1e-9;

type HourCycle = "h23" | "h12";

const TIMES = {
  time: { timeStyle: "short" },
  moment: { dateStyle: "medium", timeStyle: "short" },
  day: { dateStyle: "medium" },
  utcDay: { dateStyle: "medium", timeZone: "UTC" },
  shortDay: { day: "numeric", month: "short" },
  shortUtcDay: { day: "numeric", month: "short", timeZone: "UTC" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A chart's numbers and times as text, and the rate at a pointer position. */
export class ChartFormat {
  readonly #figures: Figures;
  /** Made at the first use: each takes long, and the first picture of a chart needs few of them. */
  #times: (name: keyof typeof TIMES) => Intl.DateTimeFormat;
  readonly #locale: string;
  #hourCycle: HourCycle = "h23";

  constructor(locale: string) {
    this.#figures = new Figures(locale);
    this.#locale = locale;
    this.#times = this.#formats();
  }

  /** True if times are shown otherwise from now on. */
  setHourCycle(hourCycle: HourCycle): boolean {
    if (hourCycle === this.#hourCycle) return false;
    this.#hourCycle = hourCycle;
    this.#times = this.#formats();
    return true;
  }

  #formats(): (name: keyof typeof TIMES) => Intl.DateTimeFormat {
    const hourCycle = this.#hourCycle;
    return remembered((name) => new Intl.DateTimeFormat(this.#locale, { ...TIMES[name], hourCycle }));
  }

  /** A price of the market, with at least the pair's decimals. */
  price(price: number, places: number): string {
    return this.#figures.price(quotedPrice(price), places);
  }

  /** A mark of the price scale, rounded to the pair's decimals. It may be zero or below. */
  scalePrice(price: number, places: number): string {
    const rounded = Number(price.toFixed(places));
    return (rounded < 0 ? "−" : "") + this.#figures.price(priceText(Math.abs(rounded)), places);
  }

  /** A volume, short: 1.2M; a dash if unknown. */
  volume(volume: number | undefined): string {
    if (volume === undefined) return "–";
    const traded = Math.abs(volume) < NO_VOLUME ? 0 : volume;
    return this.#figures.volume(traded);
  }

  /** The marks of a scale of volumes. A scale without any volume reaches below zero: such a mark has no text. */
  volumes(marks: readonly number[]): string[] {
    const nothing = Math.max(0, ...marks.map(Math.abs)) * NO_SHARE;
    return marks.map((mark) => (mark < -nothing ? "" : this.volume(mark < nothing ? 0 : mark)));
  }

  /**
   * The start of a candle. A day of UTC has the same date everywhere; any other candle begins at a time of the
   * reader's clock.
   */
  start(time: number, interval: Interval): string {
    if (interval !== "1d") return this.#times("moment").format(time);
    return this.#times(isDayOfUtc(time) ? "utcDay" : "day").format(time);
  }

  /** A mark on the time scale: the time of day, or at its first mark the date. */
  mark(time: number, interval: Interval, isDate: boolean): string {
    if (!isDate && interval !== "1d") return this.#times("time").format(time);
    return this.#times(interval === "1d" && isDayOfUtc(time) ? "shortUtcDay" : "shortDay").format(time);
  }
}

function isDayOfUtc(time: number): boolean {
  return time % intervalMs["1d"] === 0;
}

/**
 * A price pointed at as the rate of an order, as decimal text: the nearest multiple of the exchange's step if that is
 * known, else with the pair's decimals. Undefined if it is not above zero.
 */
export function rateAt(price: number, places: number, step?: Decimal): string | undefined {
  const rounded = Number(price.toFixed(places));
  if (!(Number.isFinite(rounded) && rounded > 0)) return undefined;
  if (!step) return priceText(rounded);
  const rate = new Decimal(priceText(price)).div(step).round(0, Decimal.roundHalfUp).times(step);
  return rate.gt("0") ? plainText(rate) : undefined;
}

/** The decimals that round none of the candles' prices away. */
export function candlePlaces(candles: readonly Candle[]): number {
  return finestPlaces(candles.flatMap(({ open, high, low, close }) => [open, high, low, close]));
}

/** This many candles show the usual range of a price. */
const ENOUGH_CANDLES = 20;
/** The smallest span of the scale for one candle, as a share of the price. */
const LEAST_SPAN = 0.01;

/**
 * The range of a price scale. A few candles get a wider range: a single candle would fill the chart and look like a
 * crash.
 */
export function scaleRange(
  range: { readonly minValue: number; readonly maxValue: number },
  count: number,
): { minValue: number; maxValue: number } {
  const { minValue, maxValue } = range;
  const middle = (minValue + maxValue) / 2;
  const least = middle * LEAST_SPAN * Math.max(0, 1 - count / ENOUGH_CANDLES);
  const widen = Math.max(0, least - (maxValue - minValue)) / 2;
  return { minValue: minValue - widen, maxValue: maxValue + widen };
}

/** The candles with the newest one replaced, or with the next one added. */
export function withNewest(candles: readonly Candle[], newest: Candle): readonly Candle[] {
  const last = candles.at(-1);
  if (last && newest.time < last.time) return candles;
  return [...(last?.time === newest.time ? candles.slice(0, -1) : candles), newest];
}
