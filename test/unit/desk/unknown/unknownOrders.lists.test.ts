import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { UnknownOrders } from "../../../../src/desk/unknown/unknownOrders.ts";
import { NoResponseError, RefusedError } from "../../../../src/exchange/errors.ts";
import type { Wallet } from "../../../../src/market/balance.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { testBid, testProfile } from "../../../support/builders/client.ts";
import { openOrders, venueOf } from "../../../support/builders/orderDesk.ts";
import { testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, walletOf } from "../../../support/fakes/venue.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { afterTest } from "../../../support/afterTest.ts";

const lost = new NoResponseError("placeBid", "timeout", "10 s");
const SENT_AT = 1_795_000_000_000;
const TWO_HOURS_MS = 7_200_000;

/**
 * `startAt`: the time of this computer's clock at the start; `offset`: of the exchange's clock, if it was measured;
 * `before`: null if the balance was not known.
 */
interface Beginning {
  readonly startAt?: number;
  readonly offset?: number;
  readonly before?: Decimal | null;
}

const limited = () =>
  new RefusedError("openOrders", { code: 30, httpStatus: 200, retryAt: 1_795_000_160_000 });

describe("the search for an unanswered order in the order history", () => {
  /** An unanswered bid of 1,000 THB with a client id, and `before` THB before it; the balance is 5,000 THB now. */
  async function beginUnknown({ startAt = SENT_AT, offset, before = new Decimal("5000") }: Beginning = {}) {
    const timers = new FakeTimers(startAt);
    const client = new FakeClient();
    if (offset !== undefined) client.clock = { offset, at: startAt };
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "5000" }));
    const current = await openVenue(client);
    const features = { clientOrderId: { duplicates: "unknown" } } as const;
    const venue = { ...venueOf(current), profile: testProfile("https://exchange.example", { features }) };
    const orders = openOrders(temporaryFolder(), timers, randomUUID);
    const unknown = new UnknownOrders({
      orders,
      venue: current,
      timers,
      random: () => 0.5,
      isMine: () => true,
    });
    const order = testBid("1000");
    const id = await orders.recordIntent(order, venue, before ?? undefined);
    await orders.recordOutcome(id, { kind: "unknown", venue, order, error: lost });
    afterTest(async () => {
      unknown.dispose();
      await orders.close();
    });
    return { timers, client, orders, unknown, shown: () => orders.own[0] ?? assert.fail() };
  }

  for (const [when, setBackMs] of [
    ["is ahead of the exchange's", 0],
    ["was ahead of the exchange's, and was set back after the order", TWO_HOURS_MS],
    ["was ahead of the exchange's, and was set back by less than the time since the order", 90_000],
  ] as const)
    it(`finds a match that is dated by the exchange's clock if this computer's clock ${when}`, async () => {
      const { timers, client, unknown, shown } = await beginUnknown({
        startAt: SENT_AT + TWO_HOURS_MS,
        offset: -TWO_HOURS_MS,
        before: null,
      });
      client.walletAnswer = () => Promise.resolve(walletOf({ THB: "4000" }));
      if (setBackMs === 90_000) timers.sleep(setBackMs);
      timers.sleep(-setBackMs);
      client.clock = { offset: setBackMs - TWO_HOURS_MS, at: timers.now() };
      client.capabilities = {
        orderHistory: ({ from = 0 }) => {
          const row = testReport({ orderId: "7", clientId: shown().intent.clientId, status: undefined });
          return Promise.resolve({ orders: from <= SENT_AT ? [row] : [], unreadable: [] });
        },
      };
      await timers.advance(10_000);
      if (shown().state !== "accepted") await unknown.check(shown());
      assert.deepEqual([shown().state, shown().orderId], ["accepted", "7"]);
    });

  for (const [what, hidden] of [
    ["open orders", { openOrders: () => Promise.reject(limited()) }],
    ["order history", { orderHistory: () => Promise.reject(limited()) }],
  ] as const)
    it(`is repeated after a rate limit hid the ${what} at the last check`, async () => {
      const { timers, client, orders, shown } = await beginUnknown();
      const nothing = { orders: [], unreadable: [] };
      const none = () => Promise.resolve(nothing);
      const offered = { openOrders: none, orderHistory: none };
      client.capabilities = { ...offered, ...hidden };
      await timers.advance(150_000);
      assert.equal(shown().state, "unknown", "the last check was at 120 s");
      const checks = shown().evidence.length;
      await timers.advance(30_000);
      assert.equal(shown().evidence.length, checks, "the same result is recorded once");
      const { clientId } = shown().intent;
      const found = testReport({ orderId: "7", clientId });
      client.capabilities = {
        ...offered,
        openOrders: () => Promise.resolve({ ...nothing, orders: [found] }),
      };
      await timers.advance(60_000);
      assert.deepEqual([shown().state, shown().orderId], ["accepted", "7"]);
      assert.equal(orders.attention, 0);
    });

  it("ends unresolved after a list that cannot be read for another reason, or when the rate limit is over", async () => {
    const none = () => Promise.resolve({ orders: [], unreadable: [] });
    const refused = () => Promise.reject(new RefusedError("openOrders", { code: 52, httpStatus: 200 }));
    const limitedFor = (endsAt: number, timers: FakeTimers) => () =>
      timers.now() < endsAt ? Promise.reject(limited()) : none();
    for (const isRefused of [true, false]) {
      const { timers, client, shown } = await beginUnknown();
      const openOrders = isRefused ? refused : limitedFor(timers.now() + 160_000, timers);
      client.capabilities = { openOrders, orderHistory: none };
      await timers.advance(150_000);
      assert.equal(shown().state, isRefused ? "unresolved" : "unknown");
      await timers.advance(120_000);
      assert.equal(shown().state, "unresolved");
    }
  });

  it("is not lost if the user requests a check while one is running", async () => {
    const { timers, client, unknown, shown } = await beginUnknown();
    client.capabilities = { orderHistory: () => Promise.resolve({ orders: [], unreadable: [] }) };
    const wallet = Promise.withResolvers<Wallet>();
    client.walletAnswer = () => wallet.promise;
    await timers.advance(6000);
    client.capabilities = { orderHistory: () => new Promise(() => undefined) };
    void unknown.check(shown());
    // A stranger's change of exactly the amount of the order.
    wallet.resolve(walletOf({ THB: "4000" }));
    await timers.advance(0);
    const check = shown().evidence.find(({ kind }) => kind === "check");
    assert.partialDeepStrictEqual(check, {
      text: "open orders: not read; order history: 0 without its client id; THB before 5000, now 4000",
    });
  });
});
