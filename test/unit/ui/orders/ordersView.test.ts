import assert from "node:assert/strict";
import type { TreeItem } from "vscode";
import type { Orders } from "../../../../src/desk/orders/orders.ts";
import type { OrderIntent } from "../../../../src/storage/orders/records.ts";
import type { RecordedOrder } from "../../../../src/storage/orders/replay.ts";
import { bidIntent } from "../../../support/builders/bidIntent.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { OrdersView } = await loadUi(() => import("../../../../src/ui/orders/ordersView.ts"));

const NOW = new Date(2026, 10, 22, 21, 30).getTime();
const LIVE = "https://api.example.com";

function bidOf(fields: Partial<OrderIntent>, state: RecordedOrder["state"] = "accepted"): RecordedOrder {
  const at = new Date(2026, 10, 22, 21, 7).getTime();
  const intent = bidIntent({ amount: "5000", rate: "2950000", at, ...fields });
  return { intent, state, since: at, orderId: "1", evidence: [] };
}

/** The Orders view on the practice exchange, with these orders in the journal. */
async function treeOf(...bids: RecordedOrder[]) {
  const venue = await openVenue(new FakeClient());
  const orders = { onDidChange: () => () => undefined, all: bids, skippedLines: [], attention: 0 };
  const tree = new OrdersView({ orders: orders as unknown as Orders, venue, timers: new FakeTimers(NOW) });
  const rowsOf = async (parent?: Parameters<typeof tree.getChildren>[0]) => {
    const rows = await tree.getChildren(parent);
    return await Promise.all(rows.map(async (row) => ({ row, item: await tree.getTreeItem(row) })));
  };
  return { tree, venue, rowsOf };
}

const textOf = ({ label, description }: TreeItem): string =>
  `${String(label)}  ${String(description)}`.replaceAll("\u202f", " ");

// U4
describe("the Orders view", () => {
  it("shows the amount, rate, state and time of an order", async () => {
    const { rowsOf, tree } = await treeOf(bidOf({}));
    const [row] = await rowsOf();
    assert.equal(row && textOf(row.item), "BTC  5,000.00 @ 2,950,000.00 · Accepted · 9:07 PM");
    assert.match(
      row?.item.accessibilityInformation?.label ?? "",
      /^Bid for BTC\/THB: 5,000\.00 THB at 2,950,000\.00, Accepted, 9:07\sPM$/,
    );
    tree.dispose();
  });

  it("names the quote asset if the orders have several", async () => {
    const { rowsOf, tree } = await treeOf(
      bidOf({}),
      bidOf({ symbol: "USDT_ETH", quote: "USDT", base: "ETH" }),
    );
    assert.deepEqual(
      (await rowsOf()).map(({ item }) => item.label),
      ["BTC/THB", "ETH/USDT"],
    );
    tree.dispose();
  });

  it("shows the orders of the open exchange first, and all others below one collapsed row", async () => {
    const { rowsOf, tree, venue } = await treeOf(
      bidOf({ venue: "live", origin: LIVE, base: "ETH" }),
      bidOf({ base: "BTC" }),
      bidOf({ venue: "live", origin: "https://other.example.com", base: "XRP" }),
    );
    const [own, others] = await rowsOf();
    assert.equal(own?.item.label, "BTC");
    assert.equal(others && textOf(others.item), "Other exchanges  2 orders");
    assert.equal(others?.item.collapsibleState, 1);
    const below = await rowsOf(others?.row);
    assert.deepEqual(
      below.map(({ item }) => [item.label, String(item.description).split(" · ").at(-1)]),
      [
        ["ETH", "api.example.com"],
        ["XRP", "other.example.com"],
      ],
    );
    const repainted: unknown[] = [];
    tree.onDidChangeTreeData((rows) => repainted.push(rows));
    await venue.select("live");
    assert.ok(repainted.length > 0);
    assert.deepEqual(
      (await rowsOf()).map(({ item }) => item.label),
      ["ETH", "Other exchanges"],
    );
    tree.dispose();
  });

  it("keeps an unknown order of another exchange visible", async () => {
    const { rowsOf, tree } = await treeOf(bidOf({ venue: "live", origin: LIVE }, "unknown"));
    const [others] = await rowsOf();
    assert.equal(others && textOf(others.item), "Other exchanges  1 order · 1 unknown");
    assert.equal(others?.item.collapsibleState, 2, "the row is expanded at first");
    const icon = others?.item.iconPath as { id: string } | undefined;
    assert.equal(icon?.id, "warning");
    tree.dispose();
  });
});
