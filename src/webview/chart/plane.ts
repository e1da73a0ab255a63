import type { IChartApi, ISeriesApi, Logical } from "lightweight-charts";
import type { Candle } from "../../market/candle.ts";
import type { LineEnd } from "../../market/drawnLine.ts";
import { intervals, type Interval } from "../../market/intervals.ts";
import { indexAt, timeAt } from "./candleTimes.ts";

/** Px from the left and the top of the chart. */
export interface Position {
  readonly x: number;
  readonly y: number;
}

/** Converts between times and prices, and pixels of the pane of the prices. */
export class ChartPlane {
  readonly #chart: IChartApi;
  readonly #prices: ISeriesApi<"Candlestick">;
  #candles: readonly Candle[] = [];
  #ms: number = intervals["1m"].ms;

  constructor(chart: IChartApi, prices: ISeriesApi<"Candlestick">) {
    this.#chart = chart;
    this.#prices = prices;
  }

  setCandles(candles: readonly Candle[], interval: Interval): void {
    this.#candles = candles;
    this.#ms = intervals[interval].ms;
  }

  /** Also outside the visible part; undefined without candles. */
  positionOf({ at, price }: LineEnd): Position | undefined {
    const y = this.topOf(price);
    const axis = this.#axis();
    if (y === undefined || !axis || this.#candles.length === 0) return undefined;
    return { x: axis.first + axis.spacing * indexAt(this.#candles, this.#ms, at), y };
  }

  /** Where the middle of the candle at a time is, px from the left; undefined if it is not in sight. */
  leftOf(at: number): number | undefined {
    const axis = this.#axis();
    const left = axis && axis.first + axis.spacing * indexAt(this.#candles, this.#ms, at);
    return left !== undefined && left >= 0 && left < this.#chart.timeScale().width() ? left : undefined;
  }

  /** Where a price is, px from the top. */
  topOf(price: string): number | undefined {
    return this.#prices.priceToCoordinate(Number(price)) ?? undefined;
  }

  /** The start of the nearest candle, and the price, also outside the pane; undefined without candles. */
  pointAt({ x, y }: Position): { readonly at: number; readonly price: number } | undefined {
    const price = this.#prices.coordinateToPrice(y);
    const axis = this.#axis();
    if (price === null || !axis || this.#candles.length === 0) return undefined;
    return { at: timeAt(this.#candles, this.#ms, Math.round((x - axis.first) / axis.spacing)), price };
  }

  /** The start of the candle so many candles after the one nearest to a time. */
  candleBeside(at: number, by: number): number {
    const index = Math.round(indexAt(this.#candles, this.#ms, at));
    return timeAt(this.#candles, this.#ms, index + by);
  }

  /** Whether a position is in the pane, and not on its scales. */
  contains({ x, y }: Position): boolean {
    const height = this.#chart.panes()[0]?.getHeight() ?? 0;
    return x >= 0 && x < this.#chart.timeScale().width() && y >= 0 && y < height;
  }

  /** The library converts whole indexes only. */
  #axis(): { readonly first: number; readonly spacing: number } | undefined {
    const scale = this.#chart.timeScale();
    const [first, second] = [0, 1].map((index) => scale.logicalToCoordinate(index as Logical));
    if (first === null || first === undefined || second === null || second === undefined) return undefined;
    return { first, spacing: second - first };
  }
}
