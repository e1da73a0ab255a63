import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OrderTracker } from "../../../../src/desk/life/orderTracker.ts";
import { acceptedOrder, openOrders, venueOf } from "../../../support/builders/lifeDesk.ts";
import { testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";

describe("the order tracker", () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), "bidside-tracker-"))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it("looks an order up that left the open orders, also after the clock was set back", async () => {
    const timers = new FakeTimers();
    const venue = await openVenue(new FakeClient());
    const orders = openOrders(directory, timers, () => "10000000-0000-4000-8000-000000000001");
    const asked: string[] = [];
    const tracker = new OrderTracker({
      orders,
      venue,
      timers,
      reads: () => ({
        openOrders: async () => ({ orders: [], unreadable: [] }),
        orderInfo: async ({ orderId }) => {
          asked.push(orderId);
          return testReport({ orderId, status: "cancelled" });
        },
      }),
      isMine: () => true,
      watched: () => [],
      afterFill: () => undefined,
      log: (message) => assert.fail(message),
    });
    await acceptedOrder(orders, venueOf(venue), "1");
    timers.sleep(-7_200_000);
    await tracker.check();
    assert.deepEqual(asked, ["1"]);
    tracker.dispose();
    await orders.close();
  });
});
