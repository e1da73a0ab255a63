import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Uri, WebviewPanel } from "vscode";
import { settingKeys } from "../../../../src/contributions.ts";
import { TickerFeed } from "../../../../src/desk/feeds/tickerFeed.ts";
import { OrderWatch } from "../../../../src/desk/life/orderWatch.ts";
import { Orders } from "../../../../src/desk/orders/orders.ts";
import { CurrentVenue } from "../../../../src/desk/venue.ts";
import { NoAnswerError, NotSentError, UnreadableAnswerError } from "../../../../src/exchange/errors.ts";
import type { Candle } from "../../../../src/market/candle.ts";
import type { ToChart } from "../../../../src/protocol/chart.ts";
import type { PriceHistory } from "../../../../src/storage/prices/history.ts";
import type { ChartDesk } from "../../../../src/ui/chart/chartPanel.ts";
import { root } from "../../../../tools/paths.ts";
import { JournalFolder } from "../../../support/builders/journalFolder.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { FakeTimers, settle } from "../../../support/fakes/timers.ts";
import { FakeClient, openingOf, openVenue, readingOf, tickerOf } from "../../../support/fakes/venue.ts";
import { HollowPanel, loadUi, said, userSettings } from "../../../support/fakes/vscode.ts";
import { openForm } from "../../../support/pages/openForm.ts";

const { ChartPanel } = await loadUi(() => import("../../../../src/ui/chart/chartPanel.ts"));

const NO_WINDOWS = { setDemand: () => undefined, demandsFor: () => [] };

const unreachable = (): Promise<never> => Promise.reject(new NotSentError("tickers", "unreachable", "x"));

/** A client whose exchange has a price history, with the candles that the test puts in. */
class HistoryClient extends FakeClient {
  past: () => Promise<readonly Candle[]> = () => Promise.resolve([]);
  readonly history = (): Promise<readonly Candle[]> => this.past();
}

let folder: JournalFolder;
beforeEach(() => (folder = new JournalFolder()));
afterEach(() => folder.remove());

const opened: HollowPanel[] = [];
// A visible page that answers nothing would keep every pick of this process from opening.
afterEach(() => {
  for (const panel of opened.splice(0)) panel.dispose();
});

/** A panel whose page has just reported that it is ready; `visible`: the page is on screen at once. */
async function openPanel(
  client: FakeClient,
  {
    venue: given,
    visible = false,
    openHistory = () => Promise.reject(new Error("no history may be opened")),
  }: { venue?: CurrentVenue; visible?: boolean; openHistory?: ChartDesk["openHistory"] } = {},
) {
  const timers = new FakeTimers();
  const venue = given ?? (await openVenue(client));
  const tickers = new TickerFeed({ venue, timers, random: () => 1, intervalMs: 5000 });
  const panel = new HollowPanel();
  panel.visible = visible;
  opened.push(panel);
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
    venue,
    tickers,
    timers,
    orders,
    orderWatch: new OrderWatch({ windows: NO_WINDOWS, tickers }),
    presence: { noteInput: () => void (inputs += 1) },
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    openHistory,
  };
  const ticket = { open: () => Promise.reject(new Error("no order may be filled in")) };
  const extensionUri = { fsPath: root } as Uri;
  const chart = new ChartPanel(panel as unknown as WebviewPanel, "THB_BTC", extensionUri, desk, ticket);
  await panel.page;
  await settle();
  if (!visible) panel.receive({ type: "ready", interval: "1m", isFilled: false });
  await settle();
  const last = <T extends ToChart["type"]>(type: T): Extract<ToChart, { type: T }> =>
    (posted.findLast((message) => message.type === type) as Extract<ToChart, { type: T }> | undefined) ??
    assert.fail(`no ${type}`);
  return { panel, chart, posted, last, venue, tickers, timers, orders, inputs: () => inputs };
}

describe("input in a page", () => {
  it("in a chart counts as the person's presence (M2)", async () => {
    const { panel, inputs } = await openPanel(new FakeClient());
    panel.receive({ type: "input" });
    assert.equal(inputs(), 1);
  });

  it("in the order ticket counts as the person's presence (M2)", async () => {
    const form = await openForm("http://127.0.0.1:9");
    form.presence.setActive(false);
    assert.equal(form.presence.isPresent, false);
    form.input();
    assert.equal(form.presence.isPresent, true);
    await form.close();
  });
});

describe("the first chart of an exchange without a history (U10)", () => {
  it("offers to set the path of a history, and opens that setting", async () => {
    const empty = { candles: () => Promise.resolve([]) } as unknown as PriceHistory;
    const { last, panel } = await openPanel(new FakeClient(), { openHistory: () => Promise.resolve(empty) });
    assert.match(last("candles").note, /^No price history yet\./);
    assert.equal(last("candles").action, "Set History Path");
    said.length = 0;
    panel.receive({ type: "action" });
    const [opened] = said;
    assert.deepEqual(
      [opened?.text, opened?.more],
      ["workbench.action.openSettings", `["${settingKeys.historyPath}"]`],
    );
  });

  it("offers nothing if the exchange has price histories, but none of this pair", async () => {
    const { last } = await openPanel(new HistoryClient());
    assert.deepEqual(
      [last("candles").note, last("candles").action],
      ["The exchange has no price history of this pair.", ""],
    );
  });
});

describe("the keys below a chart (U2)", () => {
  it("are hidden in every chart after the person hides them, and can be shown again", async () => {
    const { last, panel } = await openPanel(new FakeClient());
    assert.equal(last("market").showKeys, true);
    panel.receive({ type: "showKeys", shown: false });
    await settle();
    assert.equal(userSettings.get(settingKeys.showKeys), false);
    const other = await openPanel(new FakeClient());
    assert.equal(other.last("market").showKeys, false);
    panel.receive({ type: "showKeys", shown: true });
    await settle();
    assert.equal(userSettings.get(settingKeys.showKeys), true);
    userSettings.delete(settingKeys.showKeys);
  });
});

describe("the page of a chart that is visible at once", () => {
  const candle: Candle = { time: 1_795_000_020_000, open: 1, high: 1, low: 1, close: 1, volume: 1 };
  const kinds = (posted: readonly ToChart[]): string[] => posted.map(({ type }) => type);

  it("gets its content once while it loads, and not again when it shows the content", async () => {
    const client = new HistoryClient();
    client.past = () => Promise.resolve([candle]);
    const { panel, posted, last } = await openPanel(client, { visible: true });
    assert.deepEqual([kinds(posted)[0], last("candles").candles], ["market", [candle]]);
    posted.length = 0;
    panel.receive({ type: "ready", interval: "1m", isFilled: true });
    assert.deepEqual(kinds(posted), []);
  });

  it("gets its content again if no message arrived", async () => {
    const client = new HistoryClient();
    client.past = () => Promise.resolve([candle]);
    const { panel, posted, last } = await openPanel(client, { visible: true });
    posted.length = 0;
    panel.receive({ type: "ready", interval: "1m", isFilled: false });
    assert.deepEqual(kinds(posted), ["market", "candles"]);
    assert.deepEqual(last("candles").candles, [candle]);
  });

  it("gets the candles that are read while it loads", async () => {
    let answer: (candles: readonly Candle[]) => void = () => assert.fail();
    const client = new HistoryClient();
    client.past = () => new Promise((resolve) => (answer = resolve));
    const { posted } = await openPanel(client, { visible: true });
    assert.deepEqual(kinds(posted), ["market", "loading"]);
    answer([candle]);
    await settle();
    assert.deepEqual(kinds(posted), ["market", "loading", "candles"]);
  });

  it("gets nothing when it comes back after it was hidden, until it asks", async () => {
    const { panel, posted, tickers } = await openPanel(new HistoryClient(), { visible: true });
    panel.setVisible(false);
    posted.length = 0;
    await tickers.poll.refresh();
    panel.setVisible(true);
    await tickers.poll.refresh();
    assert.deepEqual(kinds(posted), []);
    panel.receive({ type: "ready", interval: "1m", isFilled: false });
    assert.deepEqual(kinds(posted).slice(0, 2), ["market", "candles"]);
  });
});

describe("the message of a chart without fresh prices", () => {
  it("is the reason, from the first failed reading on", async () => {
    const client = new HistoryClient();
    client.tickersAnswer = unreachable;
    const { last, tickers } = await openPanel(client);
    assert.equal(last("market").note, "");
    await tickers.poll.refresh();
    assert.match(last("market").note, /^Practice cannot be reached\./);
  });

  it("is the newest reason, sent once while readings fail", async () => {
    const client = new HistoryClient();
    const { last, posted, tickers, timers } = await openPanel(client);
    await tickers.poll.refresh();
    assert.equal(last("market").note, "");
    client.tickersAnswer = unreachable;
    await timers.advance(5000);
    await tickers.poll.refresh();
    const { note } = last("market");
    assert.match(note, /^Practice cannot be reached\./);
    const told = posted.length;
    await tickers.poll.refresh();
    assert.equal(posted.length, told);
    client.tickersAnswer = () => Promise.reject(new NoAnswerError("tickers", "timeout", "x"));
    await tickers.poll.refresh();
    assert.match(last("market").note, /did not answer in time/);
    client.tickersAnswer = () => Promise.resolve(readingOf(tickerOf("THB_BTC")));
    await tickers.poll.refresh();
    assert.equal(last("market").note, "");
  });
});

describe("a chart after a failed reading of its history", () => {
  it("offers the most helpful action, and runs that action only when the person chooses it", async () => {
    const client = new HistoryClient();
    client.past = () => Promise.reject(new UnreadableAnswerError("history", "notJson", 200, "x"));
    const { panel, last } = await openPanel(client);
    assert.match(last("failed").text, /^The price history cannot be shown\. /);
    assert.equal(last("failed").action, "Open Settings");
    said.length = 0;
    panel.receive({ type: "action", command: "workbench.action.quit" });
    assert.deepEqual(said, []);
    panel.receive({ type: "action" });
    assert.deepEqual(said, [
      { how: "command", text: "workbench.action.openSettings", more: '["bidside.exchange"]' },
    ]);
  });

  it("runs no action after the candles arrived", async () => {
    const client = new HistoryClient();
    client.past = () => Promise.reject(new UnreadableAnswerError("history", "notJson", 200, "x"));
    const { panel } = await openPanel(client);
    client.past = () => Promise.resolve([]);
    panel.receive({ type: "retry" });
    await settle();
    said.length = 0;
    panel.receive({ type: "action" });
    assert.deepEqual(said, []);
  });
});

describe("a chart whose venue changes", () => {
  it("shows at once that its candles are another venue's", async () => {
    let open: (opening: ReturnType<typeof openingOf>) => void = () => undefined;
    const client = new HistoryClient();
    const venue = new CurrentVenue({
      checkWake: () => undefined,
      open: {
        practice: () => Promise.resolve(openingOf("http://127.0.0.1:1", { name: "Practice" })),
        live: () => new Promise((resolve) => (open = resolve)),
      },
      createClient: () => client,
    });
    await venue.select("practice");
    const { posted, last } = await openPanel(client, { venue });
    posted.length = 0;
    const selected = venue.select("live");
    assert.deepEqual(posted[0], { type: "loading", isOtherVenue: true });
    open(openingOf("https://api.example.com"));
    await selected;
    await settle();
    assert.equal(last("market").venue.name, "api.example.com");
    assert.equal(last("candles").candles.length, 0);
  });
});

describe("the tab of a chart", () => {
  it("is titled with the symbol until the pair is known, and afterwards with the pair's name", async () => {
    const { panel, tickers } = await openPanel(new FakeClient());
    const title = (): unknown => (panel as { title?: string }).title;
    const adopt = (symbol: string, readAt: number): void =>
      tickers.adopt({ ...readingOf(tickerOf(symbol)), readAt, problem: undefined });
    assert.equal(title(), "THB_BTC Chart");
    adopt("THB_BTC", 1);
    assert.equal(title(), "BTC/THB Chart");
    adopt("THB_ETH", 2);
    assert.equal(title(), "BTC/THB Chart");
  });
});

describe("the person's own orders in a chart", () => {
  const place = { venue: "practice", origin: "http://127.0.0.1:1" } as const;
  const reports = [
    testReport({ status: "open", orderId: "1", side: "buy", fills: [testFill("11", "2", "90", 5)] }),
    testReport({ status: "open", orderId: "2" }),
    testReport({ status: "cancelled", orderId: "3" }),
    testReport({ status: "open", orderId: "4", symbol: "THB_ETH", pair: { quote: "THB", base: "ETH" } }),
    testReport({ orderId: "5", fills: [testFill("51", "1", "120", 9)] }),
  ];

  async function openMarked() {
    const client = new FakeClient();
    let last = 100;
    client.tickersAnswer = () => Promise.resolve(readingOf(tickerOf("THB_BTC", { last: (last += 1) })));
    const chart = await openPanel(client, { visible: true });
    await chart.tickers.poll.refresh();
    folder.open().recordReports(reports, place);
    await chart.orders.reread();
    const sentMarks = (): number => chart.posted.filter(({ type }) => type === "marks").length;
    return { ...chart, sentMarks };
  }

  it("are its open orders, its fills and the average cost, each in words", async () => {
    const { marks } = (await openMarked()).last("marks");
    assert.deepEqual(
      marks.orders.map(({ rate, label, text }) => [rate, label, text]),
      [
        ["100", "Buy 10", "Open order: Buy 10 at 100.00"],
        ["100", "Sell 10", "Open order: Sell 10 at 100.00"],
      ],
    );
    assert.deepEqual(
      marks.fills.map(({ at, side }) => [at, side]),
      [
        [5, "buy"],
        [9, "sell"],
      ],
    );
    assert.match(marks.fills[0]?.text ?? "", /^Bought 2 at 90\.00, .*1970/);
    assert.deepEqual(marks.averageCost, {
      rate: "90.23",
      label: "Average cost",
      text: "Average cost 90.23",
    });
  });

  it("are sent again only when they change", async () => {
    const { orders, tickers, sentMarks } = await openMarked();
    const before = sentMarks();
    await orders.reread();
    await tickers.poll.refresh();
    assert.equal(sentMarks(), before);
    folder.open().recordReports([testReport({ status: "cancelled", orderId: "2" })], place);
    await orders.reread();
    assert.equal(sentMarks(), before + 1);
  });

  it("are sent to a page that comes back, also if prices or fills came meanwhile", async () => {
    const { panel, orders, tickers, posted, last } = await openMarked();
    for (const isFilled of [false, true]) {
      panel.setVisible(false);
      posted.length = 0;
      await tickers.poll.refresh();
      await orders.reread();
      panel.setVisible(true);
      panel.receive({ type: "ready", interval: "1m", isFilled: false });
      if (isFilled) panel.receive({ type: "ready", interval: "1m", isFilled });
      assert.equal(last("marks").marks.orders.length, 2);
    }
  });

  it("are left out where a setting switches them off, and hide their quantities with all amounts", async () => {
    userSettings.set(settingKeys.showOrders, false);
    userSettings.set(settingKeys.showFills, false);
    userSettings.set(settingKeys.showAverageCost, false);
    assert.equal((await openMarked()).sentMarks(), 0);
    userSettings.clear();
    userSettings.set(settingKeys.hideAmounts, true);
    const { marks } = (await openMarked()).last("marks");
    assert.deepEqual(
      marks.orders.map(({ label }) => label),
      ["Buy •••", "Sell •••"],
    );
    assert.match(marks.fills[0]?.text ?? "", /^Bought ••• at 90\.00/);
    userSettings.clear();
  });

  it("end with another exchange", async () => {
    const { venue, last } = await openMarked();
    await venue.select("live");
    assert.deepEqual(last("marks").marks, { orders: [], fills: [], averageCost: undefined });
  });
});
