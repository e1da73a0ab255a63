import assert from "node:assert/strict";
import * as vscode from "vscode";
import { TickerFeed } from "../../src/desk/tickerFeed.ts";
import { NoAnswerError } from "../../src/exchange/errors.ts";
import { MarketRows, type MarketRow } from "../../src/ui/marketRows.ts";
import { FakeTimers } from "../support/fakeTimers.ts";
import { FakeClient, openVenue, readingOf, tickerOf } from "../support/fakeVenue.ts";

async function rowsOf(client: FakeClient) {
  const timers = new FakeTimers();
  const feed = new TickerFeed({ venue: await openVenue(client), timers, random: () => 1, intervalMs: 5000 });
  const rows = new MarketRows(feed, timers.now);
  const fired: (string[] | undefined)[] = [];
  rows.onDidChangeTreeData((changed) => fired.push(changed && [changed].flat().map(({ symbol }) => symbol)));
  await feed.poll.refresh();
  return { feed, rows, fired };
}

function itemOf(rows: MarketRows, symbol: string): vscode.TreeItem {
  const row = rows.getChildren().find((each) => each.symbol === symbol) ?? assert.fail(symbol);
  return rows.getTreeItem(row);
}

function tooltipOf(rows: MarketRows, row: MarketRow): string {
  const { tooltip } = rows.resolveTreeItem(rows.getTreeItem(row), row);
  assert.ok(tooltip instanceof vscode.MarkdownString);
  assert.notEqual(tooltip.isTrusted, true);
  assert.notEqual(tooltip.supportHtml, true);
  return tooltip.value;
}

describe("a Markets row", () => {
  const client = new FakeClient();
  const answer = (...tickers: Parameters<typeof readingOf>): void => {
    client.tickersAnswer = () => Promise.resolve(readingOf(...tickers));
  };

  it("shows symbol, last, and change with sign and arrow", async () => {
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
    assert.equal(item.label, "THB_BTC");
    assert.equal(item.id, "THB_BTC");
    assert.equal(item.description, "2,998,000.50  ▼ -1.23%");
    assert.equal((item.iconPath as vscode.ThemeIcon).id, "arrow-down");
    assert.equal(item.contextValue, "pair");
    assert.equal(item.accessibilityInformation?.label, "BTC in THB, last 2,998,000.50, -1.23% in 24 hours");
  });

  it("never rounds a small price to nothing", async () => {
    answer(
      tickerOf("THB_TINY", {
        last: 0.000_001_23,
        bestBid: 0.000_001_22,
        bestAsk: undefined,
        percentChange: 0,
      }),
    );
    const { rows } = await rowsOf(client);
    assert.equal(itemOf(rows, "THB_TINY").description, "0.00000123  0.00%");
  });

  it("says in words that a pair is frozen, and offers no bid on it", async () => {
    answer(tickerOf("THB_ICE", { frozen: true }));
    const { rows } = await rowsOf(client);
    const item = itemOf(rows, "THB_ICE");
    assert.match(String(item.description), /frozen$/);
    assert.equal((item.iconPath as vscode.ThemeIcon).id, "lock");
    assert.equal(item.contextValue, "frozenPair");
  });

  it("says in words that its price is stale, keeping the price", async () => {
    answer(tickerOf("THB_BTC"));
    const { rows, feed } = await rowsOf(client);
    client.tickersAnswer = () => Promise.reject(new NoAnswerError("tickers", "timeout", ""));
    await feed.poll.refresh();
    assert.equal(itemOf(rows, "THB_BTC").description, "100.00  ▲ +1.50%  stale");
  });

  it("tells bid, ask, high, low, volumes and age in its tooltip, and trusts none of the text", async () => {
    answer(tickerOf("THB_BTC", { baseVolume: 1234.5, quoteVolume: 3_600_000_000 }));
    const { rows } = await rowsOf(client);
    const text = tooltipOf(rows, { symbol: "THB_BTC" }).replaceAll("&nbsp;", " ");
    for (const part of ["99.50", "100.50", "110.00", "90.00", "1.23K BTC", "3.6B THB", "ago"]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
  });

  it("is listed by symbol, whatever the order of the answer", async () => {
    answer(tickerOf("THB_ETH"), tickerOf("THB_ADA"), tickerOf("THB_BTC"));
    const { rows } = await rowsOf(client);
    assert.deepEqual(
      rows.getChildren().map(({ symbol }) => symbol),
      ["THB_ADA", "THB_BTC", "THB_ETH"],
    );
    assert.deepEqual(rows.getChildren({ symbol: "THB_ADA" }), []);
  });

  it("is repainted when it changed, and only then", async () => {
    answer(tickerOf("THB_BTC"), tickerOf("THB_ETH"));
    const { feed, fired } = await rowsOf(client);
    assert.deepEqual(fired.splice(0), [undefined]);
    await feed.poll.refresh();
    assert.deepEqual(fired, []);
    answer(tickerOf("THB_BTC", { last: 101 }), tickerOf("THB_ETH"));
    await feed.poll.refresh();
    assert.deepEqual(fired, [["THB_BTC"]]);
  });
});
