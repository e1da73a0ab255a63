import assert from "node:assert/strict";
import type * as vscode from "vscode";
import type { WatchLists } from "../../../src/desk/watchLists/watchLists.ts";
import { NoResponseError } from "../../../src/exchange/errors.ts";
import type { WalletRow } from "../../../src/ui/wallet/walletRows.ts";
import { openTestDesk, readAll, unattended } from "../../support/desks/testDesk.ts";
import { favouritesOf, listsStore } from "../../support/fakes/watchLists.ts";
import { FakeTimers } from "../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../../support/fakes/venue.ts";
import { bringToFront, HollowTree, loadUi, shownMessages, WindowParts } from "../../support/fakes/vscode.ts";

const { commandIds } = await import("../../../src/contributions.ts");
const { registerCommands } = await loadUi(() => import("../../../src/ui/commands.ts"));
const { MarketRows } = await loadUi(() => import("../../../src/ui/markets/marketRows.ts"));
const { PausedPainting } = await loadUi(() => import("../../../src/ui/paintPause.ts"));
const { WalletRows } = await loadUi(() => import("../../../src/ui/wallet/walletRows.ts"));

/** Registers a row's command in a window of its own, and calls it as the editor does. */
function pinCommand() {
  const calls: unknown[][] = [];
  const parts = new WindowParts();
  bringToFront(parts);
  registerCommands({ pin: (...given) => calls.push(given) });
  shownMessages.length = 0;
  return { calls, call: (...given: unknown[]) => parts.commands.get(commandIds.pin)?.(...given) };
}

describe("a command of a row", () => {
  it("does nothing and says so if the editor, refreshing all rows, passes no row", () => {
    const { calls, call } = pinCommand();
    call(undefined, undefined);
    assert.deepEqual(calls, []);
    assert.match(shownMessages[0]?.text ?? "", /^Nothing was done.* Try again\.$/);
  });

  it("runs with its row, and from the palette, which passes no argument", () => {
    const { calls, call } = pinCommand();
    const row = { symbol: "THB_BTC" };
    call(row, undefined);
    call();
    assert.deepEqual(calls, [[row, undefined], []]);
    assert.deepEqual(shownMessages, []);
  });

  it("does not delay lists that rarely change, so its effect is visible at once", () => {
    const painted: unknown[] = [];
    const painting = new PausedPainting<string>(new FakeTimers(), (rows) => painted.push(rows));
    pinCommand().call({ symbol: "THB_BTC" });
    painting.paint(["row"]);
    assert.deepEqual(painted, [["row"]]);
    painting.dispose();
  });
});

async function marketRows(given: Partial<WatchLists> = {}) {
  const client = new FakeClient();
  const answer = (...changes: number[]): void => {
    const symbols = ["THB_BTC", "THB_ETH", "THB_XRP"];
    const tickers = changes.map((percentChange, at) => tickerOf(symbols[at] ?? "", { percentChange }));
    client.tickersAnswer = () => Promise.resolve(snapshotOf(...tickers));
  };
  answer(3, 2, 1);
  const timers = new FakeTimers();
  const { tickers } = await openTestDesk({ client, timers, window: unattended });
  const list = listsStore(favouritesOf([], { sort: { by: "change", down: true }, ...given }));
  const rows = new MarketRows(tickers, list, timers);
  await tickers.refresh();
  // As the editor does.
  rows.getChildren();
  const painted: (readonly string[] | "all rows are read")[] = [];
  rows.onDidChangeTreeData((changed) =>
    painted.push(changed ? [changed].flat().map(({ symbol }) => symbol) : "all rows are read"),
  );
  const read = (): Promise<unknown> => tickers.refresh();
  return { client, answer, timers, list, rows, painted, read };
}

const ALL = ["THB_BTC", "THB_ETH", "THB_XRP"];

describe("the rows of Markets", () => {
  it("are repainted in place while their order is unchanged: pinned, stale, with longer prices", async () => {
    const { client, answer, list, painted, read } = await marketRows();
    await list.change((before) => ({ ...before, pinned: ["ETH/THB"] }));
    answer(300, 2, 1);
    await read();
    const { call } = pinCommand();
    call({ symbol: "THB_ETH" });
    answer(1, 2, 3);
    await read();
    await list.change((before) => ({ ...before, pinned: [] }));
    client.tickersAnswer = () => Promise.reject(new NoResponseError("tickers", "timeout", "server"));
    await read();
    assert.ok(painted.length >= 2);
    for (const each of painted) assert.deepEqual(each, ALL);
  });

  it("are all refreshed if their order changes", async () => {
    const { answer, painted, read } = await marketRows();
    answer(1, 2, 3);
    await read();
    assert.deepEqual(painted, ["all rows are read"]);
  });

  it("leave a row alone for 5 s after its tooltip opens, whether its price is streamed or polled", async () => {
    const { answer, timers, rows, painted, read } = await marketRows();
    const row = rows.getChildren().find(({ symbol }) => symbol === "THB_BTC") ?? assert.fail();
    await rows.resolveTreeItem(rows.getTreeItem(row), row);
    answer(3.5, 2.5, 1);
    await read();
    assert.deepEqual(painted, [["THB_ETH"]]);
    await timers.advance(5000);
    assert.deepEqual(painted, [["THB_ETH"], ["THB_BTC"]]);
  });

  it("are not repainted for a second after a row command, so the page it opens keeps the focus", async () => {
    const { answer, timers, rows, painted, read } = await marketRows();
    const { call } = pinCommand();
    call({ symbol: "THB_BTC" }, undefined);
    answer(1, 2, 3);
    await read();
    await timers.advance(900);
    assert.deepEqual(painted, []);
    await timers.advance(100);
    assert.deepEqual(painted, ["all rows are read"]);
    rows.getChildren();
    answer(1, 2, 4);
    await read();
    assert.deepEqual(painted[1], ["THB_XRP"]);
  });
});

describe("the rows of Wallet, whose values change with every price", () => {
  it("are repainted in place while the assets are the same, but not under a tooltip", async () => {
    const client = new FakeClient();
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "1000", BTC: "0.5" }));
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 40_000 })));
    const timers = new FakeTimers();
    const desk = await openTestDesk({ client, timers, window: unattended });
    await readAll(desk);
    const tree = new HollowTree();
    tree.setVisible(true);
    const drawn: (WalletRow[] | undefined)[] = [];
    const rows = new WalletRows(desk, tree as unknown as vscode.TreeView<WalletRow>, (each) =>
      drawn.push(each),
    );
    const first = rows.children();
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 50_000 })));
    await desk.tickers.refresh();
    const after = drawn.at(-1) ?? assert.fail("All rows are read again.");
    assert.equal(after.length, 3);
    after.forEach((row, at) => assert.equal(row, first[at], "the editor knows a row by its object"));
    assert.match(String(rows.item(after[1] ?? assert.fail()).description), /25,000\.00/);

    drawn.length = 0;
    rows.holdTooltip();
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 60_000 })));
    await desk.tickers.refresh();
    assert.deepEqual(drawn, [], "a repaint would close the tooltip");
    await timers.advance(5000);
    assert.equal(drawn.length, 1);

    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "1000", BTC: "0.5", ETH: "1" }));
    await desk.balances.refresh();
    assert.equal(drawn.at(-1), undefined, "another asset is another row");
  });
});
