import assert from "node:assert/strict";
import type { Disposable, Memento } from "vscode";
import { panelTypes } from "../../../src/contributions.ts";
import { tickerFeed } from "../../support/fakes/feeds.ts";
import { tabGroups } from "../../support/fakes/tabs.ts";
import { FakeTimers } from "../../support/fakes/timers.ts";
import { FakeClient, openVenue, snapshotOf, tickerOf } from "../../support/fakes/venue.ts";
import { HollowStore, loadUi } from "../../support/fakes/vscode.ts";

const { followFirstLook } = await loadUi(() => import("../../../src/ui/firstLook.ts"));

describe("the first look at Markets", () => {
  const none = tabGroups.all;
  let memory: Memento;
  let done: string[];
  const opened: Disposable[] = [];
  beforeEach(() => {
    memory = new HollowStore() as unknown as Memento;
    done = [];
  });
  afterEach(() => {
    for (const each of opened.splice(0)) each.dispose();
    tabGroups.all = none;
  });

  /** A window with its own prices, of which the first pair is frozen. */
  async function openWindow() {
    const client = new FakeClient();
    client.tickersAnswer = async () =>
      snapshotOf(tickerOf("THB_ICE", { frozen: true }), tickerOf("THB_BTC"), tickerOf("THB_ETH"));
    const tickers = tickerFeed(await openVenue(client), new FakeTimers());
    const markets = { visible: true, symbols: ["THB_ICE", "THB_BTC", "THB_ETH"] };
    const charts = { show: async (symbol: string) => void done.push(`chart ${symbol}`) };
    const ticket = {
      introduce(symbol: string) {
        const isBeside = tabGroups.all.some(({ tabs }) => tabs.some(({ isActive }) => isActive));
        done.push(isBeside ? `ticket ${symbol}` : "ticket in place of the chart");
      },
    };
    opened.push(followFirstLook(memory, { tickers, markets, charts, ticket }), tickers);
    return { tickers, markets };
  }

  it("opens the chart of the first pair that is traded, and then the ticket beside it", async () => {
    const { tickers } = await openWindow();
    await tickers.refresh();
    assert.deepEqual(done, ["chart THB_BTC"]);
    tabGroups.openUndescribed();
    assert.deepEqual(done, ["chart THB_BTC"]);
    tabGroups.openPage(panelTypes.chart);
    tabGroups.openPage(panelTypes.bidForm);
    assert.deepEqual(done, ["chart THB_BTC", "ticket THB_BTC"]);
  });

  it("waits for the first time that Markets is visible", async () => {
    const { tickers, markets } = await openWindow();
    markets.visible = false;
    await tickers.refresh();
    assert.deepEqual(done, []);
    markets.visible = true;
    await tickers.refresh();
    assert.deepEqual(done, ["chart THB_BTC"]);
  });

  it("comes once, in this window and in later ones", async () => {
    for (let window = 0; window < 2; window += 1) {
      const { tickers } = await openWindow();
      await tickers.refresh();
      await tickers.refresh();
    }
    assert.deepEqual(done, ["chart THB_BTC"]);
  });
});
