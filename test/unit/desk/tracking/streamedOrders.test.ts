import assert from "node:assert/strict";
import type { OrderReads } from "../../../../src/desk/tracking/orderReads.ts";
import type { OrderChange } from "../../../../src/desk/tracking/orderRecorder.ts";
import { OrderTracker } from "../../../../src/desk/tracking/orderTracker.ts";
import { StreamedOrders } from "../../../../src/desk/tracking/streamedOrders.ts";
import { NoResponseError } from "../../../../src/exchange/errors.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import { acceptedOrder, limitOrder, openOrders, venueOf } from "../../../support/builders/orderDesk.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const ID = "10000000-0000-4000-8000-000000000001";
const ten = new Decimal("10");

describe("orders pushed by an exchange", () => {
  let directory: string;
  const closers: (() => unknown)[] = [];
  beforeEach(() => (directory = temporaryFolder()));
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function begin({
    reads = {},
    owns = true,
    isMine = true,
  }: { reads?: OrderReads; owns?: boolean; isMine?: boolean } = {}) {
    const timers = new FakeTimers();
    const client = new FakeClient();
    client.clock = { offset: 0, at: timers.now() };
    const current = await openVenue(client);
    const venue = venueOf(current);
    const orders = openOrders(directory, timers, () => ID);
    if (owns) await acceptedOrder(orders, venue, "7");
    else await orders.reread();
    const changes: OrderChange[] = [];
    const tracker = new OrderTracker({
      orders,
      venue: current,
      timers,
      reads: () => reads,
      isMine: () => isMine,
      visiblePairs: () => undefined,
      log: (message) => assert.fail(message),
    });
    tracker.onDidChange((change) => changes.push(change));
    const streamed = new StreamedOrders({ orders, tracker, timers, log: (message) => assert.fail(message) });
    closers.push(
      () => streamed.dispose(),
      () => tracker.dispose(),
      () => orders.close(),
    );
    const update = async (report: OrderReport, executed?: Decimal): Promise<void> => {
      streamed.updated(venue, { report: { ...report, source: "push" }, executed });
      await timers.advance(0);
    };
    const known = (orderId = "7") =>
      [...orders.own, ...orders.elsewhere].find(({ name }) => name?.orderId === orderId)?.known;
    return { timers, orders, venue, tracker, streamed, changes, update, known };
  }

  it("report an own order as filled from its matches alone", async () => {
    const { update, changes } = await begin();
    await update(testReport({ rate: undefined, quantity: undefined, fills: [testFill("1", "10")] }));
    assert.deepEqual(
      changes.map(({ order }) => order.known.status),
      ["filled"],
    );
  });

  it("are recorded", async () => {
    const { orders, update, known, changes } = await begin();
    await update(testReport({ status: "open" }), new Decimal("0"));
    assert.equal(known()?.status, "open");
    await update(testReport({ fills: [testFill("1", "4")] }));
    assert.deepEqual(
      known()?.fills.map(({ id }) => id),
      ["1"],
    );
    assert.deepEqual(
      changes.at(-1)?.newFills.map(({ id }) => id),
      ["1"],
    );
    assert.equal(changes.at(-1)?.order, orders.own[0]);
  });

  it("are read from the open orders if the stream reports no quantity", async () => {
    const listed: OrderReport[] = [];
    const reads: OrderReads = { openOrders: () => Promise.resolve({ orders: listed, unreadable: [] }) };
    const { update, known, timers } = await begin({ reads });
    await timers.advance(10);
    listed.push(testReport({ status: "open", askedAt: timers.now() }));
    await update(testReport({ status: "open", quantity: undefined }), new Decimal("0"));
    await timers.advance(10);
    assert.deepEqual(known()?.quantity, ten);
  });

  it("are recorded while a request about a previous order is pending", async () => {
    const openOrders = () => new Promise<never>(() => undefined);
    const { update, known } = await begin({ owns: false, reads: { openOrders } });
    await update(testReport({ status: "open", quantity: undefined }), new Decimal("0"));
    await update(testReport({ fills: [testFill("1", "4")] }));
    assert.deepEqual(
      known()?.fills.map(({ id }) => id),
      ["1"],
    );
  });

  it("report the same fill once, however often and from wherever it arrives", async () => {
    const { update, changes } = await begin({
      reads: {
        orderInfo: () => Promise.resolve(testReport({ fills: [testFill("1", "10")], status: "filled" })),
      },
    });
    const fill = testReport({ fills: [testFill("1", "10")] });
    await Promise.all([update(fill), update(fill), update(testReport({ status: "filled" }), ten)]);
    assert.equal(changes.flatMap(({ newFills }) => newFills).length, 1);
  });

  it("never go back: an open order is not reopened by an older event", async () => {
    const { update, known } = await begin();
    await update(testReport({ fills: [testFill("1", "10")] }));
    await update(testReport({ status: "filled" }), ten);
    await update(testReport({ status: "open" }), new Decimal("0"));
    assert.equal(known()?.status, "filled");
  });

  it("end when their matches are known, even if the end arrives first", async () => {
    let asked = 0;
    const { update, known, timers } = await begin({
      isMine: false,
      reads: { orderInfo: () => (asked++, Promise.resolve(undefined)) },
    });
    await update(testReport({ status: "filled" }), ten);
    assert.equal(known()?.status, "accepted");
    await update(testReport({ fills: [testFill("1", "10")] }));
    await timers.advance(10);
    assert.equal(known()?.status, "filled");
    assert.equal(known()?.fills.length, 1);
    assert.equal(asked, 0);
  });

  it("have missing matches requested 2 s after the end", async () => {
    const { update, known, timers } = await begin({
      isMine: false,
      reads: {
        orderInfo: () => Promise.resolve(testReport({ fills: [testFill("1", "10")], status: "filled" })),
      },
    });
    await update(testReport({ status: "filled" }), ten);
    await timers.advance(1999);
    assert.equal(known()?.status, "accepted");
    await timers.advance(10);
    assert.equal(known()?.status, "filled");
    assert.equal(known()?.fills.length, 1);
  });

  it("end without their matches if these never arrive", async () => {
    const { update, known, timers } = await begin();
    await update(testReport({ status: "filled" }), ten);
    await timers.advance(2010);
    assert.equal(known()?.status, "filled");
    assert.deepEqual(known()?.fills, []);
  });

  for (const status of ["cancelled", "rejected"] as const)
    it(`are ${status} at once if nothing was executed`, async () => {
      const { update, known } = await begin();
      await update(testReport({ status }), new Decimal("0"));
      assert.equal(known()?.status, status);
    });

  it("wait while a window sends an order like them, and belong to it then", async () => {
    const { orders, venue, update, changes, timers } = await begin({ owns: false });
    const order = limitOrder("sell");
    const id = await orders.recordIntent(order, venue, undefined);
    await update(testReport({ orderId: "8", status: "open" }), new Decimal("0"));
    await update(testReport({ orderId: "8", fills: [testFill("1", "10")] }));
    assert.equal(changes.length, 0);
    await orders.recordOutcome(id, { kind: "accepted", venue, order, receipt: { orderId: "8" } });
    await timers.advance(10);
    assert.ok(changes.length > 0);
    assert.ok(changes.every(({ order }) => order.id === id));
    assert.equal(changes.flatMap(({ newFills }) => newFills).length, 1);
  });

  it("do not wait for an order of the other side", async () => {
    const { orders, venue, update, changes } = await begin({ owns: false });
    await orders.recordIntent(limitOrder("buy"), venue, undefined);
    await update(testReport({ orderId: "8", status: "open" }), new Decimal("0"));
    assert.deepEqual(
      changes.map(({ order }) => order.name.orderId),
      ["8"],
    );
  });

  it("report the fill of an order placed elsewhere once a response confirms it, though no orders are visible", async () => {
    const fills = [testFill("1", "4"), testFill("2", "6")];
    const answer = Promise.withResolvers<OrderReport>();
    const { update, changes, timers } = await begin({
      owns: false,
      reads: { orderInfo: () => answer.promise },
    });
    await update(testReport({ orderId: "9", fills: fills.slice(1) }));
    const announced = (): unknown => changes.flatMap(({ newFills }) => newFills.map(({ id }) => id));
    assert.deepEqual([changes.length, announced()], [1, []]);
    await timers.advance(1000);
    assert.deepEqual(announced(), []);
    answer.resolve(testReport({ orderId: "9", status: "filled", fills }));
    await timers.advance(1000);
    assert.deepEqual(announced(), ["2"], "an earlier one is no news");
  });

  for (const status of ["open", "rejected"] as const)
    it(`prove by its client id that an order without an answer arrived, also if it is ${status}`, async () => {
      const { orders, venue, update, known } = await begin({ owns: false });
      const features = { clientOrderId: { duplicates: "unknown" } } as const;
      const taking = { ...venue, profile: { ...venue.profile, features } };
      const id = await orders.recordIntent(limitOrder("sell"), taking, undefined);
      const error = new NoResponseError("placeAsk", "timeout", "no answer");
      await orders.recordOutcome(id, { kind: "unknown", venue, order: limitOrder("sell"), error });
      assert.equal(orders.own[0]?.state, "unknown");
      const clientId = orders.clientIdOf(id) ?? assert.fail("no client id");
      await update(testReport({ orderId: "8", clientId, status }), new Decimal("0"));
      assert.deepEqual([orders.own[0]?.state, orders.own[0]?.orderId], ["accepted", "8"]);
      assert.equal(known("8")?.status, status);
    });

  it("are all read when the stream begins", async () => {
    let asked = 0;
    const { streamed, timers } = await begin({
      reads: { openOrders: () => (asked++, Promise.resolve({ orders: [], unreadable: [] })) },
    });
    await timers.advance(10);
    const before = asked;
    streamed.started();
    await timers.advance(500);
    assert.equal(asked, before + 1);
  });
});
