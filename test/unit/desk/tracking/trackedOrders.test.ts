import assert from "node:assert/strict";
import { OrderTracker } from "../../../../src/desk/tracking/orderTracker.ts";
import { trackedOrders } from "../../../../src/desk/tracking/trackedOrders.ts";
import type { Orders } from "../../../../src/desk/orders/orders.ts";
import type { SignedIn } from "../../../../src/desk/venue.ts";
import type { Capabilities } from "../../../../src/exchange/capabilities.ts";
import { isOwn, type PlacedOrder } from "../../../../src/storage/orders/order.ts";
import { acceptedOrder, limitOrder, openOrders, venueOf } from "../../../support/builders/orderDesk.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, liveAccount } from "../../../support/fakes/venue.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

describe("the orders that may still change", () => {
  let directory: string;
  let orders: Orders;
  let venue: SignedIn;
  const timers = new FakeTimers();

  beforeEach(async () => {
    directory = temporaryFolder();
    orders = openOrders(directory, timers, () => crypto.randomUUID());
    venue = venueOf(await openVenue(new FakeClient()));
    for (const orderId of ["1", "2", "3"]) await acceptedOrder(orders, venue, orderId);
  });
  afterEach(() => orders.close());

  const tracked = (): readonly PlacedOrder[] => trackedOrders(orders, venue, timers.now());
  const ids = (): string[] => tracked().map(({ name }) => name.orderId);
  const orderOf = (id: string): PlacedOrder =>
    tracked().find(({ name }) => name.orderId === id) ?? assert.fail(`no order ${id}`);

  it("are own orders that have not ended, by their reported status or by fills of the whole amount", async () => {
    assert.deepEqual(ids().toSorted(), ["1", "2", "3"]);
    const [first] = tracked();
    assert.ok(first);
    await orders.recordReports([testReport({ orderId: first.name.orderId, status: "cancelled" })], venue);
    assert.equal(ids().includes(first.name.orderId), false);
    const [second] = tracked();
    assert.ok(second);
    const filled = testReport({
      orderId: second.name.orderId,
      quantity: undefined,
      fills: [testFill("a", "10")],
    });
    await orders.recordReports([filled], venue);
    assert.equal(ids().length, 1);
    await acceptedOrder(orders, venue, "4");
    assert.equal(ids().length, 2, "an ended order stays out when another one is added");
  });

  it("include orders placed elsewhere, until their end is known", async () => {
    await orders.recordReports([testReport({ orderId: "8", status: "open" })], venue);
    const other = tracked().find(({ name }) => name.orderId === "8");
    assert.ok(other && !isOwn(other));
    assert.equal(other.known.status, "open");
    for (const ms of [1, 61_000]) {
      await timers.advance(ms);
      await orders.recordAbsences([other.known], timers.now(), venue);
    }
    assert.equal(orderOf("8").known.status, "notListed", "that no list has it proves no end");
    await orders.recordReports([testReport({ orderId: "8", status: "cancelled" })], venue);
    assert.equal(ids().includes("8"), false);
  });

  it("include ended orders with missing fills, for a week", async () => {
    await orders.recordReports(
      [testReport({ orderId: "1", status: "filled" }), testReport({ orderId: "2", status: "open" })],
      venue,
    );
    await orders.recordReports(
      [testReport({ orderId: "8", status: "filled", fills: [testFill("a", "4")] })],
      venue,
    );
    const after = (ms: number): readonly string[] =>
      trackedOrders(orders, venue, timers.now() + ms).map(({ name }) => name.orderId);
    assert.deepEqual(after(7 * 86_400_000).toSorted(), ["1", "2", "3", "8"]);
    assert.deepEqual(after(7 * 86_400_000 + 1).toSorted(), ["2", "3"]);
    for (const [orderId, quantity] of [
      ["1", "10"],
      ["8", "6"],
    ] as const)
      await orders.recordReports([testReport({ orderId, fills: [testFill("b", quantity)] })], venue);
    assert.deepEqual(ids().toSorted(), ["2", "3"]);
  });

  it("include an order that ended according to events alone, until a response confirms it", async () => {
    const filled = testReport({ orderId: "8", status: "filled", fills: [testFill("a", "10")] });
    await orders.recordReports([{ ...filled, source: "push" }], venue);
    assert.equal(orderOf("8").known.status, "filled");
    await orders.recordReports([filled], venue);
    assert.deepEqual(ids().toSorted(), ["1", "2", "3"]);
  });

  it("exclude orders without an exchange's id, and those with only a recorded cancellation", async () => {
    await orders.recordIntent(limitOrder("sell"), venue, undefined);
    const {
      name,
      known: { symbol },
    } = orderOf("1");
    const elsewhere = { ...name, orderId: "9" };
    await orders.recordCancel({ ...elsewhere, symbol, step: "requested" });
    assert.deepEqual(ids().toSorted(), ["1", "2", "3"]);
  });

  it("are those of one venue", async () => {
    const current = await openVenue(new FakeClient());
    await current.select(liveAccount);
    const live = await current.signIn("wallet");
    await acceptedOrder(orders, live, "5");
    await orders.recordReports([testReport({ orderId: "8", status: "open" })], live);
    assert.deepEqual(ids().toSorted(), ["1", "2", "3"]);
    assert.deepEqual(
      trackedOrders(orders, live, timers.now()).map(({ name }) => name.orderId),
      ["5", "8"],
    );
  });

  it("exclude orders of a practice account that was reset", async () => {
    const reports = ["1", "8"].map((orderId) => testReport({ orderId, status: "open" }));
    await orders.recordReports(reports, venue);
    assert.equal(orderOf("1").known.status, "open");
    await orders.recordAccountReset();
    assert.deepEqual(ids(), []);
  });

  /** Lets a tracker make one round; the exchange finds no order info. Returns the ids that the round asked about. */
  async function askedIn(history?: Capabilities["orderHistory"]): Promise<string[]> {
    const asked: string[] = [];
    const orderInfo: Capabilities["orderInfo"] = async ({ orderId }) => {
      asked.push(orderId);
      return undefined;
    };
    const tracker = new OrderTracker({
      orders,
      venue: await openVenue(new FakeClient()),
      timers,
      reads: () => ({ orderInfo, ...(history && { orderHistory: history }) }),
      isMine: () => true,
      visiblePairs: () => undefined,
      log: (message) => assert.fail(message),
    });
    await timers.advance(2_000);
    tracker.dispose();
    return asked;
  }

  it("are the only ones that the tracker asks about", async () => {
    const ends = ["1", "2"].map((orderId) => testReport({ orderId, status: "cancelled" }));
    await orders.recordReports(ends, venue);
    assert.deepEqual(await askedIn(), ["3"]);
  });

  it("are not requested again in a round in which another order's history contained their end", async () => {
    const fills = [testFill("a", "10")];
    const reports = ["1", "2", "3"].map((orderId) => testReport({ orderId, quantity: undefined, fills }));
    const asked = await askedIn(async () => ({ orders: reports, unreadable: [] }));
    assert.equal(asked.length, 1);
    assert.deepEqual(ids(), []);
  });
});
