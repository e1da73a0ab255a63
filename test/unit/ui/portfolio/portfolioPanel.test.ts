import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { settingKeys } from "../../../../src/contributions.ts";
import type { Desk } from "../../../../src/desk/desk.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type {
  PortfolioChoices,
  PortfolioContent,
  ToPortfolioPage,
} from "../../../../src/protocol/portfolioPage.ts";
import { valuesExportText } from "../../../../src/storage/valuesExport.ts";
import { localDate } from "../../../../src/time/localDay.ts";
import { heldElsewhere } from "../../../support/builders/heldElsewhere.ts";
import { close, openTestDesk, readAll, testSettings, unattended } from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../../../support/fakes/venue.ts";
import { HollowPanel, loadUi, userSettings } from "../../../support/fakes/vscode.ts";
import { waitFor } from "../../../support/waitFor.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { PortfolioPanel } = await loadUi(() => import("../../../../src/ui/portfolio/portfolioPanel.ts"));

describe("the host of the Portfolio page", () => {
  let timers: FakeTimers;
  let desk: Desk;
  let page: HollowPanel;
  let shown: PortfolioContent[];
  let panel: { dispose(): void };

  beforeEach(async () => {
    const client = new FakeClient();
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "1000", BTC: "0.5" }));
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 4000 })));
    timers = new FakeTimers(new Date(2026, 10, 21, 12, 12).getTime());
    desk = await openTestDesk({
      client,
      timers,
      window: unattended,
      storage: temporaryFolder(),
      settings: { ...testSettings, historyMaximumBytes: () => 100_000 },
    });
    await readAll(desk);
    await open();
  });
  async function open(choices?: PortfolioChoices): Promise<void> {
    page = new HollowPanel();
    panel = new PortfolioPanel(page as never, desk, { fsPath: process.cwd() } as vscode.Uri, choices);
    shown = [];
    page.onDidPost((message) => {
      const { type, content } = message as ToPortfolioPage;
      if (type === "content") shown.push(content);
    });
    page.setVisible(true);
    page.receive({ type: "ready" });
    await waitFor("the page", () => shown.length > 0);
  }
  afterEach(async () => {
    userSettings.clear();
    panel.dispose();
    await close(desk);
  });

  const last = (): PortfolioContent => shown.at(-1) ?? assert.fail("nothing was shown");

  it("shows the total, and a holding elsewhere as soon as it is entered", async () => {
    assert.equal(last().total, "3,000.00 THB");
    desk.elsewhere.put(heldElsewhere({ quantity: "2" }));
    await timers.advance(3000);
    assert.equal(last().total, "11,000.00 THB");
    assert.deepEqual(
      last().assets.rows.map(([name, , value]) => [name, value]),
      [
        ["BTC · cold wallet", "8,000.00"],
        ["BTC", "2,000.00"],
        ["THB", "1,000.00"],
      ],
    );
  });

  it("draws the line from the second value on, and lists today", async () => {
    assert.equal(last().scale, undefined);
    await timers.advance(2 * 3_600_000);
    assert.equal(last().line.length, 1);
    assert.equal(last().days.rows.length, 1);
  });

  it("follows the chosen range and period, and ignores any other message", async () => {
    page.receive({ type: "range", range: "all" });
    page.receive({ type: "period", period: "year" });
    await waitFor("the range", () => last().range === "all");
    const count = shown.length;
    page.receive({ type: "range", range: "forever" });
    page.receive({ type: "buy" });
    assert.deepEqual([last().range, last().period, shown.length], ["all", "year", count]);
  });

  it("begins with the range and the period with which it is restored", async () => {
    panel.dispose();
    await open({ range: "year", period: "day" });
    assert.deepEqual([last().range, last().period], ["year", "day"]);
  });

  it("hides amounts in privacy mode", async () => {
    userSettings.set(settingKeys.hideAmounts, true);
    page.receive({ type: "ready" });
    assert.doesNotMatch(JSON.stringify({ ...last(), days: undefined }), /3,000|2,000|4,000/);
  });

  it("sends nothing to a hidden page", async () => {
    page.setVisible(false);
    const count = shown.length;
    await desk.tickers.refresh();
    await timers.advance(10_000);
    assert.equal(shown.length, count);
  });
});

describe("the export of values", () => {
  it("has a row for each asset of each time, whose values add up to the total", () => {
    const one = { quantity: new Decimal("0.1"), price: new Decimal("0.3") };
    const text = valuesExportText(
      [
        {
          at: 0,
          account: "practice",
          quote: "THB",
          balances: [{ asset: "BTC", ...one }],
          elsewhere: [{ asset: "=ETH", ...one }],
        },
      ],
      "Main",
      "comma",
    );
    assert.deepEqual(text.slice(1).trim().split("\r\n"), [
      '"time","account","place","asset","quantity","price","value","values in","date"',
      `"1970-01-01T00:00:00.000Z","Main","account","BTC","0.1","0.3","0.03","THB","${localDate(0)}"`,
      `"1970-01-01T00:00:00.000Z","Main","elsewhere","'=ETH","0.1","0.3","0.03","THB","${localDate(0)}"`,
    ]);
  });
});
