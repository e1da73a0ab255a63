import assert from "node:assert/strict";
import type { OrderChange } from "../../../../src/desk/tracking/orderRecorder.ts";
import { OrderTracker } from "../../../../src/desk/tracking/orderTracker.ts";
import type { Orders } from "../../../../src/desk/orders/orders.ts";
import type { CurrentVenue } from "../../../../src/desk/venue.ts";
import { RefusedError } from "../../../../src/exchange/errors.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import type { NamedPair } from "../../../../src/market/pair.ts";
import { limitOrder, openOrders, venueOf } from "../../../support/builders/orderDesk.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

describe("an order that the exchange accepted without an id", () => {
  let directory: string;
  let timers: FakeTimers;
  let client: FakeClient;
  let venue: CurrentVenue;
  let orders: Orders;
  let listed: readonly OrderReport[];
  let matched: readonly OrderReport[];
  let visiblePairs: readonly NamedPair[] | undefined;
  let changes: OrderChange[];
  let tracker: OrderTracker;

  beforeEach(async () => {
    directory = temporaryFolder();
    timers = new FakeTimers();
    client = new FakeClient();
    client.clock = { offset: 0, at: timers.now() };
    venue = await openVenue(client);
    let count = 0;
    orders = openOrders(directory, timers, () => `10000000-0000-4000-8000-00000000000${(count += 1)}`);
    [listed, matched, changes] = [[], [], []];
    visiblePairs = undefined;
    tracker = new OrderTracker({
      orders,
      venue,
      timers,
      reads: () => ({
        openOrders: async () => ({ orders: listed, unreadable: [] }),
        orderHistory: async () => ({ orders: matched, unreadable: [] }),
      }),
      isMine: () => true,
      visiblePairs: () => visiblePairs,
      log: (message) => assert.fail(message),
    });
    tracker.onDidChange((change) => changes.push(change));
  });
  afterEach(async () => {
    tracker.dispose();
    await orders.close();
  });

  /** Sells 10 BTC at 100 THB; the answer is `{"error":0}`. */
  async function send(): Promise<void> {
    const order = limitOrder("sell");
    const id = await orders.recordIntent(order, venueOf(venue), undefined);
    await orders.recordOutcome(id, {
      kind: "accepted",
      venue: venueOf(venue),
      order,
      receipt: { orderId: undefined },
    });
  }

  /** The exchange's ids of the own orders, and the orders that belong to none of them. */
  function rows(): { readonly own: readonly (string | undefined)[]; readonly foreign: readonly string[] } {
    return {
      own: orders.own.map(({ orderId }) => orderId),
      foreign: orders.elsewhere.flatMap(({ name }) => name?.orderId ?? []),
    };
  }

  const open = (changed: Partial<OrderReport> = {}): OrderReport =>
    testReport({ status: "open", placedAt: timers.now(), askedAt: timers.now(), ...changed });

  it("is joined to the listed order with its client id, and is written once", async () => {
    Object.assign(venueOf(venue).profile, { features: { clientOrderId: {} } });
    await send();
    const clientId = orders.own[0]?.intent.clientId ?? assert.fail("no client id");
    listed = [open({ clientId, rate: new Decimal("99") })];
    await timers.advance(20_000);
    assert.deepEqual(rows(), { own: ["7"], foreign: [] });
    assert.equal(orders.own[0]?.evidence.length, 2);
  });

  it("is one row, accepted, if the exchange lists it with its client id although it refused it", async () => {
    Object.assign(venueOf(venue).profile, { features: { clientOrderId: {} } });
    const order = limitOrder("sell");
    const id = await orders.recordIntent(order, venueOf(venue), undefined);
    const error = new RefusedError("placeAsk", { code: 18, httpStatus: 200 });
    await orders.recordOutcome(id, { kind: "rejected", venue: venueOf(venue), order, error });
    const row = open({ clientId: orders.clientIdOf(id) });
    await tracker.record(venueOf(venue), [row]);
    assert.equal(orders.own[0]?.state, "rejected", "an event may name any client id");
    listed = [row];
    visiblePairs = [row];
    tracker.readNow();
    await timers.advance(20_000);
    assert.deepEqual([orders.own[0]?.state, rows().own], ["accepted", ["7"]]);
    const lines = orders.own[0]?.evidence.length;
    await timers.advance(60_000);
    assert.equal(orders.own[0]?.evidence.length, lines, "recorded once");
  });

  it("is joined to the only listed order like it, whose fills then are its own", async () => {
    await send();
    listed = [open({ placedAt: timers.now() + 900 }), open({ orderId: "8", rate: new Decimal("101") })];
    await timers.advance(5_000);
    assert.deepEqual(rows(), { own: ["7"], foreign: ["8"] });
    matched = [open({ status: undefined, fills: [testFill("a", "10", "100", timers.now())] })];
    listed = [];
    await timers.advance(5_000);
    assert.equal(changes.findLast(({ newFills }) => newFills.length > 0)?.order.name.orderId, "7");
  });

  it("is found in the history if it was filled at once", async () => {
    await send();
    const fills = [testFill("a", "4", "101", timers.now()), testFill("b", "6", "100", timers.now())];
    matched = [open({ status: undefined, rate: undefined, quantity: undefined, placedAt: undefined, fills })];
    await timers.advance(6_000);
    assert.deepEqual(rows(), { own: ["7"], foreign: [] });
    assert.equal(changes.at(-1)?.newFills.length, 2);
  });

  it("is not joined if two listed orders are like it", async () => {
    await send();
    listed = [open(), open({ orderId: "8" })];
    await timers.advance(5_000);
    assert.deepEqual(rows(), { own: [undefined], foreign: ["7", "8"] });
  });

  it("is not joined to an order of another time or of another program", async () => {
    await send();
    listed = [open({ placedAt: timers.now() - 600_000 }), open({ orderId: "8", clientId: "OTHER" })];
    await timers.advance(5_000);
    assert.deepEqual(rows(), { own: [undefined], foreign: ["7", "8"] });
  });

  it("is not joined if another own order is like it", async () => {
    await send();
    await send();
    listed = [open()];
    await timers.advance(5_000);
    assert.deepEqual(rows(), { own: [undefined, undefined], foreign: ["7"] });
  });

  it("is no longer searched for after ten minutes", async () => {
    await send();
    await timers.advance(700_000);
    listed = [open({ placedAt: 1 })];
    await timers.advance(60_000);
    assert.deepEqual(rows(), { own: [undefined], foreign: [] });
  });
});
