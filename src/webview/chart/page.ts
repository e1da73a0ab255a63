import type { Candle } from "../../market/candle.ts";
import type { Interval } from "../../market/intervals.ts";
import { parseDecimal, priceText } from "../../market/numbers/decimal.ts";
import { finestPlaces } from "../../market/numbers/priceDecimals.ts";
import { pairName } from "../../market/pair.ts";
import { parametersText, type ShownStudy } from "../../market/studies.ts";
import type { ChartPageState, ChartSetup, FromChart, Studies, ToChart } from "../../protocol/chart.ts";
import { type ChartMark, isFill, isLine, type LineMark } from "../../protocol/chartMarks.ts";
import type { Echo } from "../../protocol/echo.ts";
import { element, make, receiveInFrames, restoreFocus, sendEchoes, setText } from "../dom.ts";
import { reportInput } from "../inputNotice.ts";
import { addMenu } from "../menuButton.ts";
import { onHostSilence } from "../silence.ts";
import { showVenue } from "../venueBadge.ts";
import { filled } from "../words.ts";
import { Crosshair } from "./crosshair.ts";
import { ChartDrawing } from "./drawing.ts";
import { candlePlaces, ChartFormat, withNewest } from "./format.ts";
import { candleAt } from "./candleTimes.ts";
import { LineEditor } from "./lines/lineEditor.ts";
import { addIntervals } from "./intervalChoice.ts";
import { MarkSwitch } from "./markSwitch.ts";
import { addPictures } from "./pictures.ts";
import { ChartProgress } from "./progress.ts";
import { ScaleSwitch } from "./scaleSwitch.ts";
import { SharedTime } from "./sharedTime.ts";
import { StudyLegend } from "./studies/legend.ts";
import { registry } from "./studies/registry.ts";
import { StudiedCandles } from "./studies/studiedCandles.ts";
import { StudySwitch } from "./studySwitch.ts";
import { ChartTable } from "./table.ts";
import { onDidChangeTheme, readTheme } from "./theme.ts";
import { ViewSwitch } from "./viewSwitch.ts";

interface VsCodeApi {
  postMessage(message: FromChart | Echo): void;
  getState(): Partial<ChartPageState> | undefined;
  setState(state: ChartPageState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** Number of marks listed at each edge of the scale. Further ones are only counted. */
const MAX_OFF_SCALE = 2;

/** Maximum fills in the list for screen readers. */
const MAX_LISTED = 100;

type Message<Type extends ToChart["type"]> = Extract<ToChart, { type: Type }>;

const vscode = acquireVsCodeApi();
const setup = JSON.parse(element("setup", HTMLScriptElement).text) as ChartSetup;
const { strings } = setup;
const restored = vscode.getState();
const text = new ChartFormat(setup.locale);

/** Such as "SMA 20". */
function studyName({ id, parameters }: ShownStudy): string {
  return [strings.studies[id], parametersText(parameters)].filter(Boolean).join(" ");
}

/** The chart page. It draws, and reports what the user points at; the host loads histories and opens the order ticket. */
class ChartPage {
  /** The interval chosen by the user. Its candles arrive later. */
  #wanted: Interval = restored?.interval ?? setup.interval;
  #candles: readonly Candle[] = [];
  /**
   * Whether the host's candles have arrived. Under load, the editor may drop messages to a page that is still loading.
   */
  #hasHistory = false;
  /** Whether the host may have older candles, and has not been asked for them. */
  #mayAskOlder = false;
  #interval = this.#wanted;
  /** Decimals of the pair's prices: the most seen so far, so that columns do not jump when a price ends in zero. */
  #places = 0;
  #market: Message<"market"> | undefined;
  /** The pair's name, or the symbol until the pair is known. */
  #pair = setup.symbol;
  #isMarked = false;
  #isHostSilent = false;
  /** The user's own marks. */
  #marks: readonly ChartMark[] = [];
  readonly #drawing = new ChartDrawing(element("chart", HTMLElement), text, readTheme(false));
  readonly #scales = new ScaleSwitch({
    fit: () => this.#drawing.fit(),
    toggled: (on) => vscode.postMessage({ type: "logScale", on }),
  });
  readonly #studied = new StudiedCandles();
  readonly #studyLegend = new StudyLegend();
  readonly #studySwitch = new StudySwitch({
    nameOf: studyName,
    toggled: (study, shown) => vscode.postMessage({ type: "showStudy", study, shown }),
  });
  readonly #table = new ChartTable(
    element("table-view", HTMLElement),
    element("rows", HTMLElement),
    (candle, index) => [
      text.start(candle.time, this.#interval),
      ...[candle.open, candle.high, candle.low, candle.close].map((price) => text.price(price, this.#places)),
      text.volume(candle.volume),
      ...this.#studiesAt(index).map(({ value }) => value),
    ],
  );
  readonly #crosshair = new Crosshair({
    drawing: this.#drawing,
    text,
    strings,
    shown: () => ({
      candles: this.#candles,
      interval: this.#interval,
      places: this.#places,
      last: this.#market?.last,
      rateStep: parseDecimal(this.#market?.rateStep ?? ""),
      canBid: !this.#isHostSilent && (this.#market?.canBid ?? false),
      canAsk: !this.#isHostSilent && (this.#market?.canAsk ?? false),
    }),
    isCovered: () => this.#lines.isActive,
    changed: () => {
      this.#lines.follow();
      this.#shared.report(this.#crosshair.candle);
      this.#showLegend();
    },
    notesOf: (candle) => [...this.#studyTexts(candle), ...this.#fillsOf(candle)],
    send: (message) => vscode.postMessage(message),
  });
  readonly #lines: LineEditor = new LineEditor({
    drawing: this.#drawing,
    text,
    strings: strings.lines,
    shown: () => ({
      interval: this.#interval,
      places: this.#places,
      last: this.#market?.last,
      rateStep: parseDecimal(this.#market?.rateStep ?? ""),
    }),
    pointed: () => this.#crosshair.point,
    changed: () => {
      this.#drawMarks();
      this.#crosshair.showButtons();
    },
    send: (message) => vscode.postMessage(message),
  });
  readonly #shared: SharedTime = new SharedTime({
    plane: this.#drawing.plane,
    candles: () => this.#candles,
    moved: (at) => vscode.postMessage({ type: "crosshair", at }),
  });
  readonly #marksShown = new MarkSwitch((mark, shown) =>
    vscode.postMessage({ type: "showMark", mark, shown }),
  );
  readonly #toNewest = element("to-newest", HTMLButtonElement);
  readonly #lock = element("lock", HTMLButtonElement);
  readonly #progress = new ChartProgress();
  readonly #view = new ViewSwitch(restored?.view ?? "chart", () => {
    this.#remember();
    this.#showView();
  });

  constructor() {
    addIntervals(this.#wanted, strings.intervals, (interval) => this.#choose(interval));
    addMenu();
    this.#setStudies(setup.studies);
    for (const type of ["retry", "action", "periods", "openBeside"] as const) {
      element(type, HTMLButtonElement).addEventListener("click", () => vscode.postMessage({ type }));
    }
    addPictures({
      screenshot: () => this.#drawing.screenshot,
      send: (message) => vscode.postMessage(message),
    });
    onDidChangeTheme(() => this.#showTheme());
    this.#drawing.onDidMove(() => requestAnimationFrame(() => this.#moved()));
    this.#table.onDidReachOldest(() => this.#askOlder());
    this.#toNewest.addEventListener("click", () => {
      this.#drawing.showNewest();
      element("chart", HTMLElement).focus();
    });
    this.#lock.addEventListener("click", () =>
      vscode.postMessage({ type: "lock", locked: this.#market?.locked !== true }),
    );
    this.#showName();
    this.#listMarks();
    this.#remember();
  }

  get readiness(): FromChart {
    return {
      type: "ready",
      interval: this.#wanted,
      isFilled: this.#hasHistory && this.#market !== undefined,
    };
  }

  set isHostSilent(isSilent: boolean) {
    this.#isHostSilent = isSilent;
    this.#lines.cancel();
    this.#crosshair.leave();
  }

  receive(message: ToChart): void {
    switch (message.type) {
      case "market":
        return this.#showMarket(message);
      case "studies":
        return this.#takeStudies(message);
      case "age":
        return setText("age", message.text);
      case "loading":
        if (message.isOtherVenue) this.#forgetCandles();
        return this.#progress.show("loading", strings.loading);
      case "failed":
        this.#forgetCandles();
        return this.#progress.show("failed", message.text, message.action);
      case "candles":
        return this.#takeCandles(message);
      case "candle":
        return this.#updateNewest(message.candle);
      case "crosshair":
        this.#shared.show(message.at);
        return this.#showLegend();
      case "marks":
        return this.#takeMarks(message.marks);
    }
  }

  #takeMarks(marks: readonly ChartMark[]): void {
    this.#marks = marks;
    this.#lines.setMarks(marks);
    this.#drawMarks();
    this.#listMarks();
    this.#showOffScale();
    this.#clearLabels();
  }

  #drawMarks(): void {
    const last = this.#lastMark;
    const marks = this.#lines.marks;
    this.#drawing.setMarks(last ? [last, ...marks] : marks);
  }

  /** The market's last price, whatever candles are visible. Rising: its candle has not fallen. */
  get #lastMark(): LineMark | undefined {
    const newest = this.#candles.at(-1);
    const rate = this.#market?.last ?? (newest && priceText(newest.close));
    if (rate === undefined) return undefined;
    const isUp = Number(rate) >= (newest?.open ?? Number(rate));
    // Colour is never the only difference. Screen readers have the header's price.
    return { kind: "last", rate, tone: isUp ? "up" : "down", label: isUp ? "▲" : "▼", text: "" };
  }

  #moved(): void {
    this.#showOffScale();
    this.#toNewest.hidden = this.#drawing.isAtNewest;
    this.#clearLabels();
    this.#lines.follow();
    this.#shared.place();
    this.#showLegend();
    if (this.#drawing.isNearOldest) this.#askOlder();
  }

  #askOlder(): void {
    if (!this.#mayAskOlder) return;
    this.#mayAskOlder = false;
    vscode.postMessage({ type: "older" });
  }

  #setStudies({ all, shown }: Studies): void {
    this.#studySwitch.show(all, shown);
    this.#studied.setShown(all.filter(({ id }) => shown.includes(id)));
  }

  #takeStudies(studies: Studies): void {
    this.#setStudies(studies);
    this.#showCandles();
    // The chart lays out its panes when it draws them.
    requestAnimationFrame(() => requestAnimationFrame(() => this.#moved()));
  }

  /** The studies of the candle at an index, whose volume is already in its figures. */
  #studiesAt(index: number) {
    return this.#studied.at(index).flatMap(({ shown, pane, values }) => {
      if (shown.id === "volume") return [];
      const { unit, series } = registry[shown.id];
      const lines = registry[shown.id].series.map((_, line) => text.study(values[line], unit, this.#places));
      const line = series.find(({ kind }) => kind === "line");
      return {
        name: studyName(shown),
        value: lines.join(" / "),
        line: line && { colour: line.colour, pattern: line.pattern ?? "solid" },
        pane,
      };
    });
  }

  /** For screen readers. */
  #studyTexts(candle: Candle): string[] {
    return this.#studiesAt(this.#candles.indexOf(candle)).map(({ name, value }) => `${name}: ${value}`);
  }

  #showColumns(): void {
    const columns = element("columns", HTMLElement);
    for (const old of columns.querySelectorAll(".study")) old.remove();
    const names = this.#studied.shown.filter(({ id }) => id !== "volume").map(studyName);
    columns.append(
      ...names.map((textContent) => make("th", { scope: "col", className: "study", textContent })),
    );
  }

  /** Keeps what is over the plot off the labels of prices. */
  #clearLabels(): void {
    const { style } = element("frame", HTMLElement);
    style.setProperty("--scale", `${this.#drawing.scaleWidth}px`);
    style.setProperty("--labels", `${this.#drawing.labelWidth}px`);
    style.setProperty("--times", `${this.#drawing.timesHeight}px`);
    style.setProperty("--below", `${this.#drawing.heightBelow}px`);
  }

  /** Own marks outside the visible price range, shown at the nearest edge. */
  #showOffScale(): void {
    // The selected one is never among those that are only counted.
    const lines = this.#marks
      .filter(isLine)
      .filter(({ kind }) => kind !== "drawn")
      .toSorted((one, other) => Number(other.isSelected ?? false) - Number(one.isSelected ?? false));
    const textAt = (place: "above" | "below"): string => {
      const found = lines.filter(({ rate }) => this.#drawing.placeOf(Number(rate)) === place);
      const shown = found.slice(0, MAX_OFF_SCALE).map(({ text: words }) => words);
      const more = found.length - shown.length;
      return [...shown, ...(more > 0 ? [`+${more}`] : [])].join(" · ");
    };
    for (const [place, arrow] of [
      ["above", "↑"],
      ["below", "↓"],
    ] as const) {
      const words = this.#candles.length > 0 ? textAt(place) : "";
      setText(`marks-${place}`, words && `${arrow} ${words}`);
    }
  }

  #listMarks(): void {
    const fills = this.#marks.filter(isFill).slice(-MAX_LISTED).toReversed();
    const texts = [...this.#marks.filter((mark) => !isFill(mark)), ...fills].map(({ text: words }) => words);
    element("marks", HTMLElement).replaceChildren(
      ...(texts.length > 0 ? texts : [strings.noMarks]).map((textContent) => make("li", { textContent })),
    );
  }

  /** The user's fills during a candle, for screen readers. */
  #fillsOf({ time }: Candle): string[] {
    return this.#marks
      .filter(isFill)
      .filter(({ at }) => candleAt(this.#candles, at)?.time === time)
      .map(({ text: words }) => words);
  }

  #choose(interval: Interval): void {
    this.#wanted = interval;
    this.#remember();
    vscode.postMessage({ type: "interval", interval });
  }

  #remember(): void {
    const locked = this.#market?.locked ?? restored?.locked;
    vscode.setState({ symbol: setup.symbol, interval: this.#wanted, view: this.#view.view, locked });
  }

  #showMarket(market: Message<"market">): void {
    const wasInverted = this.#market?.inverted ?? false;
    const isLogarithmic = this.#market?.logScale ?? false;
    this.#market = market;
    if (market.inverted !== wasInverted) this.#showTheme();
    if (market.logScale !== isLogarithmic) this.#drawing.setLogarithmic(market.logScale);
    this.#scales.show(market.logScale);
    if (text.setHourCycle(market.hourCycle)) {
      this.#drawing.refreshTimes();
      this.#showCandles();
    }
    this.#showLock(market.locked);
    element("ask-key", HTMLElement).hidden = !market.canAsk;
    this.#marksShown.show(market.shownMarks);
    showVenue(market.venue, strings);
    if (market.pair.base !== "" && pairName(market.pair) !== this.#pair) {
      this.#pair = pairName(market.pair);
      this.#showName();
    }
    const prices = [market.last, market.bestBid, market.bestAsk].filter((price) => price !== undefined);
    if (this.#hasMorePlaces(finestPlaces(prices.map(Number)))) this.#table.setCandles(this.#candles);
    this.#showLast();
    this.#progress.setMarketNote(market.note);
    this.#showLegend();
  }

  #showLock(isLocked: boolean): void {
    if (this.#lock.ariaChecked === String(isLocked)) return;
    this.#lock.ariaChecked = String(isLocked);
    this.#remember();
  }

  /** Shows prices with more decimals if `finest` requires it. Returns whether it does. */
  #hasMorePlaces(finest: number): boolean {
    if (finest <= this.#places) return false;
    this.#places = finest;
    this.#drawing.setPlaces(finest);
    return true;
  }

  #showLast(): void {
    const { last, change = "" } = this.#market ?? {};
    setText("last", last === undefined ? "" : text.price(Number(last), this.#places));
    setText("change", change);
    this.#drawMarks();
  }

  #showTheme(): void {
    this.#drawing.setTheme(readTheme(this.#market?.inverted ?? false));
  }

  /** Shows the pair; for screen readers also the interval. */
  #showName(): void {
    setText("pair", this.#pair);
    element("chart", HTMLElement).setAttribute("aria-label", filled(strings.chartOf, this.#pair));
    const name = filled(strings.candlesOf, this.#pair, strings.intervals[this.#interval].spoken);
    document.title = name;
    setText("caption", name);
  }

  #forgetCandles(): void {
    this.#candles = [];
    this.#hasHistory = false;
    this.#mayAskOlder = false;
    this.#showCandles();
  }

  #takeCandles(message: Message<"candles">): void {
    this.#candles = message.candles;
    this.#hasHistory = true;
    this.#mayAskOlder = message.hasOlder;
    this.#interval = message.interval;
    const volume = message.leastVolume ? strings.leastVolume : strings.volume;
    setText("volume-name", volume);
    setText("volume-column", volume);
    this.#showName();
    this.#progress.show("done", message.note, message.action);
    // Before the market was received, only the candles reveal the pair's decimals.
    this.#hasMorePlaces(candlePlaces(this.#candles));
    this.#showCandles();
    this.#showLast();
    if (this.#candles.length > 0) this.#markFirstCandles();
  }

  /** Performance mark for when the first candles were visible. */
  #markFirstCandles(): void {
    if (this.#isMarked) return;
    this.#isMarked = true;
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("bidside-first-candles")));
  }

  #showCandles(): void {
    this.#showView();
    this.#studied.setCandles(this.#candles, this.#interval);
    this.#drawing.setSeries(this.#studied.series, this.#interval);
    this.#showColumns();
    this.#table.setCandles(this.#candles);
    this.#shared.place();
    if (this.#candles.length > 0) this.#crosshair.refresh();
    else this.#crosshair.leave();
    this.#showLegend();
  }

  #updateNewest(candle: Candle): void {
    // Ignored until all candles have arrived, because a single candle would look like a pair without history.
    if (!this.#hasHistory) return;
    const before = this.#candles;
    const wasEmpty = before.length === 0;
    const joined = withNewest(before, candle);
    if (joined === before) return;
    this.#candles = joined;
    const isFiner = this.#hasMorePlaces(candlePlaces([candle]));
    if (wasEmpty) return this.#showCandles();
    this.#studied.setNewest(joined);
    this.#drawing.setNewest(this.#studied.series);
    this.#showOffScale();
    this.#lines.follow();
    if (isFiner) this.#table.setCandles(joined);
    else this.#table.setNewest(joined);
    this.#crosshair.refresh();
    this.#showLast();
    this.#showLegend();
  }

  /** Values of the candle under the crosshair, here or in another chart, else of the newest one. */
  #showLegend(): void {
    const candle = this.#crosshair.candle ?? this.#shared.candle ?? this.#candles.at(-1);
    setText("legend-time", candle ? text.start(candle.time, this.#interval) : "–");
    for (const name of ["open", "high", "low", "close"] as const)
      setText(`legend-${name}`, candle ? text.price(candle[name], this.#places) : "–");
    setText("legend-volume", text.volume(candle?.volume));
    const index = candle ? this.#candles.lastIndexOf(candle) : 0;
    this.#studyLegend.show(candle ? this.#studiesAt(index) : [], this.#drawing.paneTops);
  }

  #showView(): void {
    this.#table.setShown(this.#view.view === "table");
    this.#view.show(this.#candles.length > 0);
  }
}

/** Quotes, candles and the crosshair of another chart are streamed; only the latest state matters. */
function streamKey(message: ToChart): string | undefined {
  if (message.type === "candle") return `candle ${message.candle.time}`;
  return message.type === "market" || message.type === "crosshair" ? message.type : undefined;
}

const page = new ChartPage();
const messages = receiveInFrames(streamKey, (message) => page.receive(message));
sendEchoes((echo) => vscode.postMessage(echo));
onHostSilence((isSilent) => (page.isHostSilent = isSilent));
restoreFocus();
reportInput(document, () => vscode.postMessage({ type: "input" }));
// The editor delivers queued messages after loading. Shortly after that, the page knows what is missing.
window.addEventListener("load", () =>
  setTimeout(() => {
    messages.flush();
    vscode.postMessage(page.readiness);
  }),
);
