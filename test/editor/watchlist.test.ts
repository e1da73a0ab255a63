import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { unpin } from "../../src/desk/watchlist/edits.ts";
import { emptyWatchlist, type Watchlist } from "../../src/desk/watchlist/watchlist.ts";
import { marketDrag } from "../../src/ui/markets/dragAndDrop.ts";
import { MarketRows } from "../../src/ui/markets/marketRows.ts";
import { PinnedTickers } from "../../src/ui/markets/pinnedTickers.ts";
import { sortText } from "../../src/ui/markets/sortText.ts";
import { WatchlistStore } from "../../src/desk/watchlist/watchlistStore.ts";
import { openTestDesk, unattended } from "../support/desks/testDesk.ts";
import { memoryOf } from "../support/fakes/watchlist.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { FakeClient, openVenue, snapshotOf, tickerOf } from "../support/fakes/venue.ts";
import { tickerFeed } from "../support/fakes/feeds.ts";

describe("dragging a row of Markets", () => {
  const client = new FakeClient();
  client.tickersAnswer = () =>
    Promise.resolve(snapshotOf(tickerOf("THB_ADA"), tickerOf("THB_BTC"), tickerOf("THB_ETH")));

  async function drag(given: Partial<Watchlist>, from: string, to: string | undefined) {
    const { tickers } = await openTestDesk({ client, timers: new FakeTimers(), window: unattended });
    const list = new WatchlistStore(memoryOf({ ...emptyWatchlist, ...given }));
    const rows = new MarketRows(tickers, list);
    await tickers.refresh();
    const { handleDrag, handleDrop } = marketDrag(rows);
    const data = new vscode.DataTransfer();
    const token = new vscode.CancellationTokenSource().token;
    await handleDrag?.([{ symbol: from }], data, token);
    await handleDrop?.(to === undefined ? undefined : { symbol: to }, data, token);
    return { list, symbols: rows.getChildren().map(({ symbol }) => symbol) };
  }

  it("moves the row to the other row's place, and switches to the custom order", async () => {
    const { list, symbols } = await drag({}, "THB_ETH", "THB_ADA");
    assert.deepEqual(symbols, ["THB_ETH", "THB_ADA", "THB_BTC"]);
    assert.equal(sortText(list.state.sort, false), "Custom sorting ↑");
  });

  it("repaints no row until the row is dropped or the drag is cancelled", async () => {
    for (const end of ["drop", "cancel", "forgotten"] as const) {
      const market = new FakeClient();
      market.tickersAnswer = client.tickersAnswer;
      const timers = new FakeTimers();
      const { tickers } = await openTestDesk({ client: market, timers, window: unattended });
      const rows = new MarketRows(tickers, new WatchlistStore(memoryOf()), timers);
      await tickers.refresh();
      const { handleDrag, handleDrop } = marketDrag(rows);
      const data = new vscode.DataTransfer();
      const cancellation = new vscode.CancellationTokenSource();
      const readAgain: unknown[] = [];
      rows.onDidChangeTreeData((changed) => changed ?? readAgain.push(changed));
      const shown = (): string[] => rows.getChildren().map(({ symbol }) => symbol);

      await handleDrag?.([{ symbol: "THB_ETH" }], data, cancellation.token);
      const largest = tickerOf("THB_BTC", { quoteVolume: 900_000 });
      market.tickersAnswer = () =>
        Promise.resolve(snapshotOf(tickerOf("THB_ADA"), largest, tickerOf("THB_ETH")));
      await tickers.refresh();
      assert.deepEqual([readAgain.length, shown()], [0, ["THB_ADA", "THB_BTC", "THB_ETH"]], end);
      if (end === "drop") await handleDrop?.({ symbol: "THB_ETH" }, data, cancellation.token);
      else if (end === "cancel") cancellation.cancel();
      else await timers.advance(5000);
      assert.deepEqual([readAgain.length, shown()], [1, ["THB_BTC", "THB_ADA", "THB_ETH"]], end);
    }
  });

  it("ignores a dropped item that is not a Markets row", async () => {
    const { list } = await drag({}, "THB_GONE", "THB_ADA");
    assert.deepEqual(list.state, emptyWatchlist);
  });
});

/** Keeps every status bar item that `act` makes. */
async function withStatusItems<T>(act: (items: vscode.StatusBarItem[]) => Promise<T>): Promise<T> {
  const { createStatusBarItem } = vscode.window;
  const items: vscode.StatusBarItem[] = [];
  vscode.window.createStatusBarItem = ((...args: Parameters<typeof createStatusBarItem>) => {
    const item = createStatusBarItem(...args);
    items.push(item);
    return item;
  }) as typeof createStatusBarItem;
  try {
    return await act(items);
  } finally {
    vscode.window.createStatusBarItem = createStatusBarItem;
  }
}

describe("pinning a pair", () => {
  it("shows last price and change, marks stale prices, and removes the item with the pin", async () => {
    const client = new FakeClient();
    client.tickersAnswer = () =>
      Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 2_998_000.5, percentChange: -1.234 })));
    const venue = await openVenue(client);
    const timers = new FakeTimers();
    const tickers = tickerFeed(venue, timers);
    const list = new WatchlistStore(memoryOf({ ...emptyWatchlist, pinned: ["THB_BTC", "THB_GONE"] }));
    const items = await withStatusItems(async (items) => {
      const pinned = new PinnedTickers({ tickers, venue }, list);
      assert.equal(tickers.demand.areVisible, true);
      await tickers.refresh();
      assert.deepEqual(
        items.map(({ id, name, text }) => [id, name, text]),
        [["pinned.THB_BTC", "Bidside: BTC in THB", "BTC 2,998,000.50 ▼ -1.23%"]],
      );
      const click = items[0]?.command as vscode.Command | undefined;
      assert.deepEqual([click?.command, click?.arguments], [commandIds.openChart, ["THB_BTC"]]);
      if (items[0]) items[0].command = "kept";
      await timers.advance(21_000);
      assert.equal(items[0]?.command, "kept", "a new command for the same pair loses a click on the old one");
      assert.equal(items[0]?.text, "$(history) BTC 2,998,000.50 ▼ -1.23%");
      assert.match(items[0]?.accessibilityInformation?.label ?? "", /stale/);
      await list.change((before) => unpin(before, "THB_BTC"));
      pinned.dispose();
      return items;
    });
    assert.equal(items.length, 1);
  });
});
