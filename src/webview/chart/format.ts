import type { Candle } from "../../market/candle.ts";
import { isDated, middleOfDay, type Interval } from "../../market/intervals.ts";
import { Decimal, plainText, priceText, quotedPrice } from "../../market/numbers/decimal.ts";
import { Figures } from "../../market/numbers/figures.ts";
import { finestPlaces } from "../../market/numbers/priceDecimals.ts";
import { memoized } from "../../market/numbers/memoized.ts";
import type { SeriesUnit } from "./series.ts";

/** Far below the smallest tradable quantity, 0.00000001. */
const NO_VOLUME = 1e-10;
/** As a share of a scale's largest mark. Smaller marks are rounding errors of a subtraction. */
const NO_SHARE = 1e-9;

type HourCycle = "h23" | "h12";

const TIMES = {
  time: { timeStyle: "short" },
  moment: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  moment12: { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" },
  oldMoment: { dateStyle: "medium", timeStyle: "short" },
  day: { dateStyle: "medium", timeZone: "UTC" },
  shortDay: { day: "numeric", month: "short" },
  candleYear: { year: "numeric", timeZone: "UTC" },
  shortCandleDay: { day: "numeric", month: "short", timeZone: "UTC" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Formats a chart's numbers and times, and the rate under the pointer. */
export class ChartFormat {
  readonly #figures: Figures;
  /** Created lazily: each format is slow to create, and the first frame needs few of them. */
  #times: (name: keyof typeof TIMES) => Intl.DateTimeFormat;
  readonly #locale: string;
  #hourCycle: HourCycle = "h23";

  constructor(locale: string) {
    this.#figures = new Figures(locale);
    this.#locale = locale;
    this.#times = this.#formats();
  }

  /** Sets the hour cycle of all times. Returns whether it changed. */
  setHourCycle(hourCycle: HourCycle): boolean {
    if (hourCycle === this.#hourCycle) return false;
    this.#hourCycle = hourCycle;
    this.#times = this.#formats();
    return true;
  }

  #formats(): (name: keyof typeof TIMES) => Intl.DateTimeFormat {
    const hourCycle = this.#hourCycle;
    return memoized((name) => new Intl.DateTimeFormat(this.#locale, { ...TIMES[name], hourCycle }));
  }

  /** A market price, with at least the pair's decimals. */
  price(price: number, places: number): string {
    return this.#figures.price(quotedPrice(price), places);
  }

  /** A mark of the price scale, rounded to the pair's decimals. May be zero or negative. */
  scalePrice(price: number, places: number): string {
    const rounded = Number(price.toFixed(places));
    return (rounded < 0 ? "−" : "") + this.#figures.price(priceText(Math.abs(rounded)), places);
  }

  /** A value of a study. */
  study(value: number | undefined, unit: SeriesUnit, places: number): string {
    if (value === undefined) return "–";
    if (unit === "volume") return this.volume(value);
    return this.scalePrice(value, unit === "index" ? 2 : places);
  }

  /** A volume in compact notation: 1.2M; a dash if unknown. */
  volume(volume: number | undefined): string {
    if (volume === undefined) return "–";
    const traded = Math.abs(volume) < NO_VOLUME ? 0 : volume;
    return this.#figures.volume(traded);
  }

  /** Marks of a volume scale. A scale without volume extends below zero, where marks have no text. */
  volumes(marks: readonly number[]): string[] {
    const nothing = Math.max(0, ...marks.map(Math.abs)) * NO_SHARE;
    return marks.map((mark) => (mark < -nothing ? "" : this.volume(mark < nothing ? 0 : mark)));
  }

  /**
   * Start time of a candle in local time, with the year unless it is this one; of a daily or weekly one the date, the same
   * everywhere.
   */
  start(time: number, interval: Interval, now = Date.now()): string {
    if (isDated(interval)) return this.#times("day").format(middleOfDay(time));
    const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
    const moment = this.#hourCycle === "h12" ? "moment12" : "moment";
    return this.#times(isThisYear ? moment : "oldMoment").format(time);
  }

  /** A time scale mark: time of day, or the date at the first mark of a day. Days and weeks have the year at its first mark. */
  mark(time: number, interval: Interval, first: "year" | "day" | undefined): string {
    if (!isDated(interval)) return this.#times(first === undefined ? "time" : "shortDay").format(time);
    return this.#times(first === "year" ? "candleYear" : "shortCandleDay").format(middleOfDay(time));
  }
}

/**
 * Converts a price under the pointer to an order rate, as decimal text: the nearest multiple of the exchange's tick size if
 * known, else rounded to the pair's decimals. Undefined if not above zero.
 */
export function rateAt(price: number, places: number, step?: Decimal): string | undefined {
  const rounded = Number(price.toFixed(places));
  if (!(Number.isFinite(rounded) && rounded > 0)) return undefined;
  if (!step) return priceText(rounded);
  const rate = new Decimal(priceText(price)).div(step).round(0, Decimal.roundHalfUp).times(step);
  return rate.gt("0") ? plainText(rate) : undefined;
}

/** Decimals needed to show all prices of the candles without rounding. */
export function candlePlaces(candles: readonly Candle[]): number {
  return finestPlaces(candles.flatMap(({ open, high, low, close }) => [open, high, low, close]));
}

/** Number of candles that show a price's usual range. */
const ENOUGH_CANDLES = 20;
/** Minimum span of the scale for a single candle, as a share of the price. */
const MIN_SPAN = 0.01;

/**
 * The price scale's range. A few candles get a wider range: a single candle would otherwise fill the chart and look like a
 * crash.
 */
export function scaleRange(
  range: { readonly minValue: number; readonly maxValue: number },
  count: number,
): { minValue: number; maxValue: number } {
  const { minValue, maxValue } = range;
  const middle = (minValue + maxValue) / 2;
  const least = middle * MIN_SPAN * Math.max(0, 1 - count / ENOUGH_CANDLES);
  const widen = Math.max(0, least - (maxValue - minValue)) / 2;
  return { minValue: minValue - widen, maxValue: maxValue + widen };
}

/** Replaces the newest candle, or appends the next one. */
export function withNewest(candles: readonly Candle[], newest: Candle): readonly Candle[] {
  const last = candles.at(-1);
  if (last && newest.time < last.time) return candles;
  return [...(last?.time === newest.time ? candles.slice(0, -1) : candles), newest];
}
