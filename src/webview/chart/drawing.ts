import {
  CandlestickSeries,
  createChart,
  CrosshairMode,
  HistogramSeries,
  LineStyle,
  TickMarkType,
  type AutoscaleInfo,
  type CandlestickData,
  type HistogramData,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type MouseEventParams,
  type Time,
  type UTCTimestamp,
  type WhitespaceData,
} from "lightweight-charts";
import type { Candle } from "../../market/candle.ts";
import { intervals, type Interval } from "../../market/intervals.ts";
import type { ChartMarks } from "../../protocol/chartMarks.ts";
import { scaleRange, type ChartFormat } from "./format.ts";
import { MarkDrawing } from "./marks.ts";
import type { ChartTheme } from "./theme.ts";

export interface ChartPoint {
  /** Start of its candle, ms; undefined outside the candles. */
  readonly time: number | undefined;
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
const VOLUME_SHARE = 0.22;
/** A label partly covers ticks within this many font sizes. */
const LABEL_EMS = 1.25;
/** Half the height of the crosshair's buttons, to keep them inside the chart. */
const EDGE_PX = 12;

/** Space around the text of a line's label, in em. */
const LABEL_PADDING_EMS = 1.5;

/** Draws a chart: candles above, volumes below, the market's last price as a line. */
export class ChartDrawing {
  readonly #chart: IChartApi;
  readonly #candles: ISeriesApi<"Candlestick">;
  readonly #volumes: ISeriesApi<"Histogram">;
  readonly #marks: MarkDrawing;
  readonly #text: ChartFormat;
  /**
   * Offset of the local time zone from UTC. The library aligns time marks to UTC, so intraday times are shifted by this
   * offset and shifted back for texts. Daily candles are not shifted.
   */
  #shiftMs = 0;
  #theme: ChartTheme;
  #interval: Interval = "1m";
  #places = 0;
  /** The market's last price; the library's own line would follow the last visible candle. */
  #lastLine: IPriceLine | undefined;
  #last: { readonly price: number; readonly isUp: boolean } | undefined;
  /** Prices that had a label when the ticks were last formatted. */
  #labelled: readonly number[] = [];
  #count = 0;
  /** Start of the newest candle, ms. */
  #newest = 0;
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
    this.#candles = this.#chart.addSeries(CandlestickSeries, {
      priceLineVisible: false,
      lastValueVisible: false,
      autoscaleInfoProvider: (own: () => AutoscaleInfo | null) => this.#scaled(own()),
    });
    this.#volumes = this.#chart.addSeries(
      HistogramSeries,
      {
        priceLineVisible: false,
        lastValueVisible: false,
        priceFormat: {
          type: "custom",
          minMove: 1e-8,
          formatter: (volume: number) => text.volume(volume),
          tickmarksFormatter: (marks: number[]) => text.volumes(marks),
        },
      },
      1,
    );
    this.#marks = new MarkDrawing(this.#candles, (time) => this.#stamp(time));
    const [prices, volumes] = this.#chart.panes();
    prices?.setStretchFactor(1 - VOLUME_SHARE);
    volumes?.setStretchFactor(VOLUME_SHARE);
    this.#chart.timeScale().subscribeSizeChange(() => this.#frameNewest());
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(() => this.#hideCoveredTicks());
    this.setPlaces(this.#places);
    this.setTheme(theme);
  }

  /**
   * Calls `listener` when the pointer moves the crosshair or the chart moves under it; with undefined when the
   * crosshair is hidden.
   */
  onDidPoint(listener: (point: ChartPoint | undefined) => void): void {
    this.#chart.subscribeCrosshairMove((event) => listener(this.#pointOf(event)));
  }

  /** Replaces all candles. A new interval scrolls to its newest candles. */
  setCandles(candles: readonly Candle[], interval: Interval): void {
    const isOther = interval !== this.#interval || this.#count === 0;
    this.#interval = interval;
    this.#count = candles.length;
    this.#newest = candles.at(-1)?.time ?? 0;
    const isDaysOfUtc = interval === "1d" && (candles[0]?.time ?? 0) % intervals["1d"].ms === 0;
    this.#shiftMs = isDaysOfUtc ? 0 : -new Date().getTimezoneOffset() * 60_000;
    this.#candles.setData(candles.map((candle) => this.#bar(candle)));
    this.#volumes.setData(candles.map((candle) => this.#column(candle)));
    this.#marks.placeFills(candles, this.#theme);
    if (isOther) this.#isFramed = false;
    this.#frameNewest();
    this.#hideCoveredTicks();
  }

  /** Updates or appends the newest candle. */
  setNewest(candle: Candle): void {
    if (candle.time > this.#newest) this.#count += 1;
    this.#newest = candle.time;
    this.#candles.update(this.#bar(candle));
    this.#volumes.update(this.#column(candle));
    this.#hideCoveredTicks();
  }

  /** Replaces the user's own marks. `candles` are those currently shown. */
  setMarks(marks: ChartMarks, candles: readonly Candle[]): void {
    this.#marks.setMarks(marks, candles, this.#theme);
    this.#hideCoveredTicks();
    if (this.isAtNewest) this.#makeRoom();
  }

  /** The market's last price, whatever candles are visible; undefined if unknown. `isUp`: its candle has not fallen. */
  setLast(last: { readonly price: number; readonly isUp: boolean } | undefined): void {
    this.#last = last;
    this.#showLastLine();
    this.#hideCoveredTicks();
  }

  #showLastLine(): void {
    const last = this.#last;
    if (!last) {
      if (this.#lastLine) this.#candles.removePriceLine(this.#lastLine);
      this.#lastLine = undefined;
      return;
    }
    const { up, down } = this.#theme;
    const options = {
      price: last.price,
      color: last.isUp ? up : down,
      // Colour is never the only difference.
      title: last.isUp ? "▲" : "▼",
      lineStyle: LineStyle.Solid,
      lineWidth: 1,
      axisLabelVisible: true,
    } as const;
    if (this.#lastLine) this.#lastLine.applyOptions(options);
    else this.#lastLine = this.#candles.createPriceLine(options);
  }

  /** Whether the newest candle is visible. */
  get isAtNewest(): boolean {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    return !range || range.to >= this.#count - 1;
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
    return Math.max(FREE_CANDLES, (seen * this.labelWidth) / Math.max(1, this.#chart.timeScale().width()));
  }

  /** Width of the widest label of a line, and at least half of a time label, px. */
  get labelWidth(): number {
    const { fontSize, fontFamily } = this.#theme;
    const paint = document.createElement("canvas").getContext("2d");
    if (paint) paint.font = `${fontSize}px ${fontFamily}`;
    const widths = this.#marks.labels.map(
      (label) => (paint?.measureText(label).width ?? 0) + LABEL_PADDING_EMS * fontSize,
    );
    return Math.max(FREE_EMS * fontSize, ...widths);
  }

  setPlaces(places: number): void {
    this.#places = places;
    this.#candles.applyOptions({
      priceFormat: {
        type: "custom",
        minMove: 10 ** -places,
        formatter: (price: number) => this.#text.scalePrice(price, this.#places),
        tickmarksFormatter: (prices: number[]) =>
          prices.map((price) => (this.#isCovered(price) ? "" : this.#text.scalePrice(price, this.#places))),
      },
    });
  }

  /**
   * Hides price ticks under a label that has moved, because the library draws labels over ticks, and caches ticks until
   * the range changes.
   */
  #hideCoveredTicks(): void {
    const labelled = [...(this.#last ? [this.#last.price] : []), ...this.#marks.prices];
    if (labelled.join() === this.#labelled.join()) return;
    this.#labelled = labelled;
    this.setPlaces(this.#places);
  }

  #isCovered(price: number): boolean {
    const y = this.#candles.priceToCoordinate(price);
    return this.#labelled.some((each) => {
      const labelY = this.#candles.priceToCoordinate(each);
      return y !== null && labelY !== null && Math.abs(y - labelY) < LABEL_EMS * this.#theme.fontSize;
    });
  }

  /** Rising candles are hollow, falling ones filled: colour is never the only difference. */
  setTheme(theme: ChartTheme): void {
    this.#theme = theme;
    const { background, text, faint, line, up, down } = theme;
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
    this.#candles.applyOptions({
      upColor: background,
      downColor: down,
      borderUpColor: up,
      borderDownColor: down,
      wickUpColor: up,
      wickDownColor: down,
    });
    this.#showLastLine();
    this.#marks.setTheme(theme);
  }

  /** Places the crosshair on a candle and a price, and returns its position. */
  point({ time }: Candle, price: number): ChartPoint {
    this.#chart.setCrosshairPosition(price, this.#stamp(time), this.#candles);
    const top = this.#candles.priceToCoordinate(price) ?? 0;
    return { time, price, top };
  }

  /** The nearest price within the visible scale. */
  within(price: number): number {
    const { top, bottom } = this.#shownPrices();
    return top === undefined || bottom === undefined ? price : Math.min(top, Math.max(bottom, price));
  }

  /** Calls `listener` when the visible price range may have changed. */
  onDidMove(listener: () => void): void {
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(listener);
    this.#chart.timeScale().subscribeSizeChange(listener);
  }

  /** Where a price is relative to the visible scale. */
  placeOf(price: number): "above" | "shown" | "below" {
    const { top, bottom } = this.#shownPrices();
    if (top !== undefined && price > top) return "above";
    return bottom !== undefined && price < bottom ? "below" : "shown";
  }

  #shownPrices(): { readonly top: number | undefined; readonly bottom: number | undefined } {
    const height = this.#chart.panes()[0]?.getHeight() ?? 0;
    const at = (y: number): number | undefined => this.#candles.coordinateToPrice(y) ?? undefined;
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
    const label = this.labelWidth;
    if (this.#isFramed || this.#count === 0 || scale.width() <= label) return;
    this.#isFramed = true;
    const free = Math.max(FREE_CANDLES, (SEEN_AT_FIRST * label) / (scale.width() - label));
    scale.setVisibleLogicalRange({ from: this.#count - SEEN_AT_FIRST, to: this.#count - 1 + free });
  }

  #pointOf({ point, time, paneIndex }: MouseEventParams): ChartPoint | undefined {
    if (!point) return undefined;
    const price = paneIndex === 0 ? this.#candles.coordinateToPrice(point.y) : null;
    return {
      time: time === undefined ? undefined : this.#ms(time),
      price: price ?? undefined,
      top: point.y,
    };
  }

  #scaled(own: AutoscaleInfo | null): AutoscaleInfo | null {
    return own?.priceRange ? { ...own, priceRange: scaleRange(own.priceRange, this.#count) } : own;
  }

  /** Width of the price scale, px. */
  get scaleWidth(): number {
    return this.#chart.priceScale("right").width();
  }

  #bar({ time, open, high, low, close }: Candle): CandlestickData {
    return { time: this.#stamp(time), open, high, low, close };
  }

  /** No column if the volume is unknown. */
  #column({ time, open, close, volume }: Candle): HistogramData | WhitespaceData {
    if (volume === undefined) return { time: this.#stamp(time) };
    const color = close < open ? this.#theme.volumeDown : this.#theme.volumeUp;
    return { time: this.#stamp(time), value: volume, color };
  }

  #stamp(time: number): UTCTimestamp {
    return ((time + this.#shiftMs) / 1000) as UTCTimestamp;
  }

  #ms(time: Time): number {
    return Number(time) * 1000 - this.#shiftMs;
  }

  #mark(time: Time, type: TickMarkType): string {
    return this.#text.mark(this.#ms(time), this.#interval, type < TickMarkType.Time);
  }
}
