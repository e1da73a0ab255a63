import {
  CandlestickSeries,
  HistogramSeries,
  LineSeries,
  type CandlestickData,
  type IChartApi,
  type ISeriesApi,
  type SeriesPartialOptionsMap,
  type SingleValueData,
  type Time,
  type WhitespaceData,
} from "lightweight-charts";
import type { Candle } from "../../market/candle.ts";
import type { ChartSeries, SeriesColours, SeriesPoint, ValueSeries } from "./series.ts";

type DrawnSeries = ISeriesApi<"Candlestick" | "Histogram" | "Line">;
type Datum = CandlestickData | (SingleValueData & { color?: string }) | WhitespaceData;
type Options = SeriesPartialOptionsMap["Candlestick" | "Histogram" | "Line"];

/** Share of the chart's height that each pane below the prices takes. */
const PANE_SHARE = 0.22;

/** Draws a list of series: those that are new are added to the chart, and those that are gone removed. */
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
    this.#series = series;
    const ids = series.map(({ id }) => id);
    const isOther = ids.join() !== [...this.#drawn.keys()].join();
    for (const [id, drawn] of this.#drawn) {
      if (ids.includes(id)) continue;
      this.#chart.removeSeries(drawn);
      this.#drawn.delete(id);
    }
    for (const each of series) {
      const drawn = this.#drawn.get(each.id) ?? this.#add(each);
      drawn.applyOptions(coloursOf(each, theme));
      drawn.setData(this.#data(each, theme));
    }
    if (isOther) this.#sharePanes();
  }

  #sharePanes(): void {
    const [prices, ...others] = this.#chart.panes();
    prices?.setStretchFactor(1 - PANE_SHARE * others.length);
    for (const pane of others) pane.setStretchFactor(PANE_SHARE);
  }

  /** Draws the newest point of each series; earlier ones are unchanged. */
  drawNewest(series: readonly ChartSeries[], theme: SeriesColours): void {
    this.#series = series;
    for (const each of series) {
      const [newest] = this.#data({ ...each, points: each.points.slice(-1) } as ChartSeries, theme);
      if (newest) this.get(each.id).update(newest);
    }
  }

  /** Applies the options of the series of a unit again, because they have changed. */
  refreshOptions(unit: ChartSeries["unit"]): void {
    for (const each of this.#series)
      if (each.unit === unit) this.get(each.id).applyOptions(this.#optionsOf(each));
  }

  #add(series: ChartSeries): DrawnSeries {
    const options = { priceLineVisible: false, lastValueVisible: false, ...this.#optionsOf(series) };
    const drawn = this.#create(series, options);
    this.#drawn.set(series.id, drawn);
    return drawn;
  }

  #create({ kind, pane }: ChartSeries, options: Options): DrawnSeries {
    switch (kind) {
      case "candles":
        return this.#chart.addSeries(CandlestickSeries, options, pane);
      case "histogram":
        return this.#chart.addSeries(HistogramSeries, options, pane);
      case "line":
        return this.#chart.addSeries(LineSeries, { ...options, lineWidth: 1 }, pane);
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
