import assert from "node:assert/strict";
import type { TreeView } from "vscode";
import type { Desk } from "../../../../src/desk/desk.ts";
import { SelectedLine } from "../../../../src/ui/selectedLine.ts";
import { emptyWatchLists } from "../../../../src/desk/watchLists/watchLists.ts";
import { NoResponseError, UnreadableResponseError } from "../../../../src/exchange/errors.ts";
import { defaultRules } from "../../../../src/market/order.ts";
import type { WatchListsStore } from "../../../../src/desk/watchLists/watchListsStore.ts";
import { root } from "../../../../tools/paths.ts";
import { FakeTimers, settle } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, snapshotOf, tickerOf } from "../../../support/fakes/venue.ts";
import { ticketWindow } from "../../../support/fakes/ticketWindow.ts";
import { HollowPanel, HollowTree, loadUi, panels } from "../../../support/fakes/vscode.ts";
import { tickerFeed } from "../../../support/fakes/feeds.ts";

const { ActivePair } = await loadUi(() => import("../../../../src/ui/activePair.ts"));
const { TicketPanel } = await loadUi(() => import("../../../../src/ui/ticket/ticketPanel.ts"));
const { ChartPanel } = await loadUi(() => import("../../../../src/ui/chart/chartPanel.ts"));
const { MarketRows } = await loadUi(() => import("../../../../src/ui/markets/marketRows.ts"));
const { MarketsView } = await loadUi(() => import("../../../../src/ui/markets/marketsView.ts"));
const { momentText } = await loadUi(() => import("../../../../src/ui/text/timeText.ts"));
const { TimedRows } = await loadUi(() => import("../../../../src/ui/text/timedRows.ts"));

const NEVER = (): (() => void) => () => undefined;
const trouble = (): Promise<never> =>
  Promise.reject(new UnreadableResponseError("tickers", "httpStatus", 503, "x"));

/** A market whose polls the test controls. */
async function market() {
  const client = new FakeClient();
  const timers = new FakeTimers();
  const venue = await openVenue(client);
  const tickers = tickerFeed(venue, timers);
  await tickers.refresh();
  return {
    client,
    timers,
    venue,
    tickers,
    async fail() {
      client.tickersAnswer = trouble;
      await tickers.refresh();
    },
    async recover() {
      client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC")));
      await tickers.refresh();
    },
  };
}

function markets({ tickers, venue, timers }: Awaited<ReturnType<typeof market>>) {
  const list = { state: emptyWatchLists, onDidChange: NEVER } as unknown as WatchListsStore;
  const rows = new MarketRows(tickers, list);
  const { view } = new MarketsView({ tickers, venue, timers }, rows, new ActivePair(tickers));
  return view as unknown as HollowTree;
}

const WHY = "Practice is overloaded or down for maintenance (HTTP 503). Try again in a moment.";

describe("the age of prices", () => {
  it("counts up in Markets while prices are stale, with the reason, and ends with a response", async () => {
    const given = await market();
    const view = markets(given);
    view.setVisible(true);
    assert.equal(view.message, undefined);
    await given.timers.advance(6000);
    await given.fail();
    assert.equal(view.message, `Prices are 6 sec old. ${WHY}`);
    await given.timers.advance(22_000);
    assert.equal(view.message, `Prices are 28 sec old. ${WHY}`);
    await given.timers.advance(152_000);
    assert.equal(view.message, `Prices are 3 min old. ${WHY}`);
    await given.recover();
    assert.equal(view.message, undefined);
    given.tickers.dispose();
    assert.equal(given.timers.nextIn, undefined, "no timer runs for fresh prices");
  });

  it("has a reason even without a failure: no response yet, or rare polls", async () => {
    const given = await market();
    const view = markets(given);
    view.setVisible(true);
    await given.timers.advance(20_001);
    assert.equal(view.message, "Prices are 20 sec old. Waiting for Practice to respond.");
    given.tickers.freshness.expectEvery(3_600_000);
    assert.equal(view.message, undefined);
    await given.timers.advance(55_000);
    assert.equal(view.message, "Prices are 75 sec old. They are polled every 60 min.");
  });

  it("does not tick while the view is hidden, and is right when the view is shown again", async () => {
    const given = await market();
    const view = markets(given);
    view.setVisible(true);
    await given.fail();
    view.setVisible(false);
    given.tickers.dispose();
    assert.equal(given.timers.nextIn, undefined);
    await given.timers.advance(75_000);
    view.setVisible(true);
    assert.equal(view.message, `Prices are 75 sec old. ${WHY}`);
  });

  it("is the same in ticket and chart, with its reason in the ticket, sent once", async () => {
    const given = await market();
    const { tickers, venue, timers } = given;
    const view = markets(given);
    view.setVisible(true);
    const extensionUri = { fsPath: root } as never;
    const desk = {
      venue,
      tickers,
      timers,
      balances: { onDidChange: NEVER, state: { wallet: undefined, readAt: undefined, problem: undefined } },
      orders: { onDidChange: NEVER, waitMs: () => 0, own: [], elsewhere: [] },
      visibleOrders: { set: () => undefined },
      placer: { rules: defaultRules, rulesOf: () => defaultRules, onDidChangeRules: NEVER },
      rules: { nameOf: () => undefined },
      book: { onDidChange: NEVER, show: () => undefined, state: undefined },
      onDidAsk: NEVER,
      onDidConfirm: NEVER,
      log: { warn: () => undefined },
      history: { candles: () => Promise.reject(new Error("none")) },
      lines: { onDidChange: NEVER, of: () => [] },
      elsewhere: { onDidChange: NEVER, list: [] },
    } as unknown as Desk;
    const form = new TicketPanel(desk, extensionUri, ticketWindow(desk));
    form.open({});
    const ticket = panels.pop() ?? assert.fail("no panel");
    const chartPanel = new HollowPanel();
    const chart = new ChartPanel(chartPanel as never, { symbol: "THB_BTC" }, extensionUri, desk, {
      selectedLine: new SelectedLine(),
      point: () => undefined,
    } as never);
    const ages = { ticket: [] as string[], chart: [] as string[] };
    const notes = { ticket: [] as string[], chart: [] as string[] };
    for (const [name, panel] of [["ticket", ticket] as const, ["chart", chartPanel] as const]) {
      panel.onDidPost((message) => {
        const sent = message as { type: string; text?: string; note?: unknown; quote?: { note: string } };
        if (sent.type === "age") ages[name].push(sent.text ?? "");
        const note =
          sent.type === "quote"
            ? (sent.quote?.note ?? "")
            : name === "chart" && sent.type === "market"
              ? String(sent.note)
              : undefined;
        if (note !== undefined && note !== (notes[name].at(-1) ?? "")) notes[name].push(note);
      });
      await panel.page;
    }
    ticket.receive({ type: "ready", symbol: "THB_BTC" });
    ticket.receive({ type: "select", symbol: "THB_BTC" });
    chartPanel.receive({ type: "ready", interval: "1m", isFilled: false });
    await settle();
    await timers.advance(6000);
    await given.fail();
    await timers.advance(22_000);
    for (const name of ["ticket", "chart"] as const) {
      assert.deepEqual(
        [ages[name][0], ages[name].at(-1)],
        ["Prices are 6 sec old.", "Prices are 28 sec old."],
        name,
      );
      assert.equal(ages[name].length, 23, `${name}: once a second`);
    }
    assert.deepEqual(notes, { ticket: [WHY], chart: [] });
    assert.equal(view.message, `Prices are 28 sec old. ${WHY}`);
    given.client.tickersAnswer = () => Promise.reject(new NoResponseError("tickers", "timeout", "x"));
    await tickers.refresh();
    assert.match(notes.ticket.at(-1) ?? "", /did not respond/);
    await given.recover();
    for (const name of ["ticket", "chart"] as const) assert.equal(ages[name].at(-1), "", name);
    assert.equal(notes.ticket.at(-1), "");
    assert.deepEqual(notes.chart, []);
    form.dispose();
    chart.dispose();
  });
});

describe("a time in a row", () => {
  it("gains a date when its day is over, repainting only changed rows", async () => {
    const evening = new Date(2026, 10, 21, 23, 59, 30).getTime();
    const timers = new FakeTimers(evening + 1000);
    const view = new HollowTree();
    const painted: unknown[] = [];
    const textOf = (at: number): string => momentText(at, timers.now());
    const rows = new TimedRows<number>({
      view: view as unknown as TreeView<number>,
      timers,
      textOf,
      repaint: (changed) => painted.push(changed),
    });
    view.setVisible(true);
    const dayBefore = evening - 86_400_000;
    for (const at of [evening, dayBefore]) rows.note(at, textOf(at));
    assert.match(textOf(evening), /^11:59\sPM$/);
    await timers.advance(20_000);
    assert.deepEqual(painted, []);
    await timers.advance(30_000);
    assert.deepEqual(painted, [[evening]]);
    view.setVisible(false);
    assert.equal(timers.nextIn, undefined);
    rows.dispose();
  });
});
