import assert from "node:assert/strict";
import { type OrderOutcome, endsDraft } from "../../../../src/desk/orders/orderPlacer.ts";
import type { SentOutcome } from "../../../../src/desk/orders/orders.ts";
import type { LimitOrder } from "../../../../src/market/order.ts";
import { placerOf, draft, noOrders } from "../../../support/fakes/orderPlacer.ts";
import { FakeClient, openVenue, TEST_ACCOUNT, tickerOf, liveAccount } from "../../../support/fakes/venue.ts";

/** Orders that keep their claims, as the journal does. */
function claimingOrders(): typeof noOrders {
  const claimed = new Set<string>();
  return {
    ...noOrders,
    isClaimed: async (key) => claimed.has(key),
    claim: async (key) => !claimed.has(key) && claimed.add(key).has(key),
  };
}

describe("a submitted draft", () => {
  it("is reported as submitted before the first confirmation", async () => {
    let asked = 0;
    const { placer, client } = await placerOf(async () => (asked += 1) > 0, { orders: claimingOrders() });
    assert.equal((await placer.place(draft)).kind, "accepted");
    assert.deepEqual(await placer.place(draft), { kind: "duplicate" });
    assert.deepEqual([asked, client.calls.placeOrder], [1, 1]);
  });

  // A form restored after a crash brings the id of the draft that was under way.
  it("is new after an edit of pair, amount or rate, and the same after another spelling", async () => {
    const { placer, client } = await placerOf(undefined, {
      orders: claimingOrders(),
      ticker: (symbol) => tickerOf(symbol),
    });
    const kinds: string[] = [];
    for (const edited of [
      {},
      { amount: "1000.00" },
      { id: draft.id.toUpperCase() },
      { amount: "1001" },
      { rate: "100.51" },
      { symbol: "THB_ETH" },
      { amount: "1001" },
    ]) {
      kinds.push((await placer.place({ ...draft, ...edited })).kind);
    }
    const sent = "accepted";
    assert.deepEqual(kinds, [sent, "duplicate", "duplicate", sent, sent, sent, "duplicate"]);
    assert.equal(client.calls.placeOrder, 4);
  });

  it("is neither sent nor recorded if it was submitted before", async () => {
    const { placer, client, seen } = await placerOf(undefined, {
      orders: { ...noOrders, claim: () => Promise.resolve(false), recordIntent: () => assert.fail("begun") },
    });
    const outcome = await placer.place(draft);
    assert.deepEqual(outcome, { kind: "duplicate" });
    assert.equal(client.calls.placeOrder, 0);
    assert.equal(seen.afterSending, 0);
  });

  it("stays usable without a confirmation", async () => {
    const { placer } = await placerOf(() => Promise.resolve(false), {
      orders: { ...noOrders, claim: () => assert.fail("claimed") },
    });
    const outcome = await placer.place(draft);
    assert.equal(outcome.kind, "cancelled");
    assert.equal(endsDraft(outcome), false);
  });

  it("is used up only by an attempt that may have reached the journal or the service", async () => {
    const { placer, venue } = await placerOf();
    const sent = await placer.place(draft);
    assert.equal(sent.kind, "accepted");
    assert.equal(endsDraft(sent), true);
    const at = venue.venue ?? assert.fail();
    const error = new Error("lost");
    const ends: [OrderOutcome | SentOutcome, boolean][] = [
      [{ kind: "duplicate" }, true],
      [{ kind: "notRecorded", error }, true],
      [{ ...(sent as SentOutcome), kind: "unknown", error }, true],
      [{ kind: "invalid", problems: [] }, false],
      [{ kind: "cancelled" }, false],
      [{ kind: "busy" }, false],
      [{ kind: "noVenue" }, false],
      [{ kind: "venueChanged" }, false],
      [{ kind: "rateLimited", venue: at }, false],
    ];
    for (const [outcome, isEnd] of ends) assert.equal(endsDraft(outcome), isEnd, outcome.kind);
  });

  it("is sent to no other account than its own", async () => {
    const venue = await openVenue(new FakeClient());
    await venue.select(liveAccount);
    const kinds: string[] = [];
    for (const account of ["2".repeat(16), "practice", "", TEST_ACCOUNT]) {
      const { placer } = await placerOf(undefined, { venue });
      kinds.push((await placer.place({ ...draft, account })).kind);
    }
    assert.deepEqual(kinds, ["venueChanged", "venueChanged", "venueChanged", "accepted"]);
  });

  it("waits for the end of a rate limit, also if it begins during the confirmation", async () => {
    let waitMs = 30_000;
    const orders = { ...noOrders, waitMs: () => waitMs, claim: () => assert.fail("claimed") };
    const asked: LimitOrder[] = [];
    const { placer, client, venue } = await placerOf(
      async ({ order: bid }) => {
        waitMs = 1;
        return asked.push(bid) > 0;
      },
      { orders },
    );
    const { venue: watching = assert.fail(), signedIn = assert.fail() } = venue;
    assert.deepEqual(await placer.place(draft), { kind: "rateLimited", venue: watching });
    assert.equal(asked.length, 0);
    waitMs = 0;
    assert.deepEqual(await placer.place(draft), { kind: "rateLimited", venue: signedIn });
    assert.equal(asked.length, 1);
    assert.equal(client.calls.placeOrder, 0);
  });
});
