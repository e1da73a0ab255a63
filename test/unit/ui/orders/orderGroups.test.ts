import assert from "node:assert/strict";
import type { TreeItem, TreeView } from "vscode";
import type { OrderFollowing } from "../../../../src/desk/tracking/orderFollowing.ts";
import type { CancelTarget } from "../../../../src/desk/tracking/canceller.ts";
import type { Orders } from "../../../../src/desk/orders/orders.ts";
import type { AccountRef } from "../../../../src/market/order.ts";
import { Event } from "../../../../src/desk/event.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { OrderName } from "../../../../src/market/order.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import { type CancelRecord, recordsOf } from "../../../../src/storage/orders/placedOrderRecords.ts";
import type { OrderIntent, OrderRecord } from "../../../../src/storage/orders/records.ts";
import type { SentOrder } from "../../../../src/storage/orders/order.ts";
import type { ViewRow } from "../../../../src/ui/orders/ordersTree.ts";
import { bidIntent } from "../../../support/builders/bidIntent.ts";
import { fold, foldedOrders } from "../../../support/builders/foldedOrders.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, liveAccount } from "../../../support/fakes/venue.ts";
import { HollowTree, loadUi, person, shownMessages, userSettings } from "../../../support/fakes/vscode.ts";
import { settingKeys } from "../../../../src/contributions.ts";
import { afterTest } from "../../../support/afterTest.ts";
import { practiceAccount } from "../../../../src/market/account.ts";
import { accountsOf } from "../../../support/fakes/accounts.ts";

const { OrdersTree } = await loadUi(() => import("../../../../src/ui/orders/ordersTree.ts"));
const { OrderRow } = await loadUi(() => import("../../../../src/ui/orders/orderRows.ts"));
const { orderTooltip } = await loadUi(() => import("../../../../src/ui/orders/orderText.ts"));
const { shownAmounts } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));
const { cancelOrder, cancelAllOfPair } = await loadUi(
  () => import("../../../../src/ui/orders/cancelOrders.ts"),
);

const NOW = new Date(2026, 10, 22, 21, 30).getTime();
const PLACED = NOW - 180_000;
const PRACTICE = { venue: "practice", origin: "http://127.0.0.1:1" } as const;

/** An accepted order to sell 10 BTC at 100 THB. */
function askOf(orderId: string, fields: Partial<OrderIntent> = {}): SentOrder {
  const intent = bidIntent({
    ...PRACTICE,
    id: `own-${orderId}`,
    side: "sell",
    amount: "10",
    quantity: "1000",
    rate: "100",
    at: PLACED,
    ...fields,
  });
  return { intent, state: "accepted", since: PLACED, orderId, evidence: [] };
}

function recordsOfSent({ intent, state, since: at, orderId }: SentOrder): OrderRecord[] {
  const outcome = { kind: "outcome", id: intent.id, at } as const;
  const end: OrderRecord =
    state === "accepted"
      ? { ...outcome, state, orderId }
      : state === "rejected"
        ? { ...outcome, state, code: 18 }
        : { ...outcome, state: state === "notSent" ? state : "unknown", reason: "timeout" };
  return [{ kind: "intent", ...intent }, end];
}

/** The Orders view on an exchange that reports order status. */
async function groupedView() {
  const client = new FakeClient();
  const none = () => Promise.resolve({ orders: [], unreadable: [] });
  client.capabilities = { openOrders: none, cancelOrder: () => Promise.resolve("accepted" as const) };
  const venue = await openVenue(client);
  let folded = foldedOrders();
  let placed: readonly string[] = [];
  const reports: OrderRecord[] = [];
  const changed = new Event<void>();
  const orders = {
    onDidChange: changed.add,
    /** In the order of `place`. */
    get own() {
      const byId = new Map(folded.own.map((order) => [order.id, order]));
      return placed.flatMap((id) => byId.get(id) ?? []);
    },
    get elsewhere() {
      return folded.elsewhere;
    },
    get: (name: OrderName) => folded.get(name),
    get trades() {
      return folded.trades;
    },
    skippedLines: [],
    attention: 0,
  };
  const timers = new FakeTimers(NOW);
  const desk = { orders: orders as unknown as Orders, venue, timers, accounts: accountsOf() };
  const painted: unknown[] = [];
  const view = new HollowTree();
  const tree = new OrdersTree(desk, view as unknown as TreeView<ViewRow>, (rows) => painted.push(rows));
  const add = (...records: OrderRecord[]): void => {
    for (const record of records) reports.push(record);
    fold(folded, ...records);
    changed.fire();
  };
  const reportAt = (place: AccountRef, ...reports: OrderReport[]): void => {
    add(...reports.flatMap((report) => recordsOf(report, place, Math.min(report.askedAt, timers.now()))));
  };
  const absent = (orderId: string, at = timers.now()): void => {
    const { symbol, pair, side } = testReport();
    add({ kind: "absent", at, ...PRACTICE, orderId, symbol, ...pair, side });
  };
  const report = (...reports: OrderReport[]): void => reportAt(PRACTICE, ...reports);
  const rowsOf = async (parent?: Parameters<typeof tree.children>[0]) => {
    const rows = tree.children(parent);
    return await Promise.all(rows.map((row) => ({ row, item: tree.item(row) })));
  };
  /** Each group with the texts of its rows. */
  const texts = async (): Promise<Record<string, string[]>> => {
    const groups = await rowsOf();
    const pairs = groups.map(async ({ row, item }) => [
      textOf(item),
      (await rowsOf(row)).map((each) => textOf(each.item)),
    ]);
    return Object.fromEntries(await Promise.all(pairs)) as Record<string, string[]>;
  };
  const place = (...all: SentOrder[]): void => {
    placed = all.map(({ intent }) => intent.id);
    folded = foldedOrders(...all.flatMap(recordsOfSent), ...reports);
    changed.fire();
  };
  const cancelAt = (step: CancelRecord["step"], orderId: string, at = timers.now()): void => {
    const [record] = recordsOf(testReport({ orderId }), PRACTICE, at);
    assert.ok(record);
    const { venue: id, origin, symbol, quote, base, side } = record;
    add({ kind: "cancel", at, venue: id, origin, orderId, symbol, quote, base, side, step });
  };
  afterTest(() => tree.dispose());
  return { tree, view, venue, timers, rowsOf, texts, place, report, reportAt, absent, painted, cancelAt };
}

const textOf = ({ label, description }: TreeItem): string =>
  `${String(label)}  ${String(description)}`.replaceAll("\u202f", " ");

describe("the groups of the Orders view", () => {
  beforeEach(() => {
    shownMessages.length = 0;
    userSettings.clear();
    person.choose = () => undefined;
  });

  it("separate orders that need action, open orders and order history", async () => {
    const { texts, place, report, absent } = await groupedView();
    place(
      { ...askOf("0"), orderId: undefined, state: "unknown" },
      askOf("1"),
      askOf("2"),
      askOf("3"),
      askOf("4"),
      askOf("5"),
      askOf("6"),
      { ...askOf("7"), orderId: undefined, state: "rejected" },
    );
    const end = (orderId: string, changes: Partial<OrderReport>) => testReport({ orderId, ...changes });
    report(
      end("2", { status: "open", fills: [testFill("a", "4.52")] }),
      end("3", { status: "filled", fills: [testFill("a", "10", "101.5")] }),
      end("4", { status: "cancelled", fills: [testFill("a", "2.5")] }),
      end("5", { status: "cancelled" }),
    );
    for (const ms of [61_000, 0]) absent("6", NOW - ms);
    assert.deepEqual(await texts(), {
      "Action needed  1": ["Sell BTC  100.00 · Unknown · 10"],
      "Open orders  3": [
        "Sell BTC  100.00 · 0% of 10",
        "Sell BTC  100.00 · 45.2% of 10",
        "Sell BTC  100.00 · Not listed · 0% of 10",
      ],
      "Order history  4": [
        "Sell BTC  101.50 · Filled · 10",
        "Sell BTC  100.00 · 25.0% filled, then cancelled · 10",
        "Sell BTC  100.00 · Cancelled · 10",
        "Sell BTC  100.00 · Rejected · 10",
      ],
    });
  });

  it("show an order as ended once it is missing after its cancellation, and as open once two lists show it", async () => {
    const { timers, texts, place, report, absent, cancelAt } = await groupedView();
    place(askOf("1"));
    for (const ms of [61_000, 0]) absent("1", NOW - ms);
    cancelAt("notOpen", "1");
    assert.deepEqual(Object.values(await texts()).flat(), ["Sell BTC  100.00 · Not listed · 0% of 10"]);
    await timers.advance(30_000);
    absent("1");
    assert.deepEqual(Object.values(await texts()).flat(), ["Sell BTC  100.00 · Ended, outcome unknown · 10"]);
    for (const ms of [1, 2001]) {
      await timers.advance(ms);
      report(testReport({ source: "list", orderId: "1", status: "open" }));
    }
    assert.deepEqual(Object.values(await texts()).flat(), ["Sell BTC  100.00 · 0% of 10"]);
  });

  it("say that a stop order waits, and for which price, until it ends", async () => {
    const { rowsOf, report } = await groupedView();
    const stop = { orderId: "1", status: "open", trigger: new Decimal("90") } as const;
    report(testReport(stop));
    const first = async () => {
      const [group] = await rowsOf();
      const [row] = await rowsOf(group?.row);
      return row ?? assert.fail("no row");
    };
    const open = await first();
    assert.match(textOf(open.item), /100\.00 · Stop at 90\.00 · 0%/);
    assert.ok(open.row instanceof OrderRow);
    assert.match(orderTooltip(open.row.order, shownAmounts()).value, /\| Status \| Open, .*Stop at 90/);
    report(testReport({ ...stop, status: "cancelled", askedAt: 3000 }));
    assert.doesNotMatch(textOf((await first()).item), /Stop/);
  });

  it("mark the quantity of a fill as approximate if the exchange reports only its value", async () => {
    const { rowsOf, report } = await groupedView();
    const fill = { ...testFill("a", "4", "100", NOW), isQuantityAbout: true } as const;
    report(testReport({ orderId: "1", status: "open", fills: [fill] }));
    const [group] = await rowsOf();
    const [order] = await rowsOf(group?.row);
    const [row] = await rowsOf(order?.row);
    assert.equal(row && textOf(row.item), "≈ 4 @ 100.00  9:30 PM · fee 1.00 THB");
    assert.ok(order?.row instanceof OrderRow);
    assert.match(orderTooltip(order.row.order, shownAmounts()).value, /\| Filled \| ≈ 4/);
  });

  it("list each fill below its order with time, price, quantity and fee, and sums in the tooltip", async () => {
    const { rowsOf, place, report } = await groupedView();
    place(askOf("1"));
    report(testReport({ orderId: "1", status: "open", fills: [testFill("a", "4", "100", NOW)] }));
    const [group] = await rowsOf();
    const [order] = await rowsOf(group?.row);
    assert.equal(order?.item.collapsibleState, 1);
    const [fill] = await rowsOf(order?.row);
    assert.equal(fill && textOf(fill.item), "4 @ 100.00  9:30 PM · fee 1.00 THB");
    assert.ok(order?.row instanceof OrderRow);
    const tooltip = orderTooltip(order.row.order, shownAmounts())
      .value.replaceAll("\u202f", " ")
      .replaceAll("\u2060", "");
    assert.match(
      tooltip,
      /\| Status \| Open, 40\.0% filled \|\n[^]*\| Amount \| 10 BTC \|\n[^]*\| Filled \| 4 BTC \|\n\| Average price \| 100\.00 THB \|\n\| Fee \| 1\.00 THB \|/,
    );
    assert.doesNotMatch(tooltip, /THB_BTC|Accepted/);
    userSettings.set(settingKeys.hideAmounts, true);
    assert.doesNotMatch(orderTooltip(order.row.order, shownAmounts()).value, /\b4 BTC/);
    const [hidden] = await rowsOf(order.row);
    assert.equal(hidden && textOf(hidden.item), "••• @ 100.00  9:30 PM · fee ••• THB");
  });

  it("mark an order placed elsewhere, and never offer to place it again", async () => {
    const { rowsOf, texts, report } = await groupedView();
    report(testReport({ orderId: "9", status: "open", placedAt: PLACED }));
    assert.deepEqual(await texts(), {
      "Open orders  1": ["Sell BTC  100.00 · 0% of 10"],
    });
    const [group] = await rowsOf();
    const [order] = await rowsOf(group?.row);
    assert.equal(order?.item.contextValue, "openElsewhere");
    assert.ok(order?.row instanceof OrderRow);
    assert.match(
      orderTooltip(order.row.order, shownAmounts()).value,
      /placed elsewhere, not from this computer/,
    );
  });

  it("show a pending cancellation until the order ends, the exchange rejects it, or still lists the order long after", async () => {
    const { texts, timers, place, report, cancelAt } = await groupedView();
    place(askOf("1"));
    cancelAt("requested", "1");
    assert.deepEqual(Object.values(await texts()), [["Sell BTC  100.00 · Cancelling · 0% of 10"]]);
    await timers.advance(40_000);
    report(testReport({ source: "list", orderId: "1", status: "open" }));
    assert.deepEqual(Object.values(await texts()), [["Sell BTC  100.00 · Still open · 0% of 10"]]);
    cancelAt("rejected", "1");
    assert.deepEqual(Object.values(await texts()), [["Sell BTC  100.00 · 0% of 10"]]);
    report(testReport({ orderId: "1", status: "cancelled" }));
    assert.deepEqual(Object.keys(await texts()), ["Order history  1"]);
  });

  it("sort own orders and orders placed elsewhere by time", async () => {
    const { timers, texts, place, report } = await groupedView();
    await timers.advance(1);
    place(askOf("1", { at: NOW + 1 }), askOf("2"), askOf("3", { at: PLACED - 1 }));
    report(
      testReport({ orderId: "8", status: "open", rate: new Decimal("108") }),
      testReport({ orderId: "9", status: "cancelled", rate: new Decimal("109") }),
    );
    report(
      testReport({ orderId: "1", status: "cancelled" }),
      testReport({ orderId: "2", status: "open", fills: [testFill("a", "10", "102")] }),
    );
    const rates = Object.entries(await texts()).map(([group, rows]) => [
      group,
      ...rows.map((row) => / {2}(\S+)/.exec(row)?.[1]),
    ]);
    assert.deepEqual(rates, [
      ["Open orders  2", "108.00", "100.00"],
      ["Order history  3", "100.00", "109.00", "102.00"],
    ]);
  });

  it("keep the row of a past order whose record changes, and repaint it", async () => {
    const { rowsOf, place, painted } = await groupedView();
    const rejected: SentOrder = { ...askOf("1"), orderId: undefined, state: "rejected" };
    place(askOf("2"), rejected);
    const [, done] = await rowsOf();
    const [before] = await rowsOf(done?.row);
    painted.length = 0;
    place(askOf("2"), { ...rejected, state: "notSent", since: NOW });
    assert.ok(painted.flat().includes(before?.row));
    const [after] = await rowsOf(done?.row);
    assert.equal(after?.row, before?.row);
    assert.equal(after && textOf(after.item), "Sell BTC  100.00 · Not sent · 10");
  });

  it("reveal a past order together with all newer ones, and ignore an unlisted order", async () => {
    const { tree, view, rowsOf, place, report } = await groupedView();
    const revealed: unknown[] = [];
    Object.assign(view, { reveal: (row: unknown) => revealed.push(row) });
    const all = Array.from({ length: 150 }, (_, index) => askOf(String(index), { at: PLACED - index }));
    place(...all);
    report(...all.map(({ orderId = "" }) => testReport({ orderId, status: "cancelled" })));
    const name = { ...PRACTICE, quote: "THB", base: "BTC", side: "sell" } as const;
    await tree.reveal({ ...name, orderId: "120" });
    await tree.reveal({ ...name, side: "buy", orderId: "121" });
    const [done] = await rowsOf();
    const rows = await rowsOf(done?.row);
    assert.equal(rows.length, 122);
    assert.deepEqual(revealed, [rows[120]?.row]);
  });

  it("show how orders of another account ended, as reported, and not what was reported of open ones", async () => {
    const { rowsOf, place, reportAt } = await groupedView();
    const there = { venue: "live", origin: "https://other.example.com", account: "2".repeat(16) } as const;
    place(askOf("1", there), askOf("2", there));
    reportAt(
      there,
      testReport({ orderId: "1", status: "filled", fills: [testFill("a", "10", "100", NOW)] }),
      testReport({ orderId: "2", status: "open" }),
    );
    const [others] = await rowsOf();
    assert.equal(others && textOf(others.item), "other.example.com  2 orders");
    const [filled, open] = await rowsOf(others?.row);
    assert.match(
      filled ? textOf(filled.item) : "",
      /^Sell BTC {2}100\.00 · Filled · .* · other\.example\.com$/,
    );
    assert.match(open ? textOf(open.item) : "", / · Accepted · /);
  });

  it("leave out settled practice orders on a live account, so that a new account begins empty", async () => {
    const { venue, rowsOf, place, report } = await groupedView();
    place(askOf("1"), { ...askOf("2"), orderId: undefined, state: "unknown" });
    report(testReport({ orderId: "1", status: "open" }));
    await venue.select(liveAccount);
    const [others, ...more] = await rowsOf();
    assert.deepEqual([others && textOf(others.item), more], ["Practice  1 order · 1 unknown", []]);
    place(askOf("1"));
    assert.deepEqual(await rowsOf(), []);
  });

  it("become a flat list on an exchange that does not report orders", async () => {
    const { venue, texts, place } = await groupedView();
    place(askOf("1"));
    assert.deepEqual(Object.keys(await texts()), ["Open orders  1"]);
    const { venue: open } = venue;
    assert.ok(open);
    Object.assign(open.client, { capabilities: {} });
    await venue.select(practiceAccount);
    assert.deepEqual(Object.keys(await texts()), ["Sell BTC  100.00 · Accepted · 10"]);
  });

  it("are repainted whole as their first row can be expanded, because the editor then indents all of them", async () => {
    const { rowsOf, place, report, painted } = await groupedView();
    place(askOf("1"), askOf("2"));
    report(...["1", "2"].map((orderId) => testReport({ orderId, status: "open" })));
    const [open] = await rowsOf();
    const rows = await rowsOf(open?.row);
    for (const [orderId, isFirst] of [
      ["1", true],
      ["2", false],
    ] as const) {
      painted.length = 0;
      report(testReport({ orderId, status: "open", fills: [testFill("a", "1")] }));
      assert.equal(painted.flat().includes(open?.row), isFirst);
      assert.ok(painted.flat().includes(rows[Number(orderId) - 1]?.row));
    }
  });

  it("repaint one row per event with 1,000 open and 4,000 past orders, and show the newest 100 of the history", async () => {
    const { tree, rowsOf, place, report, painted } = await groupedView();
    const all = Array.from({ length: 5_000 }, (_, index) => askOf(String(index), { at: PLACED - index }));
    place(...all);
    report(
      ...all.slice(1000).map(({ orderId }) => testReport({ orderId: orderId ?? "", status: "cancelled" })),
    );
    const [open, done] = await rowsOf();
    assert.equal(open?.item.description, "1000");
    assert.equal(done?.item.description, "4000");
    const opened = await rowsOf(open?.row);
    const listed = await rowsOf(done?.row);
    assert.equal(opened.length, 1000);
    assert.equal(listed.length, 101);
    assert.equal(listed[100] && textOf(listed[100].item), "Show More  3900 not shown");
    report(testReport({ orderId: "499", status: "open", fills: [testFill("a", "1")] }));
    painted.length = 0;
    report(testReport({ orderId: "500", status: "open", fills: [testFill("a", "1")] }));
    assert.deepEqual(painted, [[opened[500]?.row]]);
    painted.length = 0;
    report();
    assert.deepEqual(painted, [], "an event without news redraws nothing");
    tree.showMore();
    assert.equal((await rowsOf(done?.row)).length, 201);
  });
});

describe("the commands that cancel orders", () => {
  beforeEach(() => {
    shownMessages.length = 0;
    person.choose = () => undefined;
  });

  /** The view with orders 1 and 2 for BTC/THB and 3 for ETH/THB, and a desk that notes what it cancels. */
  async function cancelDesk() {
    const grouped = await groupedView();
    grouped.place(askOf("1"), askOf("2"), askOf("3", { symbol: "THB_ETH", base: "ETH" }));
    const cancelled: string[][] = [];
    const canceller = {
      cancel: (targets: readonly CancelTarget[]) => {
        cancelled.push(targets.map(({ name }) => name.orderId));
        return Promise.resolve({ kind: "sent" as const, steps: ["rejected" as const] });
      },
    };
    const desk = {
      venue: grouped.venue,
      following: { canceller } as unknown as OrderFollowing,
    };
    return { ...grouped, cancelled, desk };
  }

  it("cancel the order of a row, and say when the exchange rejected it", async () => {
    const { tree, rowsOf, desk, cancelled } = await cancelDesk();
    const [group] = await rowsOf();
    const [first] = await rowsOf(group?.row);
    await cancelOrder(desk, tree.list, first?.row);
    assert.deepEqual(cancelled, [["1"]]);
    assert.match(shownMessages.at(-1)?.text ?? "", /did not cancel the order/);
  });

  it("say why a cancellation was not recorded, and that it was not sent", async () => {
    const { tree, rowsOf, desk } = await cancelDesk();
    const [group] = await rowsOf();
    const [first] = await rowsOf(group?.row);
    const error = Object.assign(new Error("in use"), { code: "EBUSY" });
    Object.assign(desk.following.canceller, { cancel: async () => ({ kind: "notRecorded", error }) });
    await cancelOrder(desk, tree.list, first?.row);
    assert.match(
      shownMessages.at(-1)?.text ?? "",
      /^The cancellation could not be recorded, so it was not sent\. Another program is using Bidside's files/,
    );
    tree.dispose();
  });

  it("let the user pick an order or a pair from the palette, and cancel nothing without a choice", async () => {
    const { tree, desk, cancelled } = await cancelDesk();
    await cancelOrder(desk, tree.list, undefined);
    assert.deepEqual(cancelled, []);
    person.choose = (labels) => labels.find((label) => label.includes("ETH"));
    await cancelOrder(desk, tree.list, undefined);
    person.choose = (labels) => labels.find((label) => label.includes("BTC"));
    await cancelAllOfPair(desk, tree.list, undefined);
    assert.deepEqual(cancelled, [["3"], ["1", "2"]]);
  });

  it("never cancel an order that has ended in the meantime", async () => {
    const { tree, rowsOf, desk, cancelled, report } = await cancelDesk();
    const [group] = await rowsOf();
    const [first] = await rowsOf(group?.row);
    report(testReport({ orderId: "1", status: "filled", quantity: new Decimal("10") }));
    await cancelOrder(desk, tree.list, first?.row);
    assert.deepEqual(cancelled, []);
    assert.match(shownMessages.at(-1)?.text ?? "", /No open orders to cancel/);
  });
});
