import { join } from "node:path";
import assert from "node:assert/strict";
import { SelectedLine } from "../../../src/ui/selectedLine.ts";
import { randomUUID } from "node:crypto";
import type { Uri, WebviewPanel } from "vscode";
import { HeldElsewhereList } from "../../../src/desk/portfolio/heldElsewhereList.ts";
import { DrawnLines } from "../../../src/desk/drawnLines.ts";
import { VisibleOrders } from "../../../src/desk/tracking/visibleOrders.ts";
import { Orders } from "../../../src/desk/orders/orders.ts";
import type { CurrentVenue } from "../../../src/desk/venue.ts";
import type { Interval } from "../../../src/market/intervals.ts";
import { defaultRules } from "../../../src/market/order.ts";
import type { ToChart } from "../../../src/protocol/chart.ts";
import { HeldElsewhereFile } from "../../../src/storage/heldElsewhereFile.ts";
import { LineFiles } from "../../../src/storage/lineFiles.ts";
import type { ChartDesk } from "../../../src/ui/chart/chartPanel.ts";
import { root } from "../../../tools/paths.ts";
import { JournalFolder } from "../builders/journalFolder.ts";
import { FakeTimers, settle } from "../fakes/timers.ts";
import { type FakeClient, openVenue } from "../fakes/venue.ts";
import { temporaryFolder } from "../temporaryFolder.ts";
import { HollowPanel, loadUi } from "../fakes/vscode.ts";
import { tickerFeed } from "../fakes/feeds.ts";

const { ChartPanel } = await loadUi(() => import("../../../src/ui/chart/chartPanel.ts"));

type Rules = ChartDesk["placer"];

const NO_RULES: Rules = {
  rulesOf: () => defaultRules,
  onDidChangeRules: () => () => undefined,
};
const NO_WINDOWS = { setDemand: () => undefined, demandsFor: () => [] };

/** Overrides of the default chart. */
interface Given {
  readonly venue?: CurrentVenue;
  readonly visible?: boolean;
  /** Interval of a page restored after a reload. */
  readonly interval?: Interval;
  readonly history?: ChartDesk["history"];
  readonly rules?: Rules;
  readonly alerts?: ChartDesk["alerts"];
}

/**
 * Gives each test of a file a folder for its journal; afterwards closes its charts. `openPanel`
 * opens a chart panel whose page has just reported that it is ready.
 */
export function eachTestOpensCharts() {
  let folder: JournalFolder;
  const opened: HollowPanel[] = [];
  beforeEach(() => (folder = new JournalFolder()));
  afterEach(() => {
    // A visible page that sends no echoes would block every pick of this process.
    for (const panel of opened.splice(0)) panel.dispose();
  });
  async function openPanel(client: FakeClient, given?: Given) {
    const chart = await openChartPanel(folder, client, given);
    opened.push(chart.panel);
    return chart;
  }
  return { openPanel, folder: () => folder };
}

/** `visible`: the page is on screen immediately. */
async function openChartPanel(folder: JournalFolder, client: FakeClient, given: Given = {}) {
  const { visible = false, rules = NO_RULES, interval = "1m" } = given;
  const never = (): never => assert.fail("no history may be used");
  const history = given.history ?? { record: never, pause: never, candles: never };
  const timers = new FakeTimers();
  const venue = given.venue ?? (await openVenue(client));
  const tickers = tickerFeed(venue, timers);
  const panel = new HollowPanel();
  panel.visible = visible;
  const posted: ToChart[] = [];
  panel.onDidPost((message) => void posted.push(message as ToChart));
  let inputs = 0;
  const ignore = (): void => undefined;
  const orders = new Orders({
    open: () => Promise.resolve(folder.open()),
    newId: randomUUID,
    now: timers.now,
    onError: (error) => assert.fail(String(error)),
  });
  const desk: ChartDesk = {
    dayPrices: { learn: () => undefined },
    venue,
    tickers,
    timers,
    orders,
    visibleOrders: new VisibleOrders({ windows: NO_WINDOWS, tickers }),
    presence: { noteInput: () => void (inputs += 1) },
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    history,
    placer: rules,
    lines: new DrawnLines({
      open: () => new LineFiles(temporaryFolder()),
      venue,
      newId: randomUUID,
      onError: (error) => assert.fail(String(error)),
    }),
    elsewhere: new HeldElsewhereList({
      file: new HeldElsewhereFile(join(temporaryFolder(), "holdings.json")),
      venue,
      onError: (error) => assert.fail(String(error)),
    }),
    alerts: given.alerts ?? (() => Promise.reject(new Error("no alerts"))),
  };
  const selectedLine = new SelectedLine();
  const window = {
    selectedLine,
    open: () => Promise.reject(new Error("no order may be filled in")),
    lock: () => assert.fail("nothing was locked"),
    openBeside: () => assert.fail("no other chart may open"),
    point: ignore,
  };
  const extensionUri = { fsPath: root } as Uri;
  const content = { symbol: "THB_BTC", interval };
  const chart = new ChartPanel(panel as unknown as WebviewPanel, content, extensionUri, desk, window);
  await panel.page;
  await settle();
  if (!visible) panel.receive({ type: "ready", interval, isFilled: false });
  await settle();
  const last = <T extends ToChart["type"]>(type: T): Extract<ToChart, { type: T }> =>
    (posted.findLast((message) => message.type === type) as Extract<ToChart, { type: T }> | undefined) ??
    assert.fail(`no ${type}`);
  const { lines, elsewhere } = desk;
  return {
    panel,
    chart,
    posted,
    last,
    venue,
    tickers,
    timers,
    orders,
    lines,
    elsewhere,
    selectedLine,
    inputs: () => inputs,
  };
}
