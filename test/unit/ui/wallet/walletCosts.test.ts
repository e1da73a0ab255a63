import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { walletContexts } from "../../../../src/contributions.ts";
import type { Desk } from "../../../../src/desk/desk.ts";
import type { Wallet } from "../../../../src/market/balance.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import { openOrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import type { WalletRow } from "../../../../src/ui/wallet/walletRows.ts";
import { heldElsewhere } from "../../../support/builders/heldElsewhere.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { close, openTestDesk, readAll, unattended } from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import {
  FakeClient,
  openingOf,
  snapshotOf,
  tickerOf,
  walletOf,
  byKind,
} from "../../../support/fakes/venue.ts";
import { HollowTree, loadUi, userSettings } from "../../../support/fakes/vscode.ts";
import { testProfile } from "../../../support/builders/client.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { WalletRows } = await loadUi(() => import("../../../../src/ui/wallet/walletRows.ts"));
const { balanceContent } = await loadUi(() => import("../../../../src/ui/wallet/balanceContent.ts"));
const { AmountText } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));

const place = { venue: "practice", origin: "http://127.0.0.1:1" } as const;
const balance = {
  method: "POST",
  path: "/api/order-info",
  symbolOrder: "quoteFirst",
  symbolCase: "upper",
  envelope: "A",
} as const;

/** 0.5 BTC bought for 20,050 THB, 0.1 of them reserved; last price 50,000 THB. */
const withReserved: Wallet = new Map([
  ["THB", { available: new Decimal("900"), reserved: new Decimal("100") }],
  ["BTC", { available: new Decimal("0.4"), reserved: new Decimal("0.1") }],
]);
const bought = testReport({ side: "buy", orderId: "1", fills: [testFill("1", "0.5", "40000", 1000)] });
const sold = testReport({ orderId: "2", fills: [testFill("2", "0.1", "50000", 2000)] });

describe("the wallet with costs and reserved amounts", () => {
  let folder: string;
  let desk: Desk;

  beforeEach(() => void (folder = temporaryFolder()));
  afterEach(async () => {
    userSettings.clear();
    await close(desk);
  });

  async function open(
    wallet: Wallet,
    reports: readonly OrderReport[] = [],
    offersFills = true,
  ): Promise<InstanceType<typeof WalletRows>> {
    const client = new FakeClient();
    client.walletAnswer = () => Promise.resolve(wallet);
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 50_000 })));
    const features = offersFills ? { orderInfo: balance } : {};
    const profile = testProfile(place.origin, { features });
    const practice = () =>
      Promise.resolve(openingOf(place.origin, { name: "Practice", addressMayChange: true, profile }));
    desk = await openTestDesk({
      client,
      timers: new FakeTimers(),
      window: unattended,
      storage: folder,
      openVenue: byKind({ practice, live: practice }),
    });
    const journal = openOrderJournal({ directory: desk.ordersFolder, now: desk.timers.now });
    journal.recordReports(reports, place);
    journal.close();
    await desk.orders.reread();
    await readAll(desk);
    return new WalletRows(desk, new HollowTree() as unknown as vscode.TreeView<WalletRow>, () => undefined);
  }

  const rowOf = (rows: InstanceType<typeof WalletRows>, label: string): WalletRow =>
    rows.children().find((row) => rows.item(row).label === label) ?? assert.fail(label);

  const figuresOf = (rows: InstanceType<typeof WalletRows>, label: string): string[] =>
    rows
      .children(rowOf(rows, label))
      .map((row) => rows.item(row))
      .map((item) => `${String(item.label)}: ${String(item.description)}`);

  it("counts what an open order reserves in the total, and says how much that is, by asset", async () => {
    const rows = await open(withReserved);
    const [total, reserved, btc] = ["Total", "Reserved", "BTC"].map((label) => rows.item(rowOf(rows, label)));
    assert.match(String(total?.description), /26,000\.00.*\d%$/);
    assert.match(String(reserved?.description), /\s5,100\.00$/);
    assert.equal(reserved?.accessibilityInformation?.label, "5,100.00 THB reserved by orders");
    assert.deepEqual(figuresOf(rows, "Reserved"), ["BTC: 0.1 BTC", "THB: 100.00 THB"]);
    assert.match(String(total?.accessibilityInformation?.label), /5,100\.00 THB reserved by orders/);
    assert.match(String(btc?.accessibilityInformation?.label), /^BTC, 0\.5, 0\.1 reserved,/);
    assert.deepEqual(figuresOf(rows, "BTC").slice(0, 3), [
      "Available: 0.4 BTC",
      "Reserved: 0.1 BTC",
      "Total: 0.5 BTC",
    ]);
    assert.deepEqual(figuresOf(rows, "Total"), []);
    assert.equal(btc?.contextValue, walletContexts.sellable);
  });

  it("shows what is available in the status bar, and available, reserved and total in its tooltip", async () => {
    await open(withReserved);
    const { words, tooltip } = balanceContent({
      tickers: [],
      elsewhere: [],
      today: undefined,
      figure: "available",
      state: desk.venue.state,
      balance: desk.balances.state,
      needsCredentials: false,
      attention: 0,
      quote: "THB",
      amounts: new AmountText(false),
    });
    assert.equal(words, "Practice 900.00 THB");
    assert.match(tooltip.value, /\| \| available \| reserved \| total \|/);
    assert.match(tooltip.value, /THB \| 900\.00 \| 100\.00 \| 1,000\.00/);
  });

  it("shows average cost, unrealised and realised results, and since when fills are known", async () => {
    const rows = await open(walletOf({ THB: "1000", BTC: "0.4" }), [bought, sold]);
    const figures = figuresOf(rows, "BTC");
    assert.deepEqual(figures.slice(0, 3), [
      "Average cost: 40,100.00 THB",
      "Unrealised result: ▲ +24.69% (+3,960.00 THB)",
      "Realised result: +977.50 THB",
    ]);
    assert.match(figures[3] ?? "", /^Fills since: .*1970/);
    assert.equal(figures.length, 4);
    const { tooltip } = rows.item(rowOf(rows, "BTC"));
    assert.match((tooltip as vscode.MarkdownString).value, /Average cost \| 40,100\.00 THB/);
    assert.deepEqual(figuresOf(rows, "Total").slice(0, 2), [
      "Unrealised result: ▲ +24.69% (+3,960.00 THB)",
      "Realised result: +977.50 THB",
    ]);
  });

  it("names the pairs whose results are in another asset, or unknown for lack of a price", async () => {
    const inUsdt = testReport({
      symbol: "USDT_BTC",
      pair: { quote: "USDT", base: "BTC" },
      side: "buy",
      orderId: "7",
      fills: [testFill("7", "0.1", "1000", 1500)],
    });
    const rows = await open(walletOf({ THB: "1000", BTC: "0.4" }), [bought, sold, inUsdt]);
    desk.elsewhere.put(heldElsewhere({ asset: "AIR", cost: ["THB", "5"] }));
    assert.deepEqual(figuresOf(rows, "Total").slice(0, 2), [
      "Unrealised result: ▲ +24.69% (+3,960.00 THB) without BTC/USDT, AIR/THB",
      "Realised result: +977.50 THB without BTC/USDT",
    ]);
  });

  it("keeps the realised result of an asset that was sold, in the total", async () => {
    const all = testReport({ orderId: "2", fills: [testFill("2", "0.5", "50000", 2000)] });
    const rows = await open(walletOf({ THB: "1000" }), [bought, all]);
    assert.deepEqual(figuresOf(rows, "Total").slice(0, 2), [
      "Unrealised result: 0.00 THB",
      "Realised result: +4,887.50 THB",
    ]);
  });

  it("says that the cost of an asset bought elsewhere is fully or partly unknown", async () => {
    const whole = await open(walletOf({ BTC: "0.5" }));
    assert.deepEqual(figuresOf(whole, "BTC"), ["Average cost: unknown: bought elsewhere"]);
    await close(desk);
    const part = await open(walletOf({ BTC: "0.8" }), [bought]);
    assert.deepEqual(figuresOf(part, "BTC").slice(0, 2), [
      "Average cost: 40,100.00 THB",
      "Cost basis known for: 0.5 of 0.8 BTC; the rest was bought elsewhere",
    ]);
  });

  it("values only what the account still holds of its known purchases", async () => {
    const rows = await open(walletOf({ BTC: "0.25" }), [bought]);
    assert.equal(figuresOf(rows, "BTC")[1], "Unrealised result: ▲ +24.69% (+2,475.00 THB)");
  });

  it("shows no results on an exchange that reports no fills, until a cost is entered", async () => {
    const rows = await open(walletOf({ THB: "1000", BTC: "0.5" }), [], false);
    for (const label of ["Total", "THB", "BTC"]) {
      assert.equal(rows.item(rowOf(rows, label)).collapsibleState, 0, label);
      assert.deepEqual(figuresOf(rows, label), [], label);
    }
    const cost = { ...place, quote: "THB", base: "BTC" } as const;
    await desk.orders.recordCost({ ...cost, quantity: "0.5", cost: "20000" });
    assert.equal(figuresOf(rows, "BTC")[0], "Average cost: 40,000.00 THB");
    assert.equal(figuresOf(rows, "BTC").length, 3);
  });

  it("hides every amount, also for screen readers", async () => {
    const rows = await open(withReserved, [bought, sold]);
    userSettings.set("bidside.wallet.hideAmounts", true);
    const items = rows
      .children()
      .flatMap((row) => [row, ...rows.children(row)])
      .map((row) => rows.item(row));
    const texts = items.flatMap(({ description, tooltip, accessibilityInformation }) => [
      String(description),
      typeof tooltip === "object" ? tooltip.value : "",
      String(accessibilityInformation?.label),
    ]);
    assert.ok(texts.length > 20);
    // The amounts in the wallet, its values and the results.
    for (const amount of ["0.1", "0.4", "0.5", "5,100", "26,000", "25,000", "3,960", "977.50", "900.00"])
      for (const text of texts) assert.ok(!text.includes(amount), `${amount} in ${text}`);
    assert.ok(texts.some((text) => text.includes("Reserved, hidden BTC")));
  });

  it("repaints for a new fill or cost, and not for other records", async () => {
    await open(walletOf({ BTC: "0.5" }));
    let repaints = 0;
    const view = new HollowTree() as unknown as vscode.TreeView<WalletRow>;
    const rows = new WalletRows(desk, view, () => (repaints += 1));
    await desk.orders.recordCost({
      ...place,
      quote: "THB",
      base: "BTC",
      quantity: "1",
      cost: "1",
    });
    assert.equal(repaints, 1);
    await desk.orders.recordCancel({
      ...place,
      quote: "THB",
      base: "BTC",
      orderId: "1",
      symbol: "THB_BTC",
      side: "buy",
      step: "requested",
    });
    assert.equal(repaints, 1);
    rows.dispose();
  });
});
