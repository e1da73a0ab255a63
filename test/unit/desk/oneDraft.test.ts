import assert from "node:assert/strict";
import { type BidOutcome, endsDraft, type SentOutcome } from "../../../src/desk/placeBid.ts";
import type { LimitBid } from "../../../src/market/order.ts";
import { deskOf, draft, noOrders } from "../../support/fakeDesk.ts";

describe("a submitted draft", () => {
  it("is not sent, nor recorded, where it was submitted before", async () => {
    const { desk, client, seen } = await deskOf(undefined, {
      orders: { ...noOrders, claim: () => Promise.resolve(false), begin: () => assert.fail("begun") },
    });
    const outcome = await desk.place(draft);
    assert.deepEqual(outcome, { kind: "duplicate" });
    assert.equal(client.calls.placeBid, 0);
    assert.equal(seen.afterSending, 0);
  });

  it("is not used up where nobody confirmed it", async () => {
    const { desk } = await deskOf(() => Promise.resolve(false), {
      orders: { ...noOrders, claim: () => assert.fail("claimed") },
    });
    const outcome = await desk.place(draft);
    assert.equal(outcome.kind, "cancelled");
    assert.equal(endsDraft(outcome), false);
  });

  it("is used up by all that may have reached the journal or the service, and by nothing else", async () => {
    const { desk, venue } = await deskOf();
    const sent = await desk.place(draft);
    assert.equal(sent.kind, "accepted");
    assert.equal(endsDraft(sent), true);
    const at = venue.venue ?? assert.fail();
    const error = new Error("lost");
    const ends: [BidOutcome, boolean][] = [
      [{ kind: "duplicate" }, true],
      [{ kind: "notRecorded", error }, true],
      [{ ...(sent as SentOutcome), kind: "unknown", error }, true],
      [{ kind: "invalid", problems: [] }, false],
      [{ kind: "cancelled" }, false],
      [{ kind: "busy" }, false],
      [{ kind: "noVenue" }, false],
      [{ kind: "venueChanged" }, false],
      [{ kind: "rateBlocked", venue: at }, false],
    ];
    for (const [outcome, isEnd] of ends) assert.equal(endsDraft(outcome), isEnd, outcome.kind);
  });

  it("waits for the end of a service's pause: nothing is asked then, nor sent where it began during the question", async () => {
    let waitMs = 30_000;
    const orders = { ...noOrders, waitMs: () => waitMs, claim: () => assert.fail("claimed") };
    const asked: LimitBid[] = [];
    const { desk, client, venue } = await deskOf(
      async (bid) => {
        waitMs = 1;
        return asked.push(bid) > 0;
      },
      { orders },
    );
    const outcome = { kind: "rateBlocked", venue: venue.venue ?? assert.fail() };
    assert.deepEqual(await desk.place(draft), outcome);
    assert.equal(asked.length, 0);
    waitMs = 0;
    assert.deepEqual(await desk.place(draft), outcome);
    assert.equal(asked.length, 1);
    assert.equal(client.calls.placeBid, 0);
  });
});
