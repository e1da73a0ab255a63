import type { Candle } from "../../../src/market/candle.ts";
import type { LineEnd } from "../../../src/market/drawnLine.ts";
import { type StudyId, studyIds, usualParameters } from "../../../src/market/studies.ts";
import type { FromChart, ToChart } from "../../../src/protocol/chart.ts";
import type { FillMark, LineMark, TrendMark } from "../../../src/protocol/chartMarks.ts";
import { loadUi } from "../fakes/vscode.ts";
import { HostedPage } from "./hostedPage.ts";

/** A chart's page in a browser without an editor: the test is its host. */
export class ChartPage extends HostedPage<FromChart, ToChart> {
  static async open(symbol: string, drivesClock?: boolean): Promise<ChartPage> {
    const { chartHtml } = await loadUi(() => import("../../../src/ui/chart/chartHtml.ts"));
    const page = await HostedPage.load({
      name: "chart",
      html: (webview, extensionUri) => chartHtml(webview, extensionUri, symbol, "1m"),
      size: { width: 900, height: 700 },
      drivesClock,
    });
    return new ChartPage(page);
  }

  /** Chooses an item of the menu by its id. */
  async choose(item: string): Promise<void> {
    await this.get("menu-button").click();
    await this.get(item).click();
  }
}

/** The market of a tradable pair as the host sends it, without a note. */
export function marketOf(given: Partial<Extract<ToChart, { type: "market" }>> = {}): ToChart {
  return {
    type: "market",
    venue: { name: "Practice", live: false },
    pair: { quote: "THB", base: "BTC" },
    last: "100",
    change: "▲ +2.15%",
    bestBid: "99.5",
    bestAsk: "100.5",
    rateStep: undefined,
    canBid: true,
    canAsk: false,
    inverted: false,
    hourCycle: "h12",
    logScale: false,
    locked: false,
    shownMarks: undefined,
    note: "",
    ...given,
  };
}

export function candlesOf(
  candles: readonly Candle[],
  given: Partial<Extract<ToChart, { type: "candles" }>> = {},
): ToChart {
  const shown = { interval: "1m", hasOlder: false, leastVolume: false, note: "", action: "" } as const;
  return { type: "candles", candles, ...shown, ...given };
}

/** These studies, with the usual periods except those given. */
export function studiesOf(
  periods: Partial<Record<StudyId, readonly number[]>>,
  shown: readonly StudyId[],
): ToChart {
  const all = studyIds.map((id) => ({ id, parameters: periods[id] ?? usualParameters(id) }));
  return { type: "studies", all, shown };
}

/** A line; an order is one to buy. */
export function lineMark(kind: LineMark["kind"], rate: string, label: string, text: string): LineMark {
  return { kind, rate, label, text, tone: kind === "order" ? "up" : "plain" };
}

/** The line of an alert that rises to a price. */
export function alertMark(id: string, rate: string): LineMark {
  const ref = { kind: "alert", id, edge: "price" } as const;
  return { ...lineMark("alert", rate, "Alert ↑", `Alert: rises to ${rate}`), ref };
}

/** A horizontal line that the user drew. */
export function drawnMark(id: string, rate: string, label: string): LineMark {
  return { ...lineMark("drawn", rate, label, `${label} at ${rate}`), ref: { kind: "drawn", id } };
}

/** A trend line that the user drew. */
export function trendMark(id: string, from: LineEnd, to: LineEnd, label: string): TrendMark {
  return { kind: "trend", from, to, label, text: label, ref: { kind: "drawn", id } };
}

/** The line of a selected row. */
export function selectedLine(mark: LineMark): LineMark {
  return { ...mark, isSelected: true };
}

/** A fill: `up` a purchase, `down` a sale. */
export function fillMark(tone: FillMark["tone"], at: number, text: string): FillMark {
  return { kind: "fill", rate: "100", tone, at, text };
}
