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
import { type ChartMark, type FillMark, isFill, isLine, type LineMark } from "../../protocol/chartMarks.ts";
import { fillsByCandle } from "./candleFills.ts";
import type { ChartTheme } from "./theme.ts";

/** Differ by kind, so that colour is never the only difference. */
const LINE_STYLES: Readonly<Record<LineMark["kind"], LineStyle>> = {
  last: LineStyle.Solid,
  order: LineStyle.Dashed,
  alert: LineStyle.SparseDotted,
  averageCost: LineStyle.Dotted,
  drawn: LineStyle.LargeDashed,
};

/** In px. */
const LINE_WIDTH = 1;
const SELECTED_LINE_WIDTH = 3;

/**
 * Draws marks: lines with labels at their prices, an upward arrow below candles with purchases and a downward arrow above
 * those with sales.
 */
export class MarkDrawing {
  readonly #series: ISeriesApi<"Candlestick">;
  readonly #arrows: ISeriesMarkersPluginApi<Time>;
  readonly #stamp: (time: number) => Time;
  readonly #lines: IPriceLine[] = [];
  /** The marks of the lines, and the theme they were drawn in. */
  #drawn: readonly LineMark[] = [];
  #theme: ChartTheme | undefined;
  /** What the arrows depend on, when they were last placed. */
  #placed: readonly unknown[] = [];

  /** `stamp` converts a candle's start to the library's time. */
  constructor(series: ISeriesApi<"Candlestick">, stamp: (time: number) => Time) {
    this.#series = series;
    this.#stamp = stamp;
    this.#arrows = createSeriesMarkers<Time>(series, []);
  }

  /** Prices of the lines. Each has a label on the price scale. */
  get prices(): readonly number[] {
    return this.#lines.map((line) => line.options().price);
  }

  /** Texts of the labels. */
  get labels(): readonly string[] {
    return this.#lines.map((line) => line.options().title);
  }

  /** Replaces all marks. Call it when the candles changed, too: a fill may belong to another one. */
  draw(marks: readonly ChartMark[], candles: readonly Candle[], theme: ChartTheme): void {
    this.#drawLines(marks.filter(isLine), theme);
    this.#theme = theme;
    this.#placeArrows(marks.filter(isFill), candles, theme);
  }

  /** A tick replaces the mark of the last price only, and each change of a line costs as much as drawing it. */
  #drawLines(marks: readonly LineMark[], theme: ChartTheme): void {
    const colours = { up: theme.up, down: theme.down, plain: theme.text };
    for (const line of this.#lines.splice(marks.length)) this.#series.removePriceLine(line);
    for (const [index, mark] of marks.entries()) {
      if (mark === this.#drawn[index] && theme === this.#theme) continue;
      const { kind, rate, label, tone, isSelected = false } = mark;
      const options = {
        price: Number(rate),
        title: label,
        color: colours[tone],
        lineStyle: LINE_STYLES[kind],
        lineWidth: isSelected ? SELECTED_LINE_WIDTH : LINE_WIDTH,
        axisLabelVisible: true,
      } as const;
      const line = this.#lines[index];
      if (line) line.applyOptions(options);
      else this.#lines.push(this.#series.createPriceLine(options));
    }
    this.#drawn = marks;
  }

  #placeArrows(fills: readonly FillMark[], candles: readonly Candle[], theme: ChartTheme): void {
    const placed = [theme, candles.length, candles[0]?.time, candles.at(-1)?.time, ...fills];
    if (placed.length === this.#placed.length && placed.every((each, at) => each === this.#placed[at]))
      return;
    this.#placed = placed;
    this.#arrows.setMarkers(
      fillsByCandle(fills, candles).map(({ time, tone, count }): SeriesMarker<Time> => ({
        time: this.#stamp(time),
        ...(tone === "up"
          ? { position: "belowBar", shape: "arrowUp", color: theme.up }
          : { position: "aboveBar", shape: "arrowDown", color: theme.down }),
        ...(count > 1 && { text: String(count) }),
      })),
    );
  }
}
