import assert from "node:assert/strict";
import { deskOf, draft, noOrders } from "../../../support/fakes/bidDesk.ts";

describe("a draft", () => {
  // M15
  it("tells by its outcome which of the orders it became", async () => {
    const { desk } = await deskOf(undefined, { orders: { ...noOrders, begin: async () => "77" } });
    const outcome = await desk.place(draft);
    assert.equal("order" in outcome && outcome.order, "77");
    assert.equal("order" in (await desk.place({ ...draft, amount: "1" })), false);
  });

  // U6
  it("tells the problems of a draft at any time, without a question", async () => {
    const { desk, client } = await deskOf(() => assert.fail("asked"));
    assert.deepEqual(desk.problems(draft), []);
    assert.deepEqual(
      desk.problems({ symbol: "THB_NONE", amount: "1k", rate: "" }).map(({ field, code }) => [field, code]),
      [
        ["pair", "unknownPair"],
        ["amount", "notDecimal"],
        ["rate", "missing"],
      ],
    );
    assert.equal(client.calls.placeBid, 0);
  });
});
