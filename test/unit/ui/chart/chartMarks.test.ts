import assert from "node:assert/strict";
import type { TreeView } from "vscode";
import type { Alerts } from "../../../../src/desk/alerts/alerts.ts";
import { costLineKey, orderLineKey } from "../../../../src/ui/selectedLine.ts";
import { settingKeys } from "../../../../src/contributions.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { type ChartMark, isFill, isLine, type LineMark } from "../../../../src/protocol/chartMarks.ts";
import { defaultRules } from "../../../../src/market/order.ts";
import type { Order } from "../../../../src/storage/orders/order.ts";
import { heldElsewhere } from "../../../support/builders/heldElsewhere.ts";
import { testAlert } from "../../../support/builders/testAlert.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { settle } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, TEST_ACCOUNT, tickerOf, liveAccount } from "../../../support/fakes/venue.ts";
import { HollowTree, userSettings } from "../../../support/fakes/vscode.ts";
import { eachTestOpensCharts } from "../../../support/pages/openChartPanel.ts";

const { openPanel, folder } = eachTestOpensCharts();

const linesOf = (marks: readonly ChartMark[], kind: LineMark["kind"]): LineMark[] =>
  marks.filter(isLine).filter((mark) => mark.kind === kind);

describe("the alerts in a chart", () => {
  it("are the pair's active price alerts, even if the exchange reports no orders", async () => {
    const list = [
      testAlert(),
      testAlert({ id: "2", rule: { kind: "below", price: "90.5" } }),
      testAlert({ id: "3", isOn: false }),
      testAlert({ id: "4", symbol: "THB_ETH" }),
      testAlert({ id: "5", rule: { kind: "change", percent: "5", minutes: 10 } }),
    ];
    const client = new FakeClient();
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 100 })));
    const alerts = { list, onDidChange: () => () => undefined } as unknown as Alerts;
    const { last, tickers } = await openPanel(client, {
      visible: true,
      alerts: () => Promise.resolve(alerts),
    });
    await tickers.refresh();
    assert.deepEqual(
      linesOf(last("marks").marks, "alert").map(({ rate, text }) => [rate, text]),
      [
        ["110", "Alert: rises to 110.00"],
        ["90.5", "Alert: falls to 90.50"],
      ],
    );
  });
});

describe("the user's orders in a chart", () => {
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
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: (last += 1) })));
    const chart = await openPanel(client, { visible: true });
    await chart.tickers.refresh();
    folder().open().recordReports(reports, place);
    await chart.orders.reread();
    const sentMarks = (): number => chart.posted.filter(({ type }) => type === "marks").length;
    return { ...chart, sentMarks };
  }

  it("appear when their account has signed in, and disappear with its key", async () => {
    const { venue, tickers, orders, last } = await openMarked();
    await venue.select(liveAccount);
    await tickers.refresh();
    const live = { venue: "live", origin: "https://api.example.com", account: TEST_ACCOUNT } as const;
    folder().open().recordReports(reports, live);
    await orders.reread();
    const lines = (): number => linesOf(last("marks").marks, "order").length;
    assert.equal(lines(), 0);
    await venue.signIn("wallet");
    assert.ok(lines() > 0);
    venue.changeKey();
    assert.equal(lines(), 0);
  });

  it("are stop orders at their trigger, if it is known, and not at their limit price", async () => {
    const chart = await openMarked();
    folder()
      .open()
      .recordReports(
        [
          testReport({ status: "open", orderId: "1", side: "buy", trigger: new Decimal("95") }),
          testReport({ status: "open", orderId: "2", trigger: "unknown" }),
        ].map((report) => ({ ...report, askedAt: 2000 })),
        place,
      );
    await chart.orders.reread();
    assert.deepEqual(
      linesOf(chart.last("marks").marks, "order").map(({ rate, text }) => [rate, text]),
      [["95", "Stop order: Stop Buy 8 at 95.00"]],
    );
  });

  it("are open orders, fills and average cost, each with a text", async () => {
    const { marks } = (await openMarked()).last("marks");
    assert.deepEqual(
      linesOf(marks, "order").map(({ rate, label, text }) => [rate, label, text]),
      [
        ["100", "Buy 8", "Open order: Buy 8 at 100.00"],
        ["100", "Sell 10", "Open order: Sell 10 at 100.00"],
      ],
    );
    assert.deepEqual(
      marks.filter(isFill).map(({ at, tone }) => [at, tone]),
      [
        [5, "up"],
        [9, "down"],
      ],
    );
    assert.match(marks.find(isFill)?.text ?? "", /^Bought 2 at 90\.00, .*1970/);
    assert.deepEqual(
      linesOf(marks, "averageCost").map(({ rate, label, text }) => [rate, label, text]),
      [["90.23", "Average cost", "Average cost 90.23"]],
    );
  });

  it("have the average cost of what the user entered as held elsewhere, if the account's is unknown", async () => {
    const client = new FakeClient();
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 100 })));
    const { last, tickers, elsewhere } = await openPanel(client, { visible: true });
    await tickers.refresh();
    elsewhere.put(heldElsewhere({ quantity: "2", cost: ["THB", "150"] }));
    elsewhere.put(heldElsewhere({ quantity: "1", cost: ["THB", "90"] }));
    elsewhere.put(heldElsewhere({ quantity: "1", cost: ["USDT", "1"] }));
    elsewhere.put(heldElsewhere());
    assert.deepEqual(
      linesOf(last("marks").marks, "averageCost").map(({ text }) => text),
      ["Average cost 80.00"],
    );
  });

  it("are sent again only when they change", async () => {
    const { orders, tickers, sentMarks } = await openMarked();
    const before = sentMarks();
    await orders.reread();
    await tickers.refresh();
    assert.equal(sentMarks(), before);
    folder()
      .open()
      .recordReports([testReport({ status: "cancelled", orderId: "2" })], place);
    await orders.reread();
    assert.equal(sentMarks(), before + 1);
  });

  it("are sent to a page that is shown again, even if prices or fills arrived meanwhile", async () => {
    const { panel, orders, tickers, posted, last } = await openMarked();
    for (const isFilled of [false, true]) {
      panel.setVisible(false);
      posted.length = 0;
      await tickers.refresh();
      await orders.reread();
      panel.setVisible(true);
      panel.receive({ type: "ready", interval: "1m", isFilled: false });
      if (isFilled) panel.receive({ type: "ready", interval: "1m", isFilled });
      assert.equal(linesOf(last("marks").marks, "order").length, 2);
    }
  });

  it("are omitted if turned off, and hide their quantities in privacy mode", async () => {
    userSettings.set(settingKeys.showOrders, false);
    userSettings.set(settingKeys.showFills, false);
    userSettings.set(settingKeys.showAverageCost, false);
    assert.equal((await openMarked()).sentMarks(), 0);
    userSettings.clear();
    userSettings.set(settingKeys.hideAmounts, true);
    const { marks } = (await openMarked()).last("marks");
    assert.deepEqual(
      linesOf(marks, "order").map(({ label }) => label),
      ["Buy •••", "Sell •••"],
    );
    assert.match(marks.find(isFill)?.text ?? "", /^Bought ••• at 90\.00/);
    userSettings.clear();
  });

  it("are emphasised while their row is selected, in Orders, Alerts or Wallet, and only the last of these", async () => {
    const { last, selectedLine, orders } = await openMarked();
    const [orderTree, walletTree] = [new HollowTree(), new HollowTree()];
    const selected = (): string[] =>
      last("marks")
        .marks.filter(isLine)
        .flatMap(({ isSelected, text }) => (isSelected ? [text] : []));
    const order = orders.elsewhere.find(({ name }) => name?.orderId === "1");
    const view = <Row>(tree: HollowTree) => tree as unknown as TreeView<Row>;
    selectedLine.follow(view<Order>(orderTree), ({ known }) => known && orderLineKey(known));
    selectedLine.follow(view<string>(walletTree), costLineKey);
    orderTree.select(order);
    assert.deepEqual(selected(), ["Open order: Buy 8 at 100.00 (selected)"]);
    walletTree.select("THB_BTC");
    assert.deepEqual(selected(), ["Average cost 90.23 (selected)"]);
    orderTree.select(undefined);
    assert.deepEqual(selected(), ["Average cost 90.23 (selected)"], "another row is selected since");
    walletTree.select(undefined);
    assert.deepEqual(selected(), []);
  });

  it("disappear with a switch of exchanges", async () => {
    const { venue, last } = await openMarked();
    await venue.select(liveAccount);
    assert.deepEqual(last("marks").marks, []);
  });

  it("are turned on and off for all charts, where there can be any", async () => {
    const { panel, last } = await openMarked();
    const shown = { orders: true, fills: true, averageCost: true };
    assert.deepEqual(last("market").shownMarks, shown);
    panel.receive({ type: "showMark", mark: "orders", shown: false });
    await settle();
    assert.equal(userSettings.get(settingKeys.showOrders), false);
    const other = await openMarked();
    assert.deepEqual(other.last("market").shownMarks, { ...shown, orders: false });
    assert.deepEqual(linesOf(other.last("marks").marks, "order"), []);
    panel.receive({ type: "showMark", mark: "orders", shown: true });
    await settle();
    assert.equal(userSettings.get(settingKeys.showOrders), true);
    userSettings.clear();
  });

  it("have no switch if the exchange reports no orders and no fill is known", async () => {
    const { tickers, last } = await openPanel(new FakeClient());
    tickers.adopt({ ...snapshotOf(tickerOf("THB_BTC")), readAt: 1, problem: undefined });
    assert.equal(last("market").shownMarks, undefined);
  });
});

describe("the rates of a chart's crosshair", () => {
  it("follow the exchange's price step as soon as it is known", async () => {
    const client = new FakeClient();
    client.capabilities = { symbols: () => assert.fail("the rules read it") };
    let notify = (): void => assert.fail();
    let rules = defaultRules;
    const { tickers, last } = await openPanel(client, {
      rules: { rulesOf: () => rules, onDidChangeRules: (listener) => ((notify = listener), () => undefined) },
    });
    tickers.adopt({ ...snapshotOf(tickerOf("THB_BTC")), readAt: 1, problem: undefined });
    assert.equal(last("market").rateStep, undefined);
    rules = { ...defaultRules, rateStep: new Decimal("0.50") };
    notify();
    assert.equal(last("market").rateStep, "0.5");
  });
});
