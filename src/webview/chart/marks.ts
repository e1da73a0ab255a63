import {
  createSeriesMarkers,
  LineStyle,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type SeriesMarker,
  type Time,
} from "lightweight-charts";
import type { Candle } from "../../market/candle.ts";
import { type ChartLine, type ChartMarks, NO_MARKS } from "../../protocol/chartMarks.ts";
import { fillsByCandle } from "./candleFills.ts";
import type { ChartTheme } from "./theme.ts";

/**
 * Draws the user's own marks: a dashed line at each open order's rate, dotted lines at the average cost and at each alert's
 * price, an upward arrow below candles with purchases and a downward arrow above those with sales. Lines have labels
 * and arrows have directions, so that colour is never the only difference.
 */
export class MarkDrawing {
  readonly #series: ISeriesApi<"Candlestick">;
  readonly #markers: ISeriesMarkersPluginApi<Time>;
  readonly #stamp: (time: number) => Time;
  #lines: IPriceLine[] = [];
  #marks = NO_MARKS;

  /** `stamp` converts a candle's start to the library's time. */
  constructor(series: ISeriesApi<"Candlestick">, stamp: (time: number) => Time) {
    this.#series = series;
    this.#stamp = stamp;
    this.#markers = createSeriesMarkers<Time>(series, []);
  }

  /** Prices of the lines. Each has a label on the price scale. */
  get prices(): readonly number[] {
    return this.#lines.map((line) => line.options().price);
  }

  /** Texts of the labels. */
  get labels(): readonly string[] {
    return this.#lines.map((line) => line.options().title);
  }

  setMarks(marks: ChartMarks, candles: readonly Candle[], theme: ChartTheme): void {
    this.#marks = marks;
    this.#drawLines(theme);
    this.placeFills(candles, theme);
  }

  setTheme(theme: ChartTheme): void {
    this.#drawLines(theme);
  }

  /** Call when the candles have changed, because a fill may now belong to another one. */
  placeFills(candles: readonly Candle[], { up, down }: ChartTheme): void {
    if (this.#marks.fills.length === 0 && this.#markers.markers().length === 0) return;
    this.#markers.setMarkers(
      fillsByCandle(this.#marks.fills, candles).map(({ time, side, count }): SeriesMarker<Time> => ({
        time: this.#stamp(time),
        ...(side === "buy"
          ? { position: "belowBar", shape: "arrowUp", color: up }
          : { position: "aboveBar", shape: "arrowDown", color: down }),
        ...(count > 1 && { text: String(count) }),
      })),
    );
  }

  #drawLines({ up, down, text }: ChartTheme): void {
    for (const line of this.#lines) this.#series.removePriceLine(line);
    const { orders, alerts, averageCost } = this.#marks;
    const draw = ({ rate, label }: ChartLine, color: string, lineStyle: LineStyle): IPriceLine =>
      this.#series.createPriceLine({
        price: Number(rate),
        title: label,
        color,
        lineStyle,
        lineWidth: 1,
        axisLabelVisible: true,
      });
    this.#lines = [
      ...orders.map((order) => draw(order, order.side === "buy" ? up : down, LineStyle.Dashed)),
      ...alerts.map((alert) => draw(alert, text, LineStyle.SparseDotted)),
      ...(averageCost ? [draw(averageCost, text, LineStyle.Dotted)] : []),
    ];
  }
}
