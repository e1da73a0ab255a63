import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type * as vscode from "vscode";
import { commandIds, settingKeys } from "../../../../src/contributions.ts";
import type { WalletRow } from "../../../../src/ui/wallet/walletRows.ts";
import { heldElsewhere } from "../../../support/builders/heldElsewhere.ts";
import { openTestDesk, readAll, testLog, unattended } from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../../../support/fakes/venue.ts";
import { HollowTree, loadUi, typed, userSettings } from "../../../support/fakes/vscode.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { WalletRows } = await loadUi(() => import("../../../../src/ui/wallet/walletRows.ts"));

const { askHiddenBelow } = await loadUi(() => import("../../../../src/ui/wallet/smallBalances.ts"));

const WALLET = { THB: "1030000", BTC: "0.5", ETH: "0.0001", AIR: "777" };

async function walletItems(
  wallet: Readonly<Record<string, string>> = WALLET,
): Promise<{ items: vscode.TreeItem[]; tree: HollowTree }> {
  const client = new FakeClient();
  client.walletAnswer = () => Promise.resolve(walletOf(wallet));
  client.tickersAnswer = () =>
    Promise.resolve(
      snapshotOf(
        tickerOf("THB_BTC", { last: 40_000, percentChange: 25 }),
        tickerOf("THB_ETH", { last: 5000, percentChange: -0.5 }),
        tickerOf("THB_DOGE", { last: 1, percentChange: 0 }),
      ),
    );
  const desk = await openTestDesk({ client, timers: new FakeTimers(), window: unattended });
  await readAll(desk);
  const tree = new HollowTree();
  const view = tree as unknown as vscode.TreeView<WalletRow>;
  const rows = new WalletRows(desk, view, () => undefined);
  return { items: rows.children().map((row) => rows.item(row)), tree };
}

/** The text without the spaces of its columns. */
const cells = ({ label, description }: vscode.TreeItem): string[] => [
  String(label),
  ...String(description)
    .split("\u2003")
    .map((cell) => cell.replaceAll(/[\u2005\u2007\u2008\u200A]/g, ""))
    .filter(Boolean),
];

describe("the rows of Wallet", () => {
  it("begin with the quantity, then show value and change in uniform columns, with no arrow beside the icon", async () => {
    const { items, tree } = await walletItems();
    assert.deepEqual(items.map(cells), [
      ["Total", "1,050,000.50", "+0.38%", "without AIR"],
      ["THB", "1,030,000.00"],
      ["BTC", "0.5", "20,000.00", "+25.00%"],
      ["ETH", "0.0001", "0.50", "-0.50%"],
      ["AIR", "777", "no pair with THB"],
    ]);
    for (const { description } of items) assert.doesNotMatch(String(description), /[▲▼]/);
    assert.equal((tree as { description?: string }).description, "THB", "the asset of all values");
  });

  it("gather balances below the user's threshold in one row, and keep those of unknown value", async () => {
    try {
      userSettings.set(settingKeys.hideBelow, "10");
      const { items } = await walletItems({ ...WALLET, DOGE: "3" });
      assert.deepEqual(items.map(cells), [
        ["Total", "1,050,003.50", "+0.38%", "without AIR"],
        ["THB", "1,030,000.00"],
        ["BTC", "0.5", "20,000.00", "+25.00%"],
        ["AIR", "777", "no pair with THB"],
        ["2 small balances", "3.50"],
      ]);
      assert.equal(items.at(-1)?.tooltip, "DOGE, ETH");
    } finally {
      userSettings.delete(settingKeys.hideBelow);
    }
  });

  it("are hidden below what the user types, until the user types 0", async () => {
    const client = new FakeClient();
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "100" }));
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC")));
    const desk = await openTestDesk({ client, timers: new FakeTimers(), window: unattended });
    await readAll(desk);
    typed.splice(0, typed.length, "฿1,234.5", "0");
    await askHiddenBelow(desk);
    assert.equal(userSettings.get(settingKeys.hideBelow), "1234.5");
    await askHiddenBelow(desk);
    assert.equal(userSettings.get(settingKeys.hideBelow), undefined);
  });

  it("list holdings elsewhere below their value, which the total includes, with place and cost", async () => {
    const client = new FakeClient();
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "1000" }));
    client.tickersAnswer = () =>
      Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 40_000, percentChange: 25 })));
    const storage = temporaryFolder();
    const desk = await openTestDesk({ client, timers: new FakeTimers(), window: unattended, storage });
    await readAll(desk);
    desk.elsewhere.put(heldElsewhere({ quantity: "0.5", cost: ["THB", "15000"] }));
    desk.elsewhere.put(heldElsewhere({ asset: "AIR", quantity: "777", place: "" }));
    const rows = new WalletRows(
      desk,
      new HollowTree() as unknown as vscode.TreeView<WalletRow>,
      () => undefined,
    );
    const top = rows.children();
    const shown = (row: WalletRow): string[] => cells(rows.item(row));
    assert.deepEqual(top.map(shown), [
      ["Total", "21,000.00", "+23.53%", "without AIR"],
      ["THB", "1,000.00"],
      ["Elsewhere", "20,000.00"],
    ]);
    const held = rows.children(top.at(-1));
    assert.deepEqual(held.map(shown), [
      ["BTC", "0.5", "20,000.00", "+25.00%", "cold wallet"],
      ["AIR", "777", "no pair with THB"],
    ]);
    const figures = rows.children(held[0]).map(shown);
    assert.deepEqual(figures.slice(-2), [
      ["Cost", "15,000.00 THB"],
      ["Unrealised result", "▲ +33.33% (+5,000.00 THB)"],
    ]);
    const [btc, air] = held.map((row) => rows.item(row));
    assert.equal(btc?.contextValue, "pricedElsewhere", "no menu of a balance, which can be sold");
    assert.equal(btc.command?.title, "Open Chart");
    assert.equal(air?.contextValue, "heldElsewhere", "no pair to show or to list");
    assert.equal(
      btc?.accessibilityInformation?.label,
      "BTC, 0.5, cold wallet, 20,000.00 THB, 95.2% of the total, +25.00% in 24 hours",
    );
  });

  it("say that holdings elsewhere are unknown while their file is damaged", async () => {
    const storage = temporaryFolder();
    writeFileSync(join(storage, "holdings.json"), "{");
    const client = new FakeClient();
    const log = { ...testLog, error: () => undefined };
    const desk = await openTestDesk({ client, timers: new FakeTimers(), window: unattended, storage, log });
    const rows = new WalletRows(
      desk,
      new HollowTree() as unknown as vscode.TreeView<WalletRow>,
      () => undefined,
    );
    const items = rows.children().map((row) => rows.item(row));
    assert.deepEqual(cells(items.at(-1) ?? assert.fail()), ["Elsewhere", "unknown"]);
  });

  it("align the decimal points of all values", async () => {
    const { items } = await walletItems();
    // The last em space before the quantity ends the label column; digits and figure spaces are equally wide.
    const lines = items
      .slice(0, 4)
      .map(({ description }) => /[\u2007\u2008\d].*$/.exec(String(description))?.[0] ?? "");
    const columns = lines.map((line) => line.split("\u2003"));
    const points = columns.map(([, value = ""]) => value.indexOf("."));
    assert.equal(new Set(points).size, 1, points.join());
  });

  it("cut long quantities, and show every digit in the tooltip", async () => {
    const { items } = await walletItems({
      THB: "1",
      BTC: "0.08924951",
      ETH: "0.0000012345",
      DOGE: "1234567.89",
    });
    assert.deepEqual(
      items.slice(1).map((item) => cells(item)[1]),
      ["1,234,567", "0.089249", "1.00", "0.0000012"],
    );
    assert.match(String((items[2]?.tooltip as vscode.MarkdownString | undefined)?.value), /0\.08924951/);
  });

  it("show money with its currency's decimals in tooltips, and never more of it than there is", async () => {
    const { items } = await walletItems({ ...WALLET, THB: "24889.678637648", BTC: "0.123456789" });
    const [total = "", money = "", bitcoin = ""] = items.map(({ tooltip }) =>
      (tooltip as vscode.MarkdownString).value.replaceAll("&nbsp;", " "),
    );
    assert.match(money, /Available \| 24,889\.67 THB/);
    assert.match(bitcoin, /Available \| 0\.123456789 BTC[^]*Value \| 4,938\.27 THB/);
    assert.match(total, /Value \| 29,828\.45 THB/);
  });

  it("open the chart of the pair that prices an asset", async () => {
    const { items } = await walletItems();
    const clickable = items.filter(({ command }) => command?.command === commandIds.previewAsset);
    assert.deepEqual(
      clickable.map(({ label }) => label),
      ["BTC", "ETH"],
    );
  });

  it("give screen readers the quantity, and every figure with its unit", async () => {
    const { items } = await walletItems();
    assert.deepEqual(
      items.map(({ accessibilityInformation }) => accessibilityInformation?.label),
      [
        "Total, 1,050,000.50 THB without AIR, +0.38% in 24 hours",
        "THB, 1,030,000.00, 98.1% of the total",
        "BTC, 0.5, 20,000.00 THB, 1.9% of the total, +25.00% in 24 hours",
        "ETH, 0.0001, 0.50 THB, 0.0% of the total, -0.50% in 24 hours",
        "AIR, 777, no pair with THB",
      ],
    );
  });
});
