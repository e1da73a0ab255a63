import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { unpin } from "../../src/desk/watchLists/edits.ts";
import { emptyWatchLists, FAVOURITES } from "../../src/desk/watchLists/watchLists.ts";
import { marketDrag } from "../../src/ui/markets/dragAndDrop.ts";
import { MarketRows } from "../../src/ui/markets/marketRows.ts";
import { PinnedTickers } from "../../src/ui/markets/pinnedTickers.ts";
import { listText } from "../../src/ui/markets/listNames.ts";
import { openTestDesk, unattended } from "../support/desks/testDesk.ts";
import { favouritesOf, listsStore } from "../support/fakes/watchLists.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { FakeClient, openVenue, snapshotOf, tickerOf } from "../support/fakes/venue.ts";
import { tickerFeed } from "../support/fakes/feeds.ts";

describe("dragging a row of Markets", () => {
  const client = new FakeClient();
  client.tickersAnswer = () =>
    Promise.resolve(snapshotOf(tickerOf("THB_ADA"), tickerOf("THB_BTC"), tickerOf("THB_ETH")));

  async function drag(favourites: readonly string[], active: string, from: string, to: string | undefined) {
    const { tickers } = await openTestDesk({ client, timers: new FakeTimers(), window: unattended });
    const list = listsStore(favouritesOf(favourites, { active }));
    const rows = new MarketRows(tickers, list);
    await tickers.refresh();
    const { handleDrag, handleDrop } = marketDrag(rows);
    const data = new vscode.DataTransfer();
    const token = new vscode.CancellationTokenSource().token;
    await handleDrag?.([{ symbol: from }], data, token);
    await handleDrop?.(to === undefined ? undefined : { symbol: to }, data, token);
    return { list, symbols: rows.getChildren().map(({ symbol }) => symbol) };
  }

  it("moves the row to the other row's place in the list on screen", async () => {
    const all = ["THB_ADA", "THB_BTC", "THB_GONE", "THB_ETH"];
    const { list, symbols } = await drag(all, FAVOURITES, "THB_ETH", "THB_BTC");
    assert.deepEqual(symbols, ["THB_ADA", "THB_ETH", "THB_BTC", "THB_GONE"]);
    assert.equal(listText(list.state), "Favourites");
  });

  it("moves a pair that the exchange does not list too", async () => {
    const { symbols } = await drag(["THB_ADA", "THB_GONE"], FAVOURITES, "THB_GONE", "THB_ADA");
    assert.deepEqual(symbols, ["THB_GONE", "THB_ADA"]);
  });

  it("changes nothing below the favourites while all pairs are shown", async () => {
    const { list } = await drag(["THB_ADA"], "all", "THB_ETH", "THB_BTC");
    assert.deepEqual(list.state, favouritesOf(["THB_ADA"]));
  });

  it("repaints no row until the row is dropped or the drag is cancelled", async () => {
    for (const end of ["drop", "cancel", "forgotten"] as const) {
      const market = new FakeClient();
      market.tickersAnswer = client.tickersAnswer;
      const timers = new FakeTimers();
      const { tickers } = await openTestDesk({ client: market, timers, window: unattended });
      const rows = new MarketRows(tickers, listsStore(), timers);
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
    const { list } = await drag([], "all", "THB_GONE", "THB_ADA");
    assert.deepEqual(list.state, emptyWatchLists);
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
    const list = listsStore(favouritesOf([], { pinned: ["THB_BTC", "THB_GONE"] }));
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
