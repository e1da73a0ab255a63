import type { Candle, Interval } from "../../market/candle.ts";
import { finestPlaces } from "../../market/numbers/priceDecimals.ts";
import { pairName } from "../../market/pair.ts";
import type { ChartPageState, ChartSetup, FromChart, ToChart } from "../../protocol/chart.ts";
import type { Echo } from "../../protocol/echo.ts";
import { element, focusInPage, sendEchoes, setText } from "../dom.ts";
import { tellOfInput } from "../inputNotice.ts";
import { showVenue } from "../venueBadge.ts";
import { filled } from "../words.ts";
import { Crosshair } from "./crosshair.ts";
import { ChartDrawing } from "./drawing.ts";
import { candlePlaces, ChartFormat, withNewest } from "./format.ts";
import { ChartTable } from "./table.ts";
import { onDidChangeTheme, readTheme } from "./theme.ts";

/**
 * The page of a chart. It draws, and reports where the person points; the host reads histories and opens the order
 * ticket.
 */

interface VsCodeApi {
  postMessage(message: FromChart | Echo): void;
  getState(): Partial<ChartPageState> | undefined;
  setState(state: ChartPageState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

const vscode = acquireVsCodeApi();
const setup = JSON.parse(element("setup", HTMLScriptElement).text) as ChartSetup;
const { strings } = setup;
const text = new ChartFormat(setup.locale);
const remedies = element("remedies", HTMLElement);
const keysToggle = element("keys-toggle", HTMLButtonElement);
const tableToggle = element("table-toggle", HTMLButtonElement);

const kept = vscode.getState();
/** The person's choice. The candles follow when they have been read. */
let wanted: Interval = kept?.interval ?? "1m";
let view: ChartPageState["view"] = kept?.view ?? "chart";
let candles: readonly Candle[] = [];
let interval = wanted;
/** Decimals of the pair's prices: the finest seen, so that columns do not jump when a price ends in a zero. */
let places = 0;
let canBid = false;
let inverted = false;
let last: string | undefined;
let quote = "";
/** The name of the pair, or the symbol until the pair is known. */
let pair = setup.symbol;
let marketNote = "";
let historyNote = "";

const drawing = new ChartDrawing(element("chart", HTMLElement), text, readTheme(inverted));
const table = new ChartTable(element("rows", HTMLElement), (candle) => [
  text.start(candle.time, interval),
  ...[candle.open, candle.high, candle.low, candle.close].map((price) => text.price(price, places)),
  text.volume(candle.volume),
]);
const crosshair = new Crosshair({
  drawing,
  text,
  strings,
  shown: () => ({ candles, interval, places, last, canBid }),
  changed: showLegend,
  send: (message) => vscode.postMessage(message),
});

function remember(): void {
  vscode.setState({ symbol: setup.symbol, interval: wanted, view });
}

function showMarket(market: Extract<ToChart, { type: "market" }>): void {
  ({ last, canBid, note: marketNote } = market);
  if (market.inverted !== inverted) {
    ({ inverted } = market);
    showTheme();
  }
  keysToggle.setAttribute("aria-expanded", String(market.showKeys));
  showKeys();
  showVenue(market.venue, strings);
  quote = market.pair.quote;
  if (market.pair.base !== "" && pairName(market.pair) !== pair) {
    pair = pairName(market.pair);
    showName();
  }
  const prices = [market.last, market.bestBid, market.bestAsk].filter((price) => price !== undefined);
  if (hasMorePlaces(finestPlaces(prices.map(Number)))) table.setCandles(candles);
  showLast();
  showNote();
  showLegend();
}

/** Whether prices are shown with more decimals from now on. */
function hasMorePlaces(finest: number): boolean {
  if (finest <= places) return false;
  places = finest;
  drawing.setPlaces(places);
  return true;
}

function showLast(): void {
  setText("last", last === undefined ? "" : `${text.price(Number(last), places)} ${quote}`);
}

function showNote(): void {
  // One failure often stops both readings: its sentence is shown once.
  const notes = historyNote.includes(marketNote) ? [historyNote] : [historyNote, marketNote];
  setText("note", notes.filter(Boolean).join(" "));
}

function showTheme(): void {
  drawing.setTheme(readTheme(inverted));
  drawing.setCandles(candles, interval);
}

/** The state of reading candles: `failed` offers another try. `action` names what may help. */
function showProgress(progress: "loading" | "failed" | "done", note: string, action = ""): void {
  historyNote = note;
  document.body.setAttribute("aria-busy", String(progress === "loading"));
  element("note", HTMLElement).classList.toggle("bad", progress === "failed");
  element("retry", HTMLButtonElement).hidden = progress !== "failed";
  setText("action", action);
  remedies.hidden = progress !== "failed" && action === "";
  showNote();
}

/** Names the pair, and for screen readers the pair and the interval of the candles. */
function showName(): void {
  setText("pair", pair);
  element("chart", HTMLElement).setAttribute("aria-label", filled(strings.chartOf, pair));
  const name = filled(strings.candlesOf, pair, strings.intervals[interval]);
  document.title = name;
  setText("caption", name);
}

function forgetCandles(): void {
  candles = [];
  showCandles();
}

function takeCandles(message: Extract<ToChart, { type: "candles" }>): void {
  ({ candles, interval } = message);
  const volume = message.leastVolume ? strings.leastVolume : strings.volume;
  setText("volume-name", volume);
  setText("volume-column", volume);
  showName();
  showProgress("done", message.note, message.action);
  // Before the market was read, only the candles tell the pair's decimals.
  if (hasMorePlaces(candlePlaces(candles))) showLast();
  showCandles();
  if (candles.length > 0) markFirstCandles();
}

let isMarked = false;

/** Records when the first candles were visible, for measurements. */
function markFirstCandles(): void {
  if (isMarked) return;
  isMarked = true;
  requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("bidside-first-candles")));
}

function showCandles(): void {
  showView();
  drawing.setCandles(candles, interval);
  table.setCandles(candles);
  if (candles.length > 0) crosshair.keep();
  else crosshair.leave();
  showLegend();
}

function takeNewest(candle: Candle): void {
  const wasEmpty = candles.length === 0;
  const joined = withNewest(candles, candle);
  if (joined === candles) return;
  candles = joined;
  const isFiner = hasMorePlaces(candlePlaces([candle]));
  if (wasEmpty) return showCandles();
  drawing.setNewest(candle);
  if (isFiner) table.setCandles(candles);
  else table.setNewest(candles);
  crosshair.keep();
  showLegend();
}

/** The values of the candle under the crosshair, else of the newest one. */
function showLegend(): void {
  const candle = crosshair.candle ?? candles.at(-1);
  const price = (value: number | undefined): string =>
    value === undefined ? "–" : text.price(value, places);
  setText("legend-time", candle ? text.start(candle.time, interval) : "–");
  setText("legend-open", price(candle?.open));
  setText("legend-high", price(candle?.high));
  setText("legend-low", price(candle?.low));
  setText("legend-close", price(candle?.close));
  setText("legend-volume", text.volume(candle?.volume));
}

function showView(): void {
  const isTable = view === "table";
  table.setShown(isTable);
  element("chart-view", HTMLElement).hidden = isTable || candles.length === 0;
  element("table-view", HTMLElement).hidden = !isTable || candles.length === 0;
  tableToggle.setAttribute("aria-pressed", String(isTable));
  if (candles.length > 0) focusFirst(element(isTable ? "table-view" : "chart", HTMLElement));
}

let isFocused = false;

/** The keys below the chart must work at once: the chart takes the focus as soon as there is something to see. */
function focusFirst(target: HTMLElement): void {
  if (isFocused) return;
  isFocused = true;
  if (document.activeElement === document.body) focusInPage(target);
}

/** The keys belong to the chart: the table has none. */
function showKeys(): void {
  const isShown = keysToggle.getAttribute("aria-expanded") === "true";
  element("help", HTMLElement).hidden = !isShown;
  keysToggle.hidden = view === "table";
}

keysToggle.addEventListener("click", () => {
  const shown = keysToggle.getAttribute("aria-expanded") !== "true";
  keysToggle.setAttribute("aria-expanded", String(shown));
  showKeys();
  vscode.postMessage({ type: "showKeys", shown });
});
tableToggle.addEventListener("click", () => {
  view = view === "table" ? "chart" : "table";
  remember();
  showView();
  showKeys();
});
for (const type of ["retry", "action"] as const) {
  element(type, HTMLButtonElement).addEventListener("click", () => vscode.postMessage({ type }));
}
for (const input of document.querySelectorAll<HTMLInputElement>("input[name=interval]")) {
  input.checked = input.value === wanted;
  input.addEventListener("change", () => {
    wanted = input.value as Interval;
    remember();
    vscode.postMessage({ type: "interval", interval: wanted });
  });
}
onDidChangeTheme(showTheme);
tellOfInput(document, () => vscode.postMessage({ type: "input" }));

window.addEventListener("message", ({ data }: MessageEvent<ToChart>) => {
  switch (data.type) {
    case "market":
      showMarket(data);
      break;
    case "age":
      setText("age", data.text);
      break;
    case "loading":
      if (data.isOtherVenue) forgetCandles();
      showProgress("loading", strings.loading);
      break;
    case "failed":
      forgetCandles();
      showProgress("failed", data.text, data.action);
      break;
    case "candles":
      takeCandles(data);
      break;
    case "candle":
      takeNewest(data.candle);
      break;
  }
});

sendEchoes((echo) => vscode.postMessage(echo));

showName();
remember();
// After loading, the editor delivers the messages that it kept. A moment later, the page knows what is missing.
window.addEventListener("load", () =>
  setTimeout(() => vscode.postMessage({ type: "ready", interval: wanted, isFilled: candles.length > 0 })),
);
