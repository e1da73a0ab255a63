import assert from "node:assert/strict";
import { draftKey } from "../../../../src/desk/orders/draftKey.ts";
import { testAsk, testBid } from "../../../support/builders/client.ts";
import { allFeatures } from "../../../support/builders/features.ts";
import { draft, placerOf } from "../../../support/fakes/orderPlacer.ts";
import { FakeClient, openVenue, tickerOf } from "../../../support/fakes/venue.ts";

describe("an ask on the desk", () => {
  it("is not sent if the price rose far above its rate while the user decided", async () => {
    const client = new FakeClient();
    const { signedIn: practice } = await openVenue(client);
    assert.ok(practice);
    const venue = { ...practice, profile: { ...practice.profile, features: allFeatures("B") } };
    const current = { venue, signedIn: venue, signIn: async () => venue, onDidChange: () => () => undefined };
    for (const [last, end] of [
      [100, "accepted"],
      [110, "belowLastNow"],
    ] as const) {
      let now = 100;
      const { placer } = await placerOf(async () => (now = last) > 0, {
        venue: current,
        ticker: (symbol) => tickerOf(symbol, { last: now }),
      });
      const outcome = await placer.place({ ...draft, side: "sell", amount: "10", rate: "100" });
      const found =
        outcome.kind === "invalid" ? outcome.problems.map(({ code }) => code).join() : outcome.kind;
      assert.equal(found, end);
    }
    assert.equal(client.calls.placeOrder, 1);
  });

  it("is another draft than a bid of the same figures, and than one that may only wait", () => {
    const id = "4f2c8d1e-0b6a-4c35-9d07-5a1e2f3b4c6d";
    assert.notEqual(draftKey(id, testAsk("1000")), draftKey(id, testBid("1000")));
    for (const order of [testAsk("1000"), testBid("1000")])
      assert.notEqual(draftKey(id, order), draftKey(id, { ...order, postOnly: true }));
    assert.equal(draftKey(id, testAsk("0.50")), draftKey(id, testAsk("0.5")));
  });
});
