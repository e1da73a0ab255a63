import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { TreeItem, TreeView } from "vscode";
import { Canceller } from "../../../../src/desk/tracking/canceller.ts";
import { OrderTracker } from "../../../../src/desk/tracking/orderTracker.ts";
import type { ViewRow } from "../../../../src/ui/orders/ordersTree.ts";
import { orderContexts } from "../../../../src/contributions.ts";
import { pairOf } from "../../../support/builders/client.ts";
import { acceptedOrder, limitOrder, openOrders, venueOf } from "../../../support/builders/orderDesk.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openingOf, currentVenue } from "../../../support/fakes/venue.ts";
import { HollowTree, loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";
import { isPlaced } from "../../../../src/storage/orders/order.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { afterTest } from "../../../support/afterTest.ts";

const { OrdersTree } = await loadUi(() => import("../../../../src/ui/orders/ordersTree.ts"));
const { AccountOffer, askAboutAccount } = await loadUi(
  () => import("../../../../src/ui/orders/accountQuestion.ts"),
);

const BTC = { quote: "THB", base: "BTC" };

describe("the orders of another account", () => {
  let directory: string;
  beforeEach(() => {
    directory = temporaryFolder();
    shownMessages.length = 0;
    person.choose = () => undefined;
  });

  /** A live exchange that lists no open order, with the journal and the view of one window. */
  async function open(firstKey: string) {
    const timers = new FakeTimers();
    let key: string | undefined = firstKey;
    const client = new FakeClient();
    client.clock = { offset: 0, at: timers.now() };
    const asked: (string | undefined)[] = [];
    const none = async () => {
      asked.push(key);
      return { orders: [], unreadable: [] };
    };
    client.capabilities = { openOrders: none, cancelOrder: () => assert.fail("sent") };
    const orders = openOrders(directory, timers, randomUUID);
    const venue = currentVenue({
      open: {
        practice: () => Promise.reject(new Error("unused")),
        live: async () =>
          openingOf("https://api.example.com", {
            credentials: async () => (key === undefined ? undefined : pairOf(key, "secret")),
          }),
      },
      createClient: () => client,
      identify: (apiKey, origin) => orders.identify(apiKey, origin),
      timers,
    });
    await venue.select("live");
    await venue.signIn("wallet");
    const tracker = new OrderTracker({
      orders,
      venue,
      timers,
      reads: ({ client: { capabilities } }) => capabilities,
      isMine: () => true,
      visiblePairs: () => undefined,
      log: (message) => assert.fail(message),
    });
    const desk = { orders, venue, timers };
    const tree = new OrdersTree(desk, new HollowTree() as unknown as TreeView<ViewRow>, () => undefined);
    /** Stores another key, which is not read yet. */
    const store = (next: string | undefined): void => {
      key = next;
      venue.changeKey();
    };
    const signIn = async (next: string | undefined): Promise<void> => {
      store(next);
      await venue.signIn("wallet").catch(() => undefined);
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
    return { ...desk, client, tracker, tree, asked, store, signIn, texts };
  }

  const textOf = ({ label, description }: TreeItem): string =>
    `${String(label)}  ${String(description)}`.replace(/[0-9A-F]{4}(?=\s)|(?<=Account )[0-9A-F]{4}/, "####");

  it("are listed in grey with its name and no Cancel, are not checked, and return with its key", async () => {
    const { orders, venue, timers, tree, asked, signIn, texts } = await open("first");
    const id = await acceptedOrder(orders, venueOf(venue), "7");
    await orders.recordReports([testReport({ status: "open", fills: [testFill("a", "4")] })], venueOf(venue));
    const before = texts();
    assert.match(before.join("\n"), /Open orders {2}1\n {2}Sell BTC {2}100\.00 · 40\.0% of 10\n/);
    await signIn("second");
    await timers.advance(300_000);
    assert.deepEqual(asked, []);
    const row = tree.children().find((each) => "orders" in each);
    assert.ok(row);
    const item = tree.item(row);
    assert.match(textOf(item), /^Account #### {2}1 order · not signed in$/);
    const [order] = tree.children(row);
    assert.ok(order);
    const shown = tree.item(order);
    assert.match(String(shown.description), /40.0%.* · Account [0-9A-F]{4}$/);
    assert.equal(shown.contextValue, orderContexts.settled);
    assert.equal((shown.iconPath as { color?: { id: string } }).color?.id, "disabledForeground");
    assert.equal(orders.trades?.get({ venue: "live", origin: "https://api.example.com" }, BTC), undefined);
    await signIn("first");
    assert.deepEqual(
      orders.own.map(({ intent, state }) => [intent.id, state]),
      [[id, "accepted"]],
    );
    assert.match(texts().join("\n"), /Open orders {2}1\n {2}Sell BTC {2}100\.00 · 40\.0% of 10\n/);
    await timers.advance(5_000);
    assert.equal(asked[0], "first");
  });

  it("stay visible while one of them is unknown, with the real reason why they are not tracked", async () => {
    const { orders, venue, tree, signIn } = await open("first");
    const order = limitOrder("buy");
    const id = await orders.recordIntent(order, venueOf(venue), undefined);
    await orders.recordOutcome(id, {
      kind: "unknown",
      venue: venueOf(venue),
      order,
      error: new Error("lost"),
    });
    const accountRow = () => {
      const row = tree.children().find((each) => "isAnotherSignedIn" in each) ?? assert.fail();
      return { row, item: tree.item(row) };
    };
    const isOpen = ({ collapsibleState }: TreeItem) => collapsibleState === 2;
    await signIn(undefined);
    const { row, item } = accountRow();
    assert.equal(textOf(item), "Account ####  1 order · 1 unknown · not signed in");
    assert.ok(isOpen(item));
    assert.match(String(item.tooltip), /because no API key could be read/);
    assert.notEqual(
      item.contextValue,
      orderContexts.otherAccount,
      "no account is signed in that could be the same",
    );
    const [below] = tree.children(row);
    const shown = tree.item(below ?? assert.fail());
    assert.equal((shown.iconPath as { color?: { id: string } }).color?.id, "list.warningForeground");
    assert.equal(shown.contextValue, orderContexts.unsettled);
    await signIn("second");
    const { item: whileAnother } = accountRow();
    assert.ok(isOpen(whileAnother));
    assert.match(String(whileAnother.tooltip), /because they may belong to another account/);
    assert.equal(whileAnother.contextValue, orderContexts.otherAccount);
    await orders.settle(id, { by: "user", as: "notPlaced", evidence: "" });
    const { item: settled } = accountRow();
    assert.equal(textOf(settled), "Account ####  1 order · not signed in");
    assert.ok(!isOpen(settled));
    assert.notEqual(settled.id, item.id, "the editor remembers by the id whether a row is open");
  });

  it("are not cancelled if the key changed while the dialog was open", async () => {
    const { orders, venue, client, signIn } = await open("first");
    await acceptedOrder(orders, venueOf(venue), "7");
    await orders.recordReports([testReport({ status: "open" })], venueOf(venue));
    const order = orders.own.find(isPlaced);
    assert.ok(order);
    const canceller = new Canceller({
      orders,
      venue,
      now: () => 0,
      checkWake: () => undefined,
      isFrozen: () => false,
      confirm: async () => {
        await signIn("second");
        return true;
      },
      check: async () => undefined,
    });
    assert.deepEqual(await canceller.cancel([order]), {
      kind: "accountChanged",
    });
    assert.equal(client.calls.placeOrder, 0);
  });

  it("are not cancelled with a key that is first read for the cancellation", async () => {
    const { orders, venue, store } = await open("first");
    await acceptedOrder(orders, venueOf(venue), "7");
    await orders.recordReports([testReport({ status: "open" })], venueOf(venue));
    const order = orders.own.find(isPlaced);
    assert.ok(order);
    store("second");
    const canceller = new Canceller({
      orders,
      venue,
      now: () => 0,
      checkWake: () => undefined,
      isFrozen: () => false,
      confirm: () => assert.fail("asked"),
      check: async () => undefined,
    });
    assert.deepEqual(await canceller.cancel([order]), { kind: "otherAccount" });
    store(undefined);
    const { kind } = await canceller.cancel([order]);
    assert.equal(kind, "notSignedIn");
  });

  it("join the account after one confirmation, asked once", async () => {
    const { orders, venue, timers, signIn, texts, tree } = await open("first");
    await acceptedOrder(orders, venueOf(venue), "7");
    await signIn("second");
    const offer = new AccountOffer({ orders, venue });
    await offer.offer(tree.list.accounts);
    await offer.offer(tree.list.accounts);
    assert.equal(shownMessages.length, 1);
    assert.match(shownMessages[0]?.text ?? "", /placed with another API key \(Account [0-9A-F]{4}\)/);
    const other = tree.list.accounts[0] ?? assert.fail();
    person.choose = () => "Different Account";
    await askAboutAccount({ orders, venue }, other.account);
    await venue.signIn("wallet");
    assert.match(texts().join("\n"), /not signed in/);
    await new AccountOffer({ orders, venue }).offer(tree.list.accounts);
    assert.equal(
      shownMessages.filter(({ text }) => text.includes("another API key (")).length,
      1,
      "answered on disk",
    );
    await timers.advance(1);
    person.choose = () => "Same Account";
    await askAboutAccount({ orders, venue }, other.account);
    await venue.signIn("wallet");
    assert.deepEqual([tree.list.accounts, tree.list.here.length], [[], 1]);
    await signIn("first");
    assert.deepEqual([tree.list.accounts, tree.list.here.length], [[], 1], "with either key");
    await signIn("second");
    assert.deepEqual(orders.mergedWith(venueOf(venue)), [other.account]);
    await timers.advance(1);
    person.choose = () => "Different Account";
    await askAboutAccount({ orders, venue }, other.account);
    await venue.signIn("wallet");
    assert.deepEqual(
      [tree.list.accounts.map(({ account }) => account), tree.list.here.length],
      [[other.account], 0],
      "the answer can be taken back",
    );
    await signIn("first");
    assert.equal(tree.list.here.length, 1);
  });
});
