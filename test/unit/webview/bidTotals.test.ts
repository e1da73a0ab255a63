import assert from "node:assert/strict";
import { usualRules } from "../../../src/market/order.ts";
import { rateStep, totals } from "../../../src/webview/bidTotals.ts";

describe("the live totals", () => {
  it("give quantity, fee and what is left, to the digit", () => {
    assert.deepEqual(totals({ amount: "1000", rate: "15000" }, "1000000", usualRules), {
      quantity: "0.0665",
      fee: "2.5",
      left: "999000",
    });
  });

  it("give only what the draft determines", () => {
    const none = { quantity: undefined, fee: undefined, left: undefined };
    assert.deepEqual(totals({ amount: "", rate: "" }, "5", usualRules), none);
    assert.deepEqual(totals({ amount: "1e3", rate: "1" }, "5", usualRules), none);
    assert.deepEqual(totals({ amount: "1000", rate: "0" }, undefined, usualRules), { ...none, fee: "2.5" });
    assert.equal(totals({ amount: "6", rate: "1" }, "5", usualRules).left, undefined);
  });

  it("step a rate by a tenth of a percent in the pair's decimals, and never to zero", () => {
    assert.equal(rateStep("15000", "15000.5", 2, 1), "15015");
    assert.equal(rateStep("15000", "15000.5", 2, -10), "14850");
    assert.equal(rateStep("15000.123", "15000.5", 2, 1), "15015.123");
    assert.equal(rateStep("", "0.00000123", 8, 1), "0.00000124");
    assert.equal(rateStep("0.00000005", "0.00000005", 8, -10), "0.00000001");
    assert.equal(rateStep("0.00000001", "0.00000001", 8, -1), "0.00000001");
    assert.equal(rateStep("abc", undefined, 2, 1), "abc");
  });
});
