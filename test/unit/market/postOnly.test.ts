import assert from "node:assert/strict";
import { validateOrder } from "../../../src/market/order.ts";
import { context } from "../../support/builders/orderContext.ts";

describe("validateOrder for a post-only draft", () => {
  const draft = { side: "buy", symbol: "THB_BTC", amount: "1000", rate: "14000" } as const;

  it("creates a post-only order if the exchange supports it", () => {
    const order = validateOrder({ ...draft, postOnly: true }, { ...context, offersPostOnly: true });
    assert.ok(!Array.isArray(order));
    assert.equal(order.postOnly, true);
  });

  it("is rejected if the exchange does not support it, so that the flag is never dropped", () => {
    for (const offer of [{}, { offersPostOnly: false }]) {
      const found = validateOrder({ ...draft, postOnly: true }, { ...context, ...offer });
      assert.deepEqual(found, [{ field: "pair", code: "postOnlyNotOffered" }]);
    }
  });

  it("leaves every other order as it was", () => {
    for (const flags of [{}, { postOnly: false }, { postOnly: undefined }]) {
      const order = validateOrder({ ...draft, ...flags }, { ...context, offersPostOnly: true });
      assert.deepEqual(order, validateOrder(draft, context));
      assert.equal("postOnly" in order, false);
    }
  });
});
