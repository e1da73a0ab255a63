import assert from "node:assert/strict";
import type { Disposable, Memento } from "vscode";
import { tickerFeed } from "../../support/fakes/feeds.ts";
import { FakeTimers, settle } from "../../support/fakes/timers.ts";
import { FakeClient, openVenue, snapshotOf, tickerOf } from "../../support/fakes/venue.ts";
import { HollowStore, loadUi } from "../../support/fakes/vscode.ts";

const { followFirstLook } = await loadUi(() => import("../../../src/ui/firstLook.ts"));

describe("the first look at Markets", () => {
  let memory: Memento;
  let done: string[];
  /** The page of the chart. */
  let loading: PromiseWithResolvers<void>;
  const opened: Disposable[] = [];
  beforeEach(() => {
    memory = new HollowStore() as unknown as Memento;
    done = [];
    loading = Promise.withResolvers();
  });
  afterEach(() => {
    for (const each of opened.splice(0)) each.dispose();
  });

  /** A window with its own prices, of which the first pair is frozen. */
  async function openWindow() {
    const client = new FakeClient();
    client.tickersAnswer = async () =>
      snapshotOf(tickerOf("THB_ICE", { frozen: true }), tickerOf("THB_BTC"), tickerOf("THB_ETH"));
    const tickers = tickerFeed(await openVenue(client), new FakeTimers());
    const markets = { visible: true, symbols: ["THB_ICE", "THB_BTC", "THB_ETH"] };
    const charts = {
      show(symbol: string) {
        done.push(`chart ${symbol}`);
        return loading.promise;
      },
    };
    const ticket = { introduce: (symbol: string) => void done.push(`ticket ${symbol}`) };
    opened.push(followFirstLook(memory, { tickers, markets, charts, ticket }), tickers);
    return { tickers, markets };
  }

  it("opens the chart of the first pair that is traded, and the ticket when the chart has loaded", async () => {
    const { tickers } = await openWindow();
    await tickers.refresh();
    assert.deepEqual(done, ["chart THB_BTC"]);
    loading.resolve();
    await settle();
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
