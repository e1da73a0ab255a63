import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Orders } from "../../../../src/desk/orders/orders.ts";
import type { SignedIn } from "../../../../src/desk/venue.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import { openOrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import { acceptedOrder, venueOf } from "../../../support/builders/orderDesk.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { unsyncedSystem } from "../../../support/fakes/operatingSystem.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const DAY = 86_400_000;

describe("an exchange that reports implausibly many orders", () => {
  let directory: string;
  let timers: FakeTimers;
  let venue: SignedIn;
  let orders: Orders;
  let reported: string[];

  beforeEach(async () => {
    directory = temporaryFolder();
    timers = new FakeTimers();
    venue = venueOf(await openVenue(new FakeClient()));
    reported = [];
    orders = open();
    await acceptedOrder(orders, venue, "own");
  });
  afterEach(() => orders.close());

  function open(): Orders {
    return new Orders({
      open: async () => openOrderJournal({ directory, now: timers.now, os: unsyncedSystem }),
      newId: () => "10000000-0000-4000-8000-000000000001",
      now: timers.now,
      onReportsOmitted: ({ name }) => reported.push(name),
      onError: (error) => assert.fail(String(error)),
    });
  }

  /** An answer with this many new orders from elsewhere, before the own order. */
  function answer(count: number, round = 0): OrderReport[] {
    const all = Array.from({ length: count }, (_, index) =>
      testReport({ orderId: `${round}-${index}`, status: "open" }),
    );
    return [...all, testReport({ orderId: "own", status: "open", fills: [testFill(`${round}`, "1")] })];
  }

  const listed = (): number => orders.own.length + orders.elsewhere.length;
  const ownFills = (): number | undefined =>
    orders.own.find(({ orderId }) => orderId === "own")?.known?.fills.length;

  it("adds no more than a bound to the journal with one answer and in one day, beside own orders", async () => {
    await orders.recordReports(answer(10_000), venue);
    assert.deepEqual([listed(), ownFills()], [2_001, 1]);
    for (let round = 1; round < 6; round += 1) await orders.recordReports(answer(2_500, round), venue);
    const afterDay = listed();
    assert.ok(afterDay <= 10_001, `${afterDay}`);
    assert.equal(ownFills(), 6, "each fill of the own order");
    assert.deepEqual(reported, ["Practice"], "once");
    const bytes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
    assert.ok(bytes.reduce((sum, each) => sum + each, 0) < 4_000_000);
    await orders.close();
    orders = open();
    await orders.reread();
    await orders.recordReports(answer(10, 8), venue);
    assert.equal(listed(), afterDay, "also after the editor was opened again");
    await timers.advance(DAY);
    await orders.recordReports(answer(10, 9), venue);
    assert.equal(listed(), afterDay + 10);
  });

  it("adds no more than a bound with the fills of one own order", async () => {
    for (let round = 0; round < 3; round += 1) {
      const fills = Array.from({ length: 5_000 }, (_, index) => testFill(`${round}-${index}`, "0.0001"));
      await orders.recordReports([testReport({ orderId: "own", fills })], venue);
    }
    const fills = ownFills() ?? 0;
    assert.ok(fills > 1_000 && fills <= 11_000, `${fills}`);
  });

  it("is not reported for an account with many orders", async () => {
    await orders.recordReports(answer(1_500), venue);
    assert.deepEqual([listed(), reported], [1_501, []]);
  });
});
