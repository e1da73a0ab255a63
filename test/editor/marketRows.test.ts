import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds, settingKeys } from "../../src/contributions.ts";
import { FAVOURITES, type WatchLists } from "../../src/desk/watchLists/watchLists.ts";
import { star } from "../../src/desk/watchLists/edits.ts";
import { NoResponseError } from "../../src/exchange/errors.ts";
import { MarketRows, type MarketRow } from "../../src/ui/markets/marketRows.ts";
import { pauseRows } from "../../src/ui/paintPause.ts";
import { openTestDesk, unattended } from "../support/desks/testDesk.ts";
import { favouritesOf, listsStore } from "../support/fakes/watchLists.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf } from "../support/fakes/venue.ts";
import { waitFor } from "../support/waitFor.ts";

async function rowsOf(client: FakeClient, given: Partial<WatchLists> = {}) {
  const timers = new FakeTimers();
  const { tickers: feed } = await openTestDesk({ client, timers, window: unattended });
  const list = listsStore(favouritesOf([], given));
  const rows = new MarketRows(feed, list, timers);
  const fired: (string[] | undefined)[] = [];
  rows.onDidChangeTreeData((changed) => fired.push(changed && [changed].flat().map(({ symbol }) => symbol)));
  await feed.refresh();
  // As the editor does.
  rows.getChildren();
  return { feed, rows, list, fired, timers };
}

function itemOf(rows: MarketRows, symbol: string): vscode.TreeItem {
  const row = rows.getChildren().find((each) => each.symbol === symbol) ?? assert.fail(symbol);
  return rows.getTreeItem(row);
}

/** The texts of a row beside its label, with the spaces of its columns as one space. */
function shownIn({ description }: vscode.TreeItem): string {
  return String(description).trim().replaceAll(/\s+/g, " ");
}

async function tooltipOf(rows: MarketRows, row: MarketRow): Promise<string> {
  const { tooltip } = await rows.resolveTreeItem(rows.getTreeItem(row), row);
  assert.ok(tooltip instanceof vscode.MarkdownString);
  assert.notEqual(tooltip.isTrusted, true);
  assert.notEqual(tooltip.supportHtml, true);
  return tooltip.value;
}

describe("a Markets row", () => {
  const client = new FakeClient();
  const answer = (...tickers: Parameters<typeof snapshotOf>): void => {
    client.tickersAnswer = () => Promise.resolve(snapshotOf(...tickers));
  };

  it("shows the base asset, change and last price, and the direction by sign and arrow", async () => {
    answer(
      tickerOf("THB_BTC", {
        last: 2_998_000.5,
        bestBid: 2_997_990,
        bestAsk: 2_998_010.25,
        percentChange: -1.234,
      }),
    );
    const { rows } = await rowsOf(client);
    const item = itemOf(rows, "THB_BTC");
    assert.equal(item.label, "BTC");
    assert.equal(item.id, "THB_BTC");
    assert.equal(shownIn(item), "2,998,000.50 -1.23%");
    assert.equal((item.iconPath as vscode.ThemeIcon).id, "arrow-down");
    assert.equal(item.contextValue, "pair");
    assert.equal(item.accessibilityInformation?.label, "BTC in THB, last 2,998,000.50, -1.23% in 24 hours");
  });

  it("is offered in picks as soon as its pair is polled, even while an input pauses repainting", async () => {
    answer(tickerOf("THB_BTC"));
    const { feed, rows } = await rowsOf(client);
    pauseRows();
    answer(tickerOf("THB_BTC"), tickerOf("THB_ETH"));
    await feed.refresh();
    assert.deepEqual([...rows.allSymbols].sort(), ["THB_BTC", "THB_ETH"]);
  });

  it("opens its chart the way the editor's own trees open items", async () => {
    answer(tickerOf("THB_BTC"));
    const { rows } = await rowsOf(client);
    const { command } = itemOf(rows, "THB_BTC");
    assert.equal(command?.command, commandIds.previewChart);
    assert.deepEqual(
      command.arguments,
      [],
      "the editor loses a click whose arguments belong to a row that changes",
    );
  });

  it("names the quote asset if several are listed", async () => {
    answer(tickerOf("THB_BTC"), tickerOf("USDT_BTC"));
    const { rows } = await rowsOf(client);
    assert.deepEqual(
      ["THB_BTC", "USDT_BTC"].map((symbol) => itemOf(rows, symbol).label),
      ["BTC/THB", "BTC/USDT"],
    );
  });

  it("says that a pair is frozen, and offers no bid for it", async () => {
    answer(tickerOf("THB_ICE", { frozen: true }));
    const { rows } = await rowsOf(client);
    const item = itemOf(rows, "THB_ICE");
    assert.match(String(item.description), /frozen$/);
    assert.equal((item.iconPath as vscode.ThemeIcon).id, "lock");
    assert.equal(item.contextValue, "frozenPair");
  });

  it("says that its price is stale, and keeps the price", async () => {
    answer(tickerOf("THB_BTC"));
    const { rows, feed } = await rowsOf(client);
    client.tickersAnswer = () => Promise.reject(new NoResponseError("tickers", "timeout", ""));
    await feed.refresh();
    assert.equal(shownIn(itemOf(rows, "THB_BTC")), "100.00 +1.50% stale");
  });

  it("shows bid, ask, high, low and volumes in its tooltip, all escaped", async () => {
    answer(tickerOf("THB_BTC", { baseVolume: 1234.5, quoteVolume: 3_600_000_000 }));
    const { rows } = await rowsOf(client);
    const text = (await tooltipOf(rows, { symbol: "THB_BTC" })).replaceAll("&nbsp;", " ");
    for (const part of ["99.50", "100.50", "110.00", "90.00", "1.235K BTC", "3.6B THB"]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    assert.ok(!text.includes("Prices are from"), "the prices are fresh");
  });

  it("of a favourite comes first, has a star and a spoken label, and offers more actions", async () => {
    answer(tickerOf("THB_ADA"), tickerOf("THB_BTC"), tickerOf("THB_ETH", { frozen: true }));
    const { lists } = favouritesOf(["THB_ETH", "THB_BTC"]);
    const { rows } = await rowsOf(client, { lists, pinned: ["THB_BTC"] });
    assert.deepEqual(
      rows.getChildren().map(({ symbol }) => symbol),
      ["THB_ETH", "THB_BTC", "THB_ADA"],
    );
    const item = itemOf(rows, "THB_BTC");
    assert.match(String(item.description), /★$/);
    assert.match(item.accessibilityInformation?.label ?? "", /, favourite$/);
    assert.deepEqual(
      ["THB_ETH", "THB_BTC", "THB_ADA"].map((symbol) => itemOf(rows, symbol).contextValue),
      ["frozenPair.favourite", "pair.favourite.pinned", "pair"],
    );
  });

  it("is refreshed once with all others, whatever changes before the editor reads them", async () => {
    const prices = (ada: number, btc: number): void =>
      answer(tickerOf("THB_ADA", { last: ada }), tickerOf("THB_BTC", { last: btc }));
    prices(3, 2);
    const { feed, rows, list, fired, timers } = await rowsOf(client, { sort: { by: "last", down: true } });
    fired.splice(0);
    prices(3, 4);
    await feed.refresh();
    await list.change((given) => ({ ...given, sort: { by: "symbol", down: false } }));
    prices(3, 4.5);
    await feed.refresh();
    assert.deepEqual(fired, [undefined], "each further event makes the editor wait, or read twice");
    assert.deepEqual(
      rows.getChildren().map(({ symbol }) => symbol),
      ["THB_ADA", "THB_BTC"],
    );
    prices(3, 5);
    await feed.refresh();
    assert.deepEqual(fired.splice(0), [undefined, ["THB_BTC"]]);
    await list.change((given) => star(given, "THB_BTC"));
    await timers.advance(1000);
    prices(3, 6);
    await feed.refresh();
    assert.deepEqual(
      fired,
      [undefined, ["THB_BTC"]],
      "events resume if the editor does not read the rows for a second",
    );
  });

  it("is neither painted nor found if the list on screen has none", async () => {
    answer(tickerOf("THB_BTC"), tickerOf("THB_ETH"));
    const { feed, rows, fired } = await rowsOf(client, {
      ...favouritesOf(["THB_BTC"]),
      active: FAVOURITES,
    });
    fired.splice(0);
    answer(tickerOf("THB_BTC"), tickerOf("THB_ETH", { last: 7 }));
    await feed.refresh();
    assert.deepEqual(fired, []);
    assert.equal(rows.find("THB_ETH"), undefined);
    assert.equal(rows.find("THB_BTC"), rows.getChildren()[0]);
  });

  it("of a pair that the exchange does not list stays in its list, greyed out, and only there", async () => {
    answer(tickerOf("THB_BTC"));
    const { lists } = favouritesOf(["THB_GONE", "THB_BTC"]);
    const { rows, list } = await rowsOf(client, { lists });
    assert.deepEqual(
      rows.getChildren().map(({ symbol }) => symbol),
      ["THB_BTC"],
    );
    await list.change((given) => ({ ...given, active: FAVOURITES }));
    const item = itemOf(rows, "THB_GONE");
    assert.equal(item.label, "GONE/THB");
    assert.match(String(item.description), /^not listed/);
    assert.equal((item.iconPath as vscode.ThemeIcon).id, "circle-slash");
    assert.equal(item.resourceUri?.scheme, "bidside-unlisted");
    assert.equal(item.contextValue, "unlistedPair.favourite");
    assert.equal(item.command, undefined);
    assert.equal(item.accessibilityInformation?.label, "GONE/THB, not listed, favourite");
  });

  it("takes the colours of the other convention on request, and keeps arrow and sign", async () => {
    answer(tickerOf("THB_BTC", { percentChange: 1 }));
    const { rows, fired } = await rowsOf(client);
    const colorOf = (): string => {
      const icon = itemOf(rows, "THB_BTC").iconPath as vscode.ThemeIcon;
      assert.equal(icon.id, "arrow-up");
      return icon.color?.id ?? "";
    };
    assert.equal(colorOf(), "bidside.up");
    fired.splice(0);
    const settings = vscode.workspace.getConfiguration();
    await settings.update(settingKeys.invertColors, true, vscode.ConfigurationTarget.Global);
    try {
      await waitFor("the rows to be painted again", () => fired.length > 0);
      assert.equal(colorOf(), "bidside.down");
      assert.match(String(itemOf(rows, "THB_BTC").description), /\+1\.00%/);
    } finally {
      await settings.update(settingKeys.invertColors, undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it("is not repainted by streamed prices for 5 s after its tooltip opens, because that closes it", async () => {
    const [btc, eth] = [tickerOf("THB_BTC", { last: 100 }), tickerOf("THB_ETH", { last: 10 })];
    answer(btc, eth);
    const { feed, rows, fired, timers } = await rowsOf(client);
    const tick = async (rise: number): Promise<void> => {
      await timers.advance(1000);
      const at = timers.now();
      feed.overlay(
        [btc, eth].map((ticker) => ({ ticker: { ...ticker, last: (ticker.last ?? 0) + rise }, at })),
      );
    };
    await tick(1);
    fired.splice(0);
    const row = rows.getChildren().find(({ symbol }) => symbol === "THB_BTC") ?? assert.fail();
    await rows.resolveTreeItem(rows.getTreeItem(row), row);
    for (let last = 2; last < 6; last += 1) await tick(last);
    assert.deepEqual(
      fired.splice(0),
      Array.from({ length: 4 }, () => ["THB_ETH"]),
    );
    await timers.advance(1000);
    assert.deepEqual(fired, [["THB_BTC"]]);
    assert.match(shownIn(itemOf(rows, "THB_BTC")), /105\.00/);
    rows.dispose();
  });

  it("keeps its place for 5 s after its tooltip opens, because a click on its buttons would be lost", async () => {
    const small = [tickerOf("THB_BTC", { quoteVolume: 1000 }), tickerOf("THB_ADA", { quoteVolume: 500 })];
    answer(...small, tickerOf("THB_ETH", { quoteVolume: 100 }));
    const { feed, rows, fired, timers } = await rowsOf(client);
    const shown = (): string[] => rows.getChildren().map(({ symbol }) => symbol);
    fired.splice(0);
    const row = rows.getChildren().find(({ symbol }) => symbol === "THB_ADA") ?? assert.fail();
    await rows.resolveTreeItem(rows.getTreeItem(row), row);
    answer(...small, tickerOf("THB_ETH", { quoteVolume: 9000 }));
    await feed.refresh();
    await timers.advance(4900);
    assert.deepEqual([fired.splice(0), shown()], [[["THB_ETH"]], ["THB_BTC", "THB_ADA", "THB_ETH"]]);
    await timers.advance(2100);
    assert.deepEqual([fired, shown()], [[undefined], ["THB_ETH", "THB_BTC", "THB_ADA"]]);
    rows.dispose();
  });
});
