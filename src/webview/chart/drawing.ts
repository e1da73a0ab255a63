import {
  createChart,
  CrosshairMode,
  PriceScaleMode,
  TickMarkType,
  type AutoscaleInfo,
  type IChartApi,
  type ISeriesApi,
  type MouseEventParams,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import type { Candle } from "../../market/candle.ts";
import { intervals, isDated, type Interval } from "../../market/intervals.ts";
import { type ChartMark, isLine, isTrend, type LineMark } from "../../protocol/chartMarks.ts";
import { scaleRange, type ChartFormat } from "./format.ts";
import { labelPlaces } from "./labelPlaces.ts";
import { TrendDrawing } from "./lines/trendDrawing.ts";
import { MarkDrawing } from "./marks.ts";
import { ChartPlane } from "./plane.ts";
import { type ChartSeries, pricesOf, type SeriesList } from "./series.ts";
import { SeriesDrawing } from "./seriesDrawing.ts";
import type { ChartTheme } from "./theme.ts";

export interface ChartPoint {
  /** Start of its candle, ms; undefined outside the candles. */
  readonly time: number | undefined;
  /** The same; outside the candles, where one would start. */
  readonly at: number;
  /** Undefined outside the price pane, for example in the volumes below. */
  readonly price: number | undefined;
  /** Distance from the top of the chart, CSS px. */
  readonly top: number;
}

/** Number of candles visible initially. */
const SEEN_AT_FIRST = 120;
/** Minimum space to the right of the newest candle: in candles, and in em, to fit half of its time label. */
const FREE_CANDLES = 5;
const FREE_EMS = 2.5;
/** The library's height of a label. */
const LABEL_HEIGHT_EMS = 17 / 12;
/** A label partly covers ticks within this many font sizes. */
const LABEL_EMS = 1.25;
/** Half the height of the crosshair's buttons, to keep them inside the chart. */
const EDGE_PX = 12;
const SEPARATOR_PX = 1;

/** Space around the text of a line's label, in em. */
const LABEL_PADDING_EMS = 1.5;
/** Share of the plot's width that the name of a drawn line may take. */
const NAME_SHARE = 0.4;

/** Draws a chart: a list of series in panes, and a list of marks in the pane of the prices. */
export class ChartDrawing {
  readonly #chart: IChartApi;
  readonly #series: SeriesDrawing;
  /** The series of the prices, which is always drawn. */
  readonly #prices: ISeriesApi<"Candlestick">;
  readonly #lines: MarkDrawing;
  readonly #trends: TrendDrawing;
  readonly plane: ChartPlane;
  readonly #text: ChartFormat;
  /**
   * Offset of the local time zone from UTC. The library aligns time marks to UTC, so intraday times are shifted by this
   * offset and shifted back for texts. Candles of days of UTC are not shifted.
   */
  #shiftMs = 0;
  #theme: ChartTheme;
  #interval: Interval = "1m";
  #places = 0;
  /** Prices that had a label when the ticks were last formatted. */
  #labelled: readonly number[] = [];
  #drawn: SeriesList = pricesOf([]);
  #marks: readonly ChartMark[] = [];
  #labelWidth = 0;
  /** Measures labels. */
  readonly #paint = document.createElement("canvas").getContext("2d");
  /** Font and labels of which the width was last measured. */
  #measured = "";
  /** Whether the visible range was set since these candles arrived, by this class or the user. */
  #isFramed = false;

  constructor(container: HTMLElement, text: ChartFormat, theme: ChartTheme) {
    this.#text = text;
    this.#theme = theme;
    this.#chart = createChart(container, {
      autoSize: true,
      crosshair: { mode: CrosshairMode.Normal },
      layout: { attributionLogo: true, panes: { enableResize: false } },
      timeScale: {
        timeVisible: true,
        rightOffset: 4,
        minBarSpacing: 1,
        tickMarkFormatter: (time: Time, type: TickMarkType) => this.#mark(time, type),
      },
      localization: { timeFormatter: (time: Time) => text.start(this.#ms(time), this.#interval) },
    });
    const stamp = (time: number): UTCTimestamp => this.#stamp(time);
    this.#series = new SeriesDrawing(this.#chart, stamp, (series) => this.#optionsOf(series));
    this.#series.draw(this.#drawn, theme);
    this.#prices = this.#series.get(this.#drawn[0].id) as ISeriesApi<"Candlestick">;
    this.#lines = new MarkDrawing(this.#prices, stamp);
    this.plane = new ChartPlane(this.#chart, this.#prices);
    this.#trends = new TrendDrawing((end) => this.plane.positionOf(end));
    this.#prices.attachPrimitive(this.#trends);
    this.#chart.timeScale().subscribeSizeChange(() => {
      this.#drawMarks();
      this.#frameNewest();
    });
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(() => this.#hideCoveredTicks());
    this.setTheme(theme);
  }

  /**
   * Calls `listener` when the pointer moves the crosshair or the chart moves under it; with undefined when the
   * crosshair is hidden.
   */
  onDidPoint(listener: (point: ChartPoint | undefined) => void): void {
    this.#chart.subscribeCrosshairMove((event) => listener(this.#pointOf(event)));
  }

  /** While held, the chart does not scroll and scale with the pointer. */
  setHeld(isHeld: boolean): void {
    this.#chart.applyOptions({ handleScroll: !isHeld, handleScale: !isHeld });
  }

  /** Replaces all series. Another interval scrolls to its newest candles. */
  setSeries(series: SeriesList, interval: Interval): void {
    const isOther = interval !== this.#interval || this.#count === 0;
    this.#interval = interval;
    this.#drawn = series;
    const isDaysOfUtc = isDated(interval) && (this.#candles[0]?.time ?? 0) % intervals["1d"].ms === 0;
    this.#shiftMs = isDaysOfUtc ? 0 : -new Date().getTimezoneOffset() * 60_000;
    this.#series.draw(series, this.#theme);
    this.#drawMarks();
    if (isOther) {
      this.#isFramed = false;
      this.refreshTimes();
    }
    this.#frameNewest();
  }

  /** Updates or appends the newest point of each series. */
  setNewest(series: SeriesList): void {
    this.#drawn = series;
    this.#series.drawNewest(series, this.#theme);
    this.#drawMarks();
  }

  /** Replaces all marks. */
  setMarks(marks: readonly ChartMark[]): void {
    const width = this.#labelWidth;
    this.#marks = marks;
    this.#drawMarks();
    if (this.#labelWidth > width && this.isAtNewest) this.#makeRoom();
  }

  #drawMarks(): void {
    this.plane.setCandles(this.#candles, this.#interval);
    const marks = this.#marks.map((mark) =>
      isLine(mark) && mark.kind === "drawn" ? this.#shortened(mark) : mark,
    );
    this.#lines.draw(marks, this.#candles, this.#theme);
    this.#trends.draw(this.#marks.filter(isTrend), this.#theme);
    this.#measureLabels();
    this.#hideCoveredTicks();
  }

  get #candles(): readonly Candle[] {
    return this.#drawn[0].points;
  }

  get #count(): number {
    return this.#candles.length;
  }

  /** Whether the newest candle is visible. */
  get isAtNewest(): boolean {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    return !range || range.to >= this.#count - 1;
  }

  /** The chart as it is drawn, without the page's texts over it. */
  get screenshot(): HTMLCanvasElement {
    return this.#chart.takeScreenshot();
  }

  /** Shows all candles, and scales the prices to them. */
  fit(): void {
    this.#prices.priceScale().setAutoScale(true);
    this.#chart.timeScale().fitContent();
  }

  setLogarithmic(isLogarithmic: boolean): void {
    const mode = isLogarithmic ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
    this.#prices.priceScale().applyOptions({ mode });
  }

  /** Whether less than half of a page of candles is left to scroll back. */
  get isNearOldest(): boolean {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    return range !== null && range.from < (range.to - range.from) / 2;
  }

  /** Writes the times of the time scale again, which the library caches. */
  refreshTimes(): void {
    this.#chart.timeScale().applyOptions({});
  }

  /** Scrolls to the newest candle, with the same number of candles. */
  showNewest(): void {
    const scale = this.#chart.timeScale();
    const range = scale.getVisibleLogicalRange();
    if (!range) return;
    const move = this.#count - 1 + this.#freeCandles(range.to - range.from) - range.to;
    scale.setVisibleLogicalRange({ from: range.from + move, to: range.to + move });
  }

  /** Keeps the labels of lines off the newest candles. */
  #makeRoom(): void {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    if (range && range.to < this.#count - 1 + this.#freeCandles(range.to - range.from)) this.showNewest();
  }

  /** Space to the right of the newest candle, of `seen` candles in all, so that labels cover none. */
  #freeCandles(seen: number): number {
    return Math.max(FREE_CANDLES, (seen * this.#labelWidth) / Math.max(1, this.#chart.timeScale().width()));
  }

  /** Width of the widest label of a line, and at least half of a time label, px. */
  get labelWidth(): number {
    return this.#labelWidth;
  }

  #measureLabels(): void {
    const { fontSize, fontFamily } = this.#theme;
    const measured = [fontSize, fontFamily, ...this.#lines.labels].join("\n");
    if (measured === this.#measured) return;
    this.#measured = measured;
    this.#labelWidth = Math.max(
      FREE_EMS * fontSize,
      ...this.#lines.labels.map((label) => this.#widthOf(label)),
    );
  }

  /** Width of a label with this text, px. */
  #widthOf(label: string): number {
    const { fontSize, fontFamily } = this.#theme;
    if (this.#paint) this.#paint.font = `${fontSize}px ${fontFamily}`;
    return (this.#paint?.measureText(label).width ?? 0) + LABEL_PADDING_EMS * fontSize;
  }

  /** The line with as much of its name as leaves most of a narrow plot to the candles. */
  #shortened(mark: LineMark): LineMark {
    const most = NAME_SHARE * this.#chart.timeScale().width();
    const letters = [...mark.label];
    let label = mark.label;
    while (letters.length > 1 && this.#widthOf(label) > most) {
      letters.pop();
      label = `${letters.join("").trimEnd()}…`;
    }
    return label === mark.label ? mark : { ...mark, label };
  }

  setPlaces(places: number): void {
    this.#places = places;
    this.#series.refreshOptions();
  }

  #optionsOf(series: ChartSeries) {
    const { unit, pane } = series;
    if (unit === "volume")
      return {
        priceFormat: {
          type: "custom",
          minMove: 1e-8,
          formatter: (volume: number) => this.#text.volume(volume),
          tickmarksFormatter: (marks: number[]) => this.#text.volumes(marks),
        },
      } as const;
    if (pane > 0) {
      const range = series.kind === "candles" ? undefined : series.range;
      const priceRange = range && { minValue: range.from, maxValue: range.to };
      return {
        priceFormat: {
          type: "custom",
          minMove: unit === "index" ? 0.01 : 10 ** -this.#places,
          formatter: (value: number) => this.#text.study(value, unit, this.#places),
          // Above and below its range, a scale has a margin.
          tickmarksFormatter: (marks: number[]) =>
            marks.map((mark) =>
              range && (mark < range.from || mark > range.to)
                ? ""
                : this.#text.study(mark, unit, this.#places),
            ),
        },
        autoscaleInfoProvider: (own: () => AutoscaleInfo | null) => (priceRange ? { priceRange } : own()),
      } as const;
    }
    return {
      priceFormat: {
        type: "custom",
        minMove: 10 ** -this.#places,
        formatter: (price: number) => this.#text.scalePrice(price, this.#places),
        tickmarksFormatter: (prices: number[]) =>
          this.#uncovered(prices).map((price) =>
            price === undefined ? "" : this.#text.scalePrice(price, this.#places),
          ),
      },
      autoscaleInfoProvider: (own: () => AutoscaleInfo | null) => this.#scaled(own()),
    } as const;
  }

  /**
   * Hides price ticks under a label that has moved, because the library draws labels over ticks, and caches ticks until
   * the range changes.
   */
  #hideCoveredTicks(): void {
    const labelled = this.#lines.prices;
    if (labelled.join() === this.#labelled.join()) return;
    this.#labelled = labelled;
    this.#series.refreshOptions(this.#drawn[0].id);
  }

  /** Prices of ticks, without those that a label covers a part of. */
  #uncovered(prices: readonly number[]): (number | undefined)[] {
    const { fontSize } = this.#theme;
    const wanted = this.#labelled.flatMap((price) => this.#prices.priceToCoordinate(price) ?? []);
    const labels = labelPlaces(wanted, LABEL_HEIGHT_EMS * fontSize, this.#prices.getPane().getHeight());
    return prices.map((price) => {
      const y = this.#prices.priceToCoordinate(price);
      const isCovered = y !== null && labels.some((label) => Math.abs(y - label) < LABEL_EMS * fontSize);
      return isCovered ? undefined : price;
    });
  }

  setTheme(theme: ChartTheme): void {
    this.#theme = theme;
    const { background, text, faint, line } = theme;
    const grid = { color: faint };
    const crosshair = { color: text, labelBackgroundColor: text };
    this.#chart.applyOptions({
      layout: {
        background: { color: background },
        textColor: text,
        fontFamily: theme.fontFamily,
        fontSize: theme.fontSize,
        panes: { separatorColor: line, separatorHoverColor: line },
      },
      grid: { vertLines: grid, horzLines: grid },
      crosshair: { vertLine: crosshair, horzLine: crosshair },
      rightPriceScale: { borderColor: line, entireTextOnly: true },
      timeScale: { borderColor: line },
    });
    this.#series.draw(this.#drawn, theme);
    this.#drawMarks();
  }

  /** Places the crosshair on a candle and a price, and returns its position. */
  point({ time }: Candle, price: number): ChartPoint {
    this.#chart.setCrosshairPosition(price, this.#stamp(time), this.#prices);
    const top = this.#prices.priceToCoordinate(price) ?? 0;
    return { time, at: time, price, top };
  }

  /** The nearest price within the visible scale. */
  within(price: number): number {
    const { top, bottom } = this.#shownPrices();
    return top === undefined || bottom === undefined ? price : Math.min(top, Math.max(bottom, price));
  }

  /** Calls `listener` when the visible price range may have changed. */
  onDidMove(listener: () => void): void {
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(listener);
    new ResizeObserver(listener).observe(this.#chart.chartElement());
  }

  /** Where a price is relative to the visible scale. */
  placeOf(price: number): "above" | "shown" | "below" {
    const { top, bottom } = this.#shownPrices();
    if (top !== undefined && price > top) return "above";
    return bottom !== undefined && price < bottom ? "below" : "shown";
  }

  #shownPrices(): { readonly top: number | undefined; readonly bottom: number | undefined } {
    const height = this.#chart.panes()[0]?.getHeight() ?? 0;
    const at = (y: number): number | undefined => this.#prices.coordinateToPrice(y) ?? undefined;
    return height > 2 * EDGE_PX
      ? { top: at(EDGE_PX), bottom: at(height - EDGE_PX) }
      : { top: undefined, bottom: undefined };
  }

  leave(): void {
    this.#chart.clearCrosshairPosition();
  }

  /** Scrolls to make a candle visible, by index. */
  reveal(index: number): void {
    const scale = this.#chart.timeScale();
    const range = scale.getVisibleLogicalRange();
    if (!range) return;
    const move = index < range.from ? index - range.from - 1 : index > range.to ? index - range.to + 1 : 0;
    if (move !== 0) scale.setVisibleLogicalRange({ from: range.from + move, to: range.to + move });
  }

  /** Scrolls to the newest candles; deferred until the chart has a width. */
  #frameNewest(): void {
    const scale = this.#chart.timeScale();
    const label = this.#labelWidth;
    if (this.#isFramed || this.#count === 0 || scale.width() <= label) return;
    this.#isFramed = true;
    const free = Math.max(FREE_CANDLES, (SEEN_AT_FIRST * label) / (scale.width() - label));
    scale.setVisibleLogicalRange({ from: this.#count - SEEN_AT_FIRST, to: this.#count - 1 + free });
  }

  #pointOf({ point, time, paneIndex }: MouseEventParams): ChartPoint | undefined {
    if (!point) return undefined;
    const price = paneIndex === 0 ? this.#prices.coordinateToPrice(point.y) : null;
    return {
      time: time === undefined ? undefined : this.#ms(time),
      at: this.plane.pointAt(point)?.at ?? 0,
      price: price ?? undefined,
      top: point.y,
    };
  }

  #scaled(own: AutoscaleInfo | null): AutoscaleInfo | null {
    return own?.priceRange ? { ...own, priceRange: scaleRange(own.priceRange, this.#count) } : own;
  }

  /** Where each pane begins, px below the top of the chart. */
  get paneTops(): readonly number[] {
    const tops = [0];
    for (const pane of this.#chart.panes()) tops.push((tops.at(-1) ?? 0) + pane.getHeight() + SEPARATOR_PX);
    return tops.slice(0, -1);
  }

  /** Height of the time scale, px. */
  get timesHeight(): number {
    return this.#chart.timeScale().height();
  }

  /** Height of everything below the pane of the prices, px. */
  get heightBelow(): number {
    const [, ...below] = this.#chart.panes();
    const panes = below.reduce((sum, pane) => sum + pane.getHeight() + SEPARATOR_PX, 0);
    return panes + this.timesHeight;
  }

  /** Width of the price scale, px. */
  get scaleWidth(): number {
    return this.#chart.priceScale("right").width();
  }

  #stamp(time: number): UTCTimestamp {
    return ((time + this.#shiftMs) / 1000) as UTCTimestamp;
  }

  #ms(time: Time): number {
    return Number(time) * 1000 - this.#shiftMs;
  }

  #mark(time: Time, type: TickMarkType): string {
    const first = type === TickMarkType.Year ? "year" : type < TickMarkType.Time ? "day" : undefined;
    return this.#text.mark(this.#ms(time), this.#interval, first);
  }
}
