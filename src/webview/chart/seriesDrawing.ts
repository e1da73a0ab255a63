import {
  CandlestickSeries,
  HistogramSeries,
  LineSeries,
  LineStyle,
  PriceScaleMode,
  type CandlestickData,
  type IChartApi,
  type ISeriesApi,
  type SeriesPartialOptionsMap,
  type SingleValueData,
  type Time,
  type WhitespaceData,
} from "lightweight-charts";
import type { Candle } from "../../market/candle.ts";
import type { ChartSeries, LinePattern, SeriesColours, SeriesPoint, ValueSeries } from "./series.ts";

type DrawnSeries = ISeriesApi<"Candlestick" | "Histogram" | "Line">;
type Datum = CandlestickData | (SingleValueData & { color?: string }) | WhitespaceData;
type Options = SeriesPartialOptionsMap["Candlestick" | "Histogram" | "Line"];

/** Share of the chart's height that each pane below the prices takes, and that all of them take at most. */
const PANE_SHARE = 0.22;
const MOST_SHARE = 0.54;

const PATTERNS: Readonly<Record<LinePattern, LineStyle>> = {
  solid: LineStyle.Solid,
  dashed: LineStyle.Dashed,
  dotted: LineStyle.Dotted,
  longDashed: LineStyle.LargeDashed,
  sparse: LineStyle.SparseDotted,
};

/**
 * Draws a list of series. The first one stays; if others come or go, all others are created anew, because the library renumbers the
 * panes below one that is empty.
 */
export class SeriesDrawing {
  readonly #chart: IChartApi;
  readonly #stamp: (time: number) => Time;
  readonly #optionsOf: (series: ChartSeries) => Options;
  readonly #drawn = new Map<string, DrawnSeries>();
  #series: readonly ChartSeries[] = [];

  /** `stamp` converts a candle's start to the library's time; `optionsOf` returns how numbers are scaled and written. */
  constructor(chart: IChartApi, stamp: (time: number) => Time, optionsOf: (series: ChartSeries) => Options) {
    this.#chart = chart;
    this.#stamp = stamp;
    this.#optionsOf = optionsOf;
  }

  /** The library's series with this id. Throws if it is not drawn. */
  get(id: string): DrawnSeries {
    const drawn = this.#drawn.get(id);
    if (!drawn) throw new Error(`The chart has no series ${id}`);
    return drawn;
  }

  /** Draws these series, with all of their points, instead of the previous ones. */
  draw(series: readonly ChartSeries[], theme: SeriesColours): void {
    const first = this.#series[0]?.points[0]?.time;
    this.#series = series;
    const ids = series.map(({ id }) => id);
    // While one series after another gets other times, the library looks for points below a resting pointer in all of them, by
    // places that are no longer theirs, and fails. It finds none in a series without points.
    const isShifted = first !== series[0]?.points[0]?.time;
    for (const [id, drawn] of isShifted ? this.#drawn : []) if (id !== ids[0]) drawn.setData([]);
    const isOther = ids.join() !== [...this.#drawn.keys()].join();
    for (const [id, drawn] of isOther ? this.#drawn : []) {
      if (id === ids[0]) continue;
      this.#chart.removeSeries(drawn);
      this.#drawn.delete(id);
    }
    for (const each of series) {
      const drawn = this.#drawn.get(each.id) ?? this.#add(each);
      drawn.applyOptions(coloursOf(each, theme));
      if (each.kind !== "candles") this.#drawLevels(drawn, each, theme);
      drawn.setData(this.#data(each, theme));
    }
    if (isOther) this.#sharePanes();
  }

  #drawLevels(drawn: DrawnSeries, { range }: ValueSeries, theme: SeriesColours): void {
    for (const line of drawn.priceLines()) drawn.removePriceLine(line);
    for (const price of range?.levels ?? [])
      drawn.createPriceLine({
        price,
        color: theme.text,
        lineWidth: 1,
        lineStyle: LineStyle.SparseDotted,
        axisLabelVisible: false,
        title: "",
      });
  }

  #sharePanes(): void {
    const [prices, ...others] = this.#chart.panes();
    const share = Math.min(PANE_SHARE, MOST_SHARE / others.length);
    prices?.setStretchFactor(1 - share * others.length);
    for (const pane of others) pane.setStretchFactor(share);
  }

  /** Draws the newest point of each series; earlier ones are unchanged. */
  drawNewest(series: readonly ChartSeries[], theme: SeriesColours): void {
    this.#series = series;
    for (const each of series) {
      const [newest] = this.#data({ ...each, points: each.points.slice(-1) } as ChartSeries, theme);
      if (newest) this.get(each.id).update(newest);
    }
  }

  /** Applies the options of all series again, or of one, because they have changed. */
  refreshOptions(id?: string): void {
    for (const each of this.#series)
      if (id === undefined || each.id === id) this.get(each.id).applyOptions(this.#optionsOf(each));
  }

  #add(series: ChartSeries): DrawnSeries {
    const options = { priceLineVisible: false, lastValueVisible: false, ...this.#optionsOf(series) };
    const drawn = this.#create(series, options);
    this.#drawn.set(series.id, drawn);
    // The library gives a new pane the scale that was last chosen for another one.
    if (series.pane > 0) drawn.priceScale().applyOptions({ mode: PriceScaleMode.Normal });
    return drawn;
  }

  #create(series: ChartSeries, options: Options): DrawnSeries {
    const { pane } = series;
    switch (series.kind) {
      case "candles":
        return this.#chart.addSeries(CandlestickSeries, options, pane);
      case "histogram":
        return this.#chart.addSeries(HistogramSeries, options, pane);
      case "line": {
        const lineStyle = PATTERNS[series.pattern ?? "solid"];
        const line = { lineWidth: 1, lineStyle, crosshairMarkerVisible: false } as const;
        return this.#chart.addSeries(LineSeries, { ...options, ...line }, pane);
      }
    }
  }

  #data(series: ChartSeries, theme: SeriesColours): Datum[] {
    return series.kind === "candles"
      ? series.points.map((candle) => this.#bar(candle))
      : series.points.map((point) => this.#value(point, series, theme));
  }

  #bar({ time, open, high, low, close }: Candle): Datum {
    return { time: this.#stamp(time), open, high, low, close };
  }

  #value({ time, value, colour }: SeriesPoint, series: ValueSeries, theme: SeriesColours): Datum {
    const at = this.#stamp(time);
    return value === undefined ? { time: at } : { time: at, value, color: theme[colour ?? series.colour] };
  }
}

/** Rising candles are hollow, falling ones filled: colour is never the only difference. */
function coloursOf(series: ChartSeries, theme: SeriesColours): Options {
  if (series.kind !== "candles") return { color: theme[series.colour] };
  const { background, up, down } = theme;
  return {
    upColor: background,
    downColor: down,
    borderUpColor: up,
    borderDownColor: down,
    wickUpColor: up,
    wickDownColor: down,
  };
}
