import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { TreeItem, TreeView } from "vscode";
import { Canceller } from "../../../../src/desk/tracking/canceller.ts";
import { OrderTracker } from "../../../../src/desk/tracking/orderTracker.ts";
import type { ViewRow } from "../../../../src/ui/orders/ordersTree.ts";
import { orderContexts } from "../../../../src/contributions.ts";
import {
  acceptedOrder,
  limitOrder,
  openKeyedVenue,
  openOrders,
  venueOf,
} from "../../../support/builders/orderDesk.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, liveAccount } from "../../../support/fakes/venue.ts";
import { HollowTree, loadUi } from "../../../support/fakes/vscode.ts";
import type { Account } from "../../../../src/market/account.ts";
import type { CurrentVenue } from "../../../../src/desk/venue.ts";
import type { Orders } from "../../../../src/desk/orders/orders.ts";
import { isPlaced } from "../../../../src/storage/orders/order.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { afterTest } from "../../../support/afterTest.ts";
import { accountsOf } from "../../../support/fakes/accounts.ts";

const { OrdersTree } = await loadUi(() => import("../../../../src/ui/orders/ordersTree.ts"));
/** Another account at the same exchange. */
const savings: Account = { id: "2".repeat(16), label: "Savings", kind: "live" };
const BTC = { quote: "THB", base: "BTC" };

describe("the orders of another account", () => {
  let directory: string;
  beforeEach(() => {
    directory = temporaryFolder();
  });

  /** A live exchange that lists no open order, with the journal and the view of one window. */
  async function open() {
    const timers = new FakeTimers();
    let key: string | undefined = "first";
    const client = new FakeClient();
    client.clock = { offset: 0, at: timers.now() };
    const asked: (string | undefined)[] = [];
    const none = async () => {
      asked.push(key);
      return { orders: [], unreadable: [] };
    };
    client.capabilities = { openOrders: none, cancelOrder: () => assert.fail("sent") };
    const orders = openOrders(directory, timers, randomUUID);
    const venue = await openKeyedVenue(client, timers, orders, () => key);
    const tracker = new OrderTracker({
      orders,
      venue,
      timers,
      reads: ({ client: { capabilities } }) => capabilities,
      isMine: () => true,
      visiblePairs: () => undefined,
      log: (message) => assert.fail(message),
    });
    const accounts = accountsOf([liveAccount, savings].map(({ id, label }) => ({ id, label, profile: {} })));
    const desk = { orders, venue, timers, accounts };
    const tree = new OrdersTree(desk, new HollowTree() as unknown as TreeView<ViewRow>, () => undefined);
    const switchTo = async (account: Account): Promise<void> => {
      key = account === savings ? "second" : "first";
      await venue.select(account);
      await venue.signIn("wallet");
    };
    const store = (next: string | undefined): void => {
      key = next;
      venue.changeKey();
    };
    const texts = (parent?: ViewRow): string[] =>
      tree.children(parent).flatMap((row) => {
        const item = tree.item(row);
        return [textOf(item), ...texts(row).map((text) => `  ${text}`)];
      });
    afterTest(async () => {
      tracker.dispose();
      tree.dispose();
      await orders.close();
    });
    return { ...desk, client, tracker, tree, asked, store, switchTo, texts };
  }

  const cancellerOf = (orders: Orders, venue: CurrentVenue, confirm: () => Promise<boolean>): Canceller =>
    new Canceller({
      orders,
      venue,
      now: () => 0,
      checkWake: () => undefined,
      isFrozen: () => false,
      confirm,
      check: async () => undefined,
    });

  const textOf = ({ label, description }: TreeItem): string => `${String(label)}  ${String(description)}`;

  it("are listed in grey below its name without Cancel, are not checked, and return with a switch", async () => {
    const { orders, venue, timers, tree, asked, switchTo, texts } = await open();
    const id = await acceptedOrder(orders, venueOf(venue), "7");
    await orders.recordReports([testReport({ status: "open", fills: [testFill("a", "4")] })], venueOf(venue));
    const before = texts();
    assert.match(before.join("\n"), /Open orders {2}1\n {2}Sell BTC {2}100\.00 · 40\.0% of 10\n/);
    await switchTo(savings);
    await timers.advance(300_000);
    assert.deepEqual(asked, []);
    const row = tree.children().find((each) => "orders" in each) ?? assert.fail();
    const item = tree.item(row);
    assert.equal(textOf(item), "Main  1 order");
    const shown = tree.item(tree.children(row)[0] ?? assert.fail());
    assert.match(String(shown.description), / · Main$/);
    assert.equal(shown.contextValue, orderContexts.settled);
    assert.equal((shown.iconPath as { color?: { id: string } }).color?.id, "disabledForeground");
    const ref = venueOf(venue).ref;
    assert.equal(orders.trades?.get(ref, BTC), undefined);
    await switchTo(liveAccount);
    assert.deepEqual(
      orders.own.map(({ intent, state }) => [intent.id, state]),
      [[id, "accepted"]],
    );
    assert.match(texts().join("\n"), /Open orders {2}1\n {2}Sell BTC {2}100\.00 · 40\.0% of 10\n/);
    await timers.advance(5_000);
    assert.equal(asked[0], "first");
  });

  it("are expanded while one of them is unknown", async () => {
    const { orders, venue, tree, switchTo } = await open();
    const order = limitOrder("buy");
    const id = await orders.recordIntent(order, venueOf(venue), undefined);
    await orders.recordOutcome(id, {
      kind: "unknown",
      venue: venueOf(venue),
      order,
      error: new Error("lost"),
    });
    const accountRow = () => {
      const row = tree.children().find((each) => "orders" in each) ?? assert.fail();
      return { row, item: tree.item(row) };
    };
    const isOpen = ({ collapsibleState }: TreeItem) => collapsibleState === 2;
    await switchTo(savings);
    const { row, item } = accountRow();
    assert.equal(textOf(item), "Main  1 order · 1 unknown");
    assert.ok(isOpen(item));
    const [below] = tree.children(row);
    const shown = tree.item(below ?? assert.fail());
    assert.equal((shown.iconPath as { color?: { id: string } }).color?.id, "list.warningForeground");
    assert.equal(shown.contextValue, orderContexts.unsettled);
    await orders.settle(id, { by: "user", as: "notPlaced", evidence: "" });
    const { item: settled } = accountRow();
    assert.equal(textOf(settled), "Main  1 order");
    assert.ok(!isOpen(settled));
    assert.notEqual(settled.id, item.id, "the editor remembers by the id whether a row is open");
  });

  it("are not cancelled if the window switched while the dialog was open", async () => {
    const { orders, venue, switchTo } = await open();
    await acceptedOrder(orders, venueOf(venue), "7");
    await orders.recordReports([testReport({ status: "open" })], venueOf(venue));
    const order = orders.own.find(isPlaced) ?? assert.fail();
    const canceller = cancellerOf(orders, venue, async () => {
      await switchTo(savings);
      return true;
    });
    assert.deepEqual(await canceller.cancel([order]), { kind: "venueChanged" });
  });

  it("are cancelled neither from another account nor with a key that may be another account's", async () => {
    const { orders, venue, switchTo, store } = await open();
    await acceptedOrder(orders, venueOf(venue), "7");
    await orders.recordReports([testReport({ status: "open" })], venueOf(venue));
    const order = orders.own.find(isPlaced) ?? assert.fail();
    const canceller = cancellerOf(orders, venue, () => assert.fail("asked"));
    await switchTo(savings);
    assert.deepEqual(await canceller.cancel([order]), { kind: "otherAccount" });
    await switchTo(liveAccount);
    for (const key of ["second", undefined]) {
      store(key);
      const { kind } = await canceller.cancel([order]);
      assert.equal(kind, "notSignedIn");
    }
  });
});
