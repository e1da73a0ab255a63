import assert from "node:assert/strict";
import { usualRules } from "../../../src/market/order.ts";
import { grouped, pricePlaces, rateStep, totals } from "../../../src/webview/bidTotals.ts";

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
    assert.equal(rateStep("15000", "15000.5", 1), "15015");
    assert.equal(rateStep("", "0.00000123", 1), "0.00000124");
    assert.equal(rateStep("0.00000001", "0.00000001", -1), "0.00000001");
    assert.equal(rateStep("abc", undefined, 1), "abc");
  });

  it("show a pair's prices with the same decimals, never fewer than the finest of them has", () => {
    assert.equal(pricePlaces(["3116510.5", "3114361.38", undefined]), 2);
    assert.equal(pricePlaces(["100", "101", "102"]), 2);
    assert.equal(pricePlaces(["0.00071346", "0.0007134"]), 8);
    assert.equal(pricePlaces([undefined]), 0);
  });

  it("show every digit of an amount", () => {
    assert.equal(grouped("9007199254740993.5", "en", 2), "9,007,199,254,740,993.50");
  });
});
