import assert from "node:assert/strict";
import type { TreeItem, TreeView, TreeViewOptions } from "vscode";
import type { Desk } from "../../../../src/desk/desk.ts";
import { Event } from "../../../../src/desk/event.ts";
import type { Orders } from "../../../../src/desk/orders/orders.ts";
import type { OrderIntent } from "../../../../src/storage/orders/records.ts";
import type { OwnOrder } from "../../../../src/storage/orders/order.ts";
import type { ViewRow } from "../../../../src/ui/orders/ordersTree.ts";
import { bidIntent } from "../../../support/builders/bidIntent.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, TEST_ACCOUNT, liveAccount } from "../../../support/fakes/venue.ts";
import { HollowTree, loadUi } from "../../../support/fakes/vscode.ts";
import { ownOrder } from "../../../support/builders/ownOrder.ts";
import { practiceAccount } from "../../../../src/market/account.ts";
import { accountsOf } from "../../../support/fakes/accounts.ts";

const { OrdersTree } = await loadUi(() => import("../../../../src/ui/orders/ordersTree.ts"));
const { OrdersView } = await loadUi(() => import("../../../../src/ui/orders/ordersView.ts"));
const { pauseRows } = await loadUi(() => import("../../../../src/ui/paintPause.ts"));

const NOW = new Date(2026, 10, 22, 21, 30).getTime();
const SAVINGS = "2".repeat(16);
const LIVE = "https://api.example.com";

function bidOf(fields: Partial<OrderIntent>, state: OwnOrder["state"] = "accepted"): OwnOrder {
  const at = new Date(2026, 10, 22, 21, 7).getTime();
  const intent = bidIntent({ amount: "5000", rate: "2950000", at, ...fields });
  return ownOrder({ intent, state, since: at, orderId: "1", evidence: [] });
}

/** A desk on the practice exchange, with these orders in the journal. */
async function deskOf(...bids: OwnOrder[]) {
  const venue = await openVenue(new FakeClient());
  let notify = (): void => assert.fail();
  const unreadable = new Event<void>();
  const onDidChange = (listener: () => void) => ((notify = listener), () => undefined);
  const orders = { onDidChange, own: bids, elsewhere: [], skippedLines: [] as unknown[], attention: 0 };
  const following = { unreadable: { isAny: false, onDidChange: unreadable.add } };
  const desk = {
    orders: orders as unknown as Orders,
    venue,
    accounts: accountsOf(),
    timers: new FakeTimers(NOW),
    following,
  };
  const changeTo = (...all: OwnOrder[]): void => {
    orders.own = all;
    notify();
  };
  const setUnreadable = (isUnreadable: boolean): void => {
    following.unreadable.isAny = isUnreadable;
    unreadable.fire();
  };
  return { desk, venue, orders, changeTo, setUnreadable };
}

/** The rows of the Orders view on such a desk. */
async function treeOf(...bids: OwnOrder[]) {
  const { desk, venue, orders, changeTo } = await deskOf(...bids);
  const painted: unknown[] = [];
  const view = new HollowTree() as unknown as TreeView<ViewRow>;
  const tree = new OrdersTree(desk, view, (rows) => painted.push(rows));
  const rowsOf = async (parent?: Parameters<typeof tree.children>[0]) => {
    const rows = tree.children(parent);
    return await Promise.all(rows.map((row) => ({ row, item: tree.item(row) })));
  };
  return { tree, venue, orders, rowsOf, changeTo, painted };
}

const textOf = ({ label, description }: TreeItem): string =>
  `${String(label)}  ${String(description)}`.replaceAll("\u202f", " ");

describe("the Orders view", () => {
  it("shows side, pair, price, state and a short size of an order, and speaks the exact amount", async () => {
    const { rowsOf, tree } = await treeOf(bidOf({}));
    const [row] = await rowsOf();
    assert.equal(row && textOf(row.item), "Buy BTC  2,950,000.00 · Accepted · 5K");
    assert.match(
      row?.item.accessibilityInformation?.label ?? "",
      /^Buy order for BTC\/THB: 5,000\.00 THB at 2,950,000\.00, Accepted$/,
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
      ["Buy BTC/THB", "Buy ETH/USDT"],
    );
    tree.dispose();
  });

  it("shows the orders of the account first, and those of each other one below a collapsed row", async () => {
    const { rowsOf, tree, venue, painted } = await treeOf(
      bidOf({ venue: "live", origin: LIVE, account: TEST_ACCOUNT, base: "ETH" }),
      bidOf({ base: "BTC" }),
      bidOf({ venue: "live", origin: "https://other.example.com", account: SAVINGS, base: "XRP" }),
    );
    const [own, main, savings] = await rowsOf();
    assert.equal(own?.item.label, "Buy BTC");
    assert.equal(main && textOf(main.item), "api.example.com  1 order");
    assert.equal(main?.item.collapsibleState, 1);
    const below = await rowsOf(savings?.row);
    assert.deepEqual(
      below.map(({ item }) => [item.label, String(item.description).split(" · ").at(-1)]),
      [["Buy XRP", "other.example.com"]],
    );
    await venue.select(liveAccount);
    await venue.signIn("wallet");
    assert.ok(painted.length > 0);
    assert.deepEqual(
      (await rowsOf()).map(({ item }) => item.label),
      ["Buy ETH", "other.example.com"],
    );
    tree.dispose();
  });

  it("says that orders could not be read, until they can be", async () => {
    const { desk, setUnreadable } = await deskOf();
    const { view } = new OrdersView(desk as unknown as Desk);
    setUnreadable(true);
    assert.match(view.message ?? "", /^Some orders or fills on the exchange could not be read/);
    setUnreadable(false);
    assert.equal(view.message, undefined);
  });

  it("is repainted after the pause for an input, and at once if the exchange changes", async () => {
    const [here, live] = [
      bidOf({ id: "here" }, "sending"),
      bidOf({ venue: "live", origin: LIVE, account: SAVINGS }),
    ];
    const { desk, venue, changeTo } = await deskOf(here, live);
    const view = new OrdersView(desk as unknown as Desk);
    const painted: unknown[] = [];
    (view.view as unknown as TreeViewOptions<ViewRow>).treeDataProvider.onDidChangeTreeData?.((rows) =>
      painted.push(rows),
    );
    pauseRows();
    changeTo(here);
    assert.deepEqual(painted, []);
    await desk.timers.advance(1000);
    assert.deepEqual(painted, [undefined]);
    pauseRows();
    await venue.select(liveAccount);
    assert.ok(painted.length > 1, "no row of the previous exchange stays");
    view.dispose();
  });

  it("repaints only what changed, because a full refresh undoes a click on a row", async () => {
    const here = bidOf({ id: "here" }, "sending");
    const elsewhere = bidOf({ id: "elsewhere", venue: "live", origin: LIVE, account: SAVINGS }, "unknown");
    const { rowsOf, tree, venue, orders, changeTo, painted } = await treeOf(here, elsewhere);
    orders.skippedLines.push({ file: "orders.log", line: 9, reason: "damaged" });
    changeTo(here, elsewhere);
    const [journal, own, others] = await rowsOf();
    assert.deepEqual([journal?.item.id, own?.item.id], ["skippedLines", "here"]);
    assert.equal(journal?.item.collapsibleState, 2, "the files are shown at once");
    painted.length = 0;
    await venue.select(practiceAccount);
    changeTo(here, elsewhere);
    assert.deepEqual(painted, [], "no row changed");
    changeTo({ ...here, state: "accepted" }, elsewhere);
    assert.deepEqual(painted, [[own?.row]]);
    assert.equal(others?.item.description, "1 order · 1 unknown");
    changeTo({ ...here, state: "accepted" }, { ...elsewhere, state: "accepted" });
    assert.deepEqual(painted.slice(1), [undefined], "the row of the other account changed");
    const [, , after] = await rowsOf();
    assert.equal(after?.item.description, "1 order");
    tree.dispose();
  });

  it("keeps an unknown order of another account visible", async () => {
    const { rowsOf, tree } = await treeOf(
      bidOf({ venue: "live", origin: LIVE, account: SAVINGS }, "unknown"),
    );
    const [others] = await rowsOf();
    assert.equal(others && textOf(others.item), "api.example.com  1 order · 1 unknown");
    assert.equal(others?.item.collapsibleState, 2, "the row is expanded at first");
    const icon = others?.item.iconPath as { id: string } | undefined;
    assert.equal(icon?.id, "warning");
    tree.dispose();
  });
});
