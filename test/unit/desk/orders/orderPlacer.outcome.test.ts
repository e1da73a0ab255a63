import assert from "node:assert/strict";
import { placerOf, draft, noOrders } from "../../../support/fakes/orderPlacer.ts";

describe("a draft", () => {
  it("has the id of its order in its outcome", async () => {
    const { placer } = await placerOf(undefined, { orders: { ...noOrders, recordIntent: async () => "77" } });
    const outcome = await placer.place(draft);
    assert.equal("id" in outcome && outcome.id, "77");
    assert.equal("id" in (await placer.place({ ...draft, amount: "1" })), false);
  });

  it("reports its problems at any time, without a confirmation", async () => {
    const { placer, client } = await placerOf(() => assert.fail("asked"));
    assert.deepEqual(placer.problems(draft), []);
    assert.deepEqual(
      placer
        .problems({ side: "buy", symbol: "THB_NONE", amount: "1k", rate: "" })
        .map(({ field, code }) => [field, code]),
      [
        ["pair", "unknownPair"],
        ["amount", "notDecimal"],
        ["rate", "missing"],
      ],
    );
    assert.equal(client.calls.placeOrder, 0);
  });
});
