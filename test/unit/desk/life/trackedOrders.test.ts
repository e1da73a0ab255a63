import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OrderTracker } from "../../../../src/desk/life/orderTracker.ts";
import { TrackedOrders } from "../../../../src/desk/life/trackedOrders.ts";
import type { Orders } from "../../../../src/desk/orders/orders.ts";
import type { Venue } from "../../../../src/desk/venue.ts";
import type { Capabilities } from "../../../../src/exchange/capabilities.ts";
import { acceptedOrder, openOrders, venueOf } from "../../../support/builders/lifeDesk.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";

describe("the orders that may still change", () => {
  let directory: string;
  let orders: Orders;
  let venue: Venue;
  let tracked: TrackedOrders;
  const timers = new FakeTimers();

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "bidside-tracked-"));
    orders = openOrders(directory, timers, () => crypto.randomUUID());
    venue = venueOf(await openVenue(new FakeClient()));
    tracked = new TrackedOrders(orders);
    for (const orderId of ["1", "2", "3"]) await acceptedOrder(orders, venue, orderId);
  });
  afterEach(async () => {
    await orders.close();
    rmSync(directory, { recursive: true });
  });

  const ids = (): string[] => tracked.of(venue).map(({ orderId }) => orderId);

  it("are own orders without an end, by the words of the exchange or by fills of all that was sent", async () => {
    assert.deepEqual(ids().toSorted(), ["1", "2", "3"]);
    const [first] = tracked.of(venue);
    assert.ok(first);
    await orders.recordReports([testReport({ orderId: first.orderId, status: "cancelled" })], venue);
    assert.equal(tracked.known(first), undefined);
    assert.equal(ids().includes(first.orderId), false);
    const [second] = tracked.of(venue);
    assert.ok(second);
    const filled = testReport({ orderId: second.orderId, quantity: undefined, fills: [testFill("a", "10")] });
    await orders.recordReports([filled], venue);
    assert.equal(ids().length, 1);
    await acceptedOrder(orders, venue, "4");
    assert.equal(ids().length, 2, "an order that ended stays away when another one comes");
  });

  it("are also orders placed elsewhere, until their end is known", async () => {
    await orders.recordReports([testReport({ orderId: "8", status: "open" })], venue);
    const other = tracked.of(venue).find(({ orderId }) => orderId === "8");
    assert.ok(other && other.own === undefined);
    assert.equal(tracked.known(other)?.status, "open");
    await orders.recordReports([testReport({ orderId: "8", goneAt: 2000 })], venue);
    assert.deepEqual([tracked.known(other), ids().includes("8")], [undefined, false]);
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
      watched: () => undefined,
      afterFill: () => undefined,
      log: (message) => assert.fail(message),
    });
    await tracker.check();
    tracker.dispose();
    return asked;
  }

  it("are the only ones that the tracker asks about", async () => {
    const ends = ["1", "2"].map((orderId) => testReport({ orderId, status: "cancelled" }));
    await orders.recordReports(ends, venue);
    assert.deepEqual(await askedIn(), ["3"]);
  });

  it("are not asked about any more in a round once the history of another order told their end", async () => {
    const fills = [testFill("a", "10")];
    const told = ["1", "2", "3"].map((orderId) => testReport({ orderId, quantity: undefined, fills }));
    const asked = await askedIn(async () => ({ orders: told, unreadable: [] }));
    assert.equal(asked.length, 1);
    assert.deepEqual(ids(), []);
  });
});
