import { intervalMs, type Candle, type Interval } from "../market/candle.ts";
import { priceText, quotedPrice } from "../market/decimal.ts";
import { Figures } from "../market/figures.ts";
import { finestPlaces } from "../market/pricePlaces.ts";

/** Far below the least that can be traded, 0.00000001. */
const NO_VOLUME = 1e-10;
/** Of the largest mark of a scale: what is less is left over of the subtraction that made it. */
const NO_SHARE = 1e-9;

/** A chart's numbers and times as a person reads them, and the rate a pointer means. */
export class ChartText {
  readonly #locale: string;
  readonly #figures: Figures;
  readonly #times: Readonly<Record<"time" | "moment" | "day" | "utcDay", Intl.DateTimeFormat>>;

  constructor(locale: string) {
    this.#locale = locale;
    this.#figures = new Figures(locale);
    const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
      new Intl.DateTimeFormat(locale, options);
    this.#times = {
      time: format({ timeStyle: "short" }),
      moment: format({ dateStyle: "medium", timeStyle: "short" }),
      day: format({ dateStyle: "medium" }),
      utcDay: format({ dateStyle: "medium", timeZone: "UTC" }),
    };
  }

  /** A price of the market, with at least the pair's decimals. */
  price(price: number, places: number): string {
    return this.#figures.price(quotedPrice(price), places);
  }

  /** A mark of the price scale, rounded to the pair's decimals: a mark is no price, and may lie at zero or below. */
  scalePrice(price: number, places: number): string {
    const rounded = Number(price.toFixed(places));
    return (rounded < 0 ? "−" : "") + this.#figures.price(priceText(Math.abs(rounded)), places);
  }

  /** A volume, short: 1.2M; a dash where it is not known. */
  volume(volume: number | undefined): string {
    if (volume === undefined) return "–";
    const traded = Math.abs(volume) < NO_VOLUME ? 0 : volume;
    return this.#figures.volume(traded);
  }

  /** The marks of a scale of volumes. */
  volumes(marks: readonly number[]): string[] {
    const nothing = Math.max(0, ...marks.map(Math.abs)) * NO_SHARE;
    return marks.map((mark) => this.volume(Math.abs(mark) < nothing ? 0 : mark));
  }

  /** When a candle begins. A day of UTC has that day's date everywhere; any other begins at a moment of the reader's clock. */
  start(time: number, interval: Interval): string {
    if (interval !== "1d") return this.#times.moment.format(time);
    return this.#times[time % intervalMs["1d"] === 0 ? "utcDay" : "day"].format(time);
  }

  /** A mark on the time scale: the time of day, or at its first mark the date. */
  mark(time: number, interval: Interval, isDate: boolean): string {
    return isDate || interval === "1d" ? this.#shortDay(time, interval) : this.#times.time.format(time);
  }

  #shortDay(time: number, interval: Interval): string {
    const isUtc = interval === "1d" && time % intervalMs["1d"] === 0;
    const zone = isUtc ? { timeZone: "UTC" } : {};
    return new Intl.DateTimeFormat(this.#locale, { day: "numeric", month: "short", ...zone }).format(time);
  }
}

/** A price pointed at as the rate of a bid: decimal text with the pair's decimals; undefined where none is above zero. */
export function rateAt(price: number, places: number): string | undefined {
  const rounded = Number(price.toFixed(places));
  return Number.isFinite(rounded) && rounded > 0 ? priceText(rounded) : undefined;
}

/** Decimals with which none of the candles' prices is rounded away. */
export function candlePlaces(candles: readonly Candle[]): number {
  return finestPlaces(candles.flatMap(({ open, high, low, close }) => [open, high, low, close]));
}

/** As many candles tell a price's usual range. */
const ENOUGH_CANDLES = 20;
/** What the scale of one candle spans at least, as a share of the price. */
const LEAST_SPAN = 0.01;

/** The range of a price scale. Few candles get a wider one: one candle would fill the chart, and look like a crash. */
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

/** Candles with the newest one replaced, or followed by the next. */
export function withNewest(candles: readonly Candle[], newest: Candle): readonly Candle[] {
  const last = candles.at(-1);
  if (last && newest.time < last.time) return candles;
  return [...(last?.time === newest.time ? candles.slice(0, -1) : candles), newest];
}
