import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { viewIds } from "../../../../src/contributions.ts";
import type { MarketRow, MarketRows } from "../../../../src/ui/markets/marketRows.ts";
import { close, openTestDesk, readAll, unattended } from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../../../support/fakes/venue.ts";
import { bringToFront, loadUi, WindowParts } from "../../../support/fakes/vscode.ts";

const { ActivePair } = await loadUi(() => import("../../../../src/ui/activePair.ts"));
const { Markets } = await loadUi(() => import("../../../../src/ui/markets/markets.ts"));

describe("hovering over the rows of Markets", () => {
  it("sends no request: the tooltips have what the window knows", async () => {
    const parts = new WindowParts();
    bringToFront(parts);
    const asked: string[] = [];
    const offer = (name: string) => () => {
      asked.push(name);
      return Promise.reject(new Error(name));
    };
    const client = new FakeClient();
    const names = ["depth", "trades", "openOrders", "orderInfo", "orderHistory"] as const;
    client.capabilities = Object.fromEntries(names.map((name) => [name, offer(name)]));
    Object.assign(client, { history: offer("history") });
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC"), tickerOf("THB_ETH")));
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "1000", BTC: "0.5" }));
    const desk = await openTestDesk({ client, timers: new FakeTimers(), window: unattended });
    const markets = new Markets(desk, new ActivePair(desk.tickers));
    try {
      await readAll(desk);
      const before = [{ ...client.calls }, [...asked]];
      const tree = parts.trees.get(viewIds.markets) as unknown as { readonly treeDataProvider: MarketRows };
      const rows = tree.treeDataProvider;
      const tooltips = await Promise.all(
        rows.getChildren().map(async (row: MarketRow) => {
          const { tooltip } = await rows.resolveTreeItem(rows.getTreeItem(row), row);
          return (tooltip as vscode.MarkdownString).value;
        }),
      );
      assert.equal(tooltips.length, 2);
      assert.match(tooltips.join("\n"), /Your balance \| 0\.5 BTC/);
      assert.deepEqual([{ ...client.calls }, [...asked]], before);
    } finally {
      markets.dispose();
      await close(desk);
    }
  });
});
