import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { weigh } from "../../../../src/desk/orders/balanceEvidence.ts";
import type { Orders } from "../../../../src/desk/orders/orders.ts";
import { changesByOthers } from "../../../../src/desk/orders/otherOrders.ts";
import type { Venue } from "../../../../src/desk/venue.ts";
import { NoResponseError } from "../../../../src/exchange/errors.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { Fill, OrderReport } from "../../../../src/market/orderReport.ts";
import { testBid } from "../../../support/builders/client.ts";
import { openOrders, venueOf } from "../../../support/builders/orderDesk.ts";
import { testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, walletOf } from "../../../support/fakes/venue.ts";

const HOUR = 3_600_000;
const lost = new NoResponseError("placeBid", "timeout", "10 s");

describe("a bid of 300 THB without an answer, beside other orders", () => {
  let directory: string;
  let timers: FakeTimers;
  let venue: Venue;
  let orders: Orders;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "bidside-others-"));
    timers = new FakeTimers();
    venue = venueOf(await openVenue(new FakeClient()));
    let count = 0;
    const newId = () => `10000000-0000-4000-8000-${String((count += 1)).padStart(12, "0")}`;
    orders = openOrders(directory, timers, newId);
  });
  afterEach(async () => {
    await orders.close();
    rmSync(directory, { recursive: true });
  });

  /** A bid that the exchange accepted under this id. */
  async function accept(orderId: string, amount: string): Promise<void> {
    const order = testBid(amount);
    const id = await orders.recordIntent(order, venue, undefined);
    await orders.recordOutcome(id, { kind: "accepted", venue, order, receipt: { orderId } });
  }

  async function report(orderId: string, given: Partial<OrderReport>): Promise<void> {
    const all = testReport({ orderId, side: "buy", quantity: undefined, rate: undefined, ...given });
    await orders.recordReports([{ ...all, askedAt: timers.now() }], venue);
  }

  async function cancel(orderId: string): Promise<void> {
    const { id, profile } = venue;
    const place = {
      venue: id,
      origin: profile.baseUrl.origin,
      quote: "THB",
      base: "BTC",
      side: "buy",
    } as const;
    await orders.recordCancel({ ...place, orderId, symbol: "THB_BTC", step: "taken" });
  }

  const fill = (spent: string): Fill => ({
    id: spent,
    at: timers.now(),
    rate: new Decimal("100"),
    quantity: new Decimal("1"),
    value: new Decimal(spent).minus("0.5"),
    fee: new Decimal("0.5"),
  });

  /** The order is sent at a balance of 5000, and what the balance of now says of it. */
  async function judged(now: string): Promise<string> {
    const id = await orders.recordIntent(testBid("300"), venue, new Decimal("5000"));
    await orders.recordOutcome(id, { kind: "unknown", venue, order: testBid("300"), error: lost });
    const { intent } = orders.own.find((order) => order.intent.id === id) ?? assert.fail();
    const others = changesByOthers(intent, orders, venue, timers.now() - HOUR);
    return weigh(intent, walletOf({ THB: now }), others).state;
  }

  it("does not count as placed if another order spent 300 before it was cancelled", async () => {
    await accept("1", "1000");
    await report("1", { status: "partlyFilledCancelled", fills: [fill("300")] });
    assert.equal(await judged("4700"), "unknown");
  });

  it("does not count as placed if an old order returned 1000 and another one took 1300", async () => {
    await accept("1", "1000");
    timers.sleep(3 * HOUR);
    await report("1", { status: "cancelled" });
    await accept("2", "1300");
    assert.equal(await judged("4700"), "unknown");
  });

  it("is found beside an open order, which took its whole amount however much of it is filled", async () => {
    await accept("1", "1000");
    await report("1", { status: "open", fills: [fill("400")] });
    assert.deepEqual([await judged("3700"), await judged("4600")], ["accepted", "unknown"]);
  });

  it("is found beside an order that gave all its money back", async () => {
    await accept("1", "1000");
    await report("1", { status: "cancelled" });
    assert.equal(await judged("4700"), "accepted");
  });

  it("is found beside orders that ended long ago", async () => {
    await accept("1", "1000");
    await report("1", { status: "partlyFilledCancelled", fills: [fill("300.001")] });
    await accept("2", "1000");
    await cancel("2");
    timers.sleep(3 * HOUR);
    assert.equal(await judged("4700"), "accepted");
  });

  for (const [what, begin] of [
    ["is being cancelled", () => cancel("1")],
    ["disappeared from every list without a reason", () => report("1", { goneAt: timers.now() })],
    [
      "was cancelled, and whose fills are rounded",
      () => report("1", { status: "partlyFilledCancelled", fills: [fill("300.001")] }),
    ],
  ] as const)
    it(`is not judged beside an order that ${what}`, async () => {
      await accept("1", "1000");
      await begin();
      assert.equal(await judged("4700"), "unknown");
    });

  it("does not count as placed if an order placed elsewhere took 300", async () => {
    await report("9", {
      status: "open",
      amount: new Decimal("300"),
      placedAt: timers.now(),
      rate: new Decimal("99"),
    });
    assert.equal(await judged("4700"), "unknown");
  });

  it("is found if the exchange lists one order that is exactly like it", async () => {
    const like = { amount: new Decimal("300"), rate: new Decimal("15000.5"), placedAt: timers.now() };
    await report("9", { status: "open", ...like });
    assert.equal(await judged("4700"), "accepted");
    await report("10", { status: "open", ...like });
    assert.equal(await judged("4700"), "unknown", "one of two may be from elsewhere");
  });
});
