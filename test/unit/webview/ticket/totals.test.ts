import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { defaultRules } from "../../../../src/market/order.ts";
import { rateStep, totals } from "../../../../src/webview/ticket/totals.ts";

const bid = (amount: string) => ({ side: "buy", amount, rate: "15000" }) as const;

describe("the live totals", () => {
  it("give value, fee and remaining base of an ask, once it has a rate", () => {
    const ask = { side: "sell", amount: "0.5", rate: "15000" } as const;
    assert.deepEqual(totals(ask, "2", defaultRules), { total: "7500", fee: "18.75", left: "1.5" });
    const none = { total: undefined, fee: undefined };
    assert.deepEqual(totals({ ...ask, rate: "" }, "2", defaultRules), { ...none, left: "1.5" });
  });

  it("give total, included fee and remaining balance, exactly", () => {
    assert.deepEqual(totals(bid("1000.10"), "1000000", defaultRules), {
      total: "1000.1",
      fee: "2.50025",
      left: "998999.9",
    });
  });

  it("give only what the amount determines", () => {
    const none = { total: undefined, fee: undefined, left: undefined };
    for (const amount of ["", "1e3", "1k"]) assert.deepEqual(totals(bid(amount), "5", defaultRules), none);
    assert.deepEqual(totals(bid("1000"), undefined, defaultRules), { ...none, total: "1000", fee: "2.5" });
    assert.equal(totals(bid("6"), "5", defaultRules).left, undefined);
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

  it("step a rate by whole price steps of the exchange, however many decimals were typed", () => {
    const [quarter, five] = [new Decimal("0.25"), new Decimal("5")];
    assert.equal(rateStep("100", "100", 2, 1, quarter), "100.25");
    assert.equal(rateStep("1000", "1000", 2, 1, quarter), "1001");
    assert.equal(rateStep("1000", "1000", 2, -10, quarter), "990");
    assert.equal(rateStep("100.1", "100", 2, 1, quarter), "100.25");
    assert.equal(rateStep("100.123456", "100", 2, -1, quarter), "99.75");
    assert.equal(rateStep("12345", "12345", 2, 1, five), "12355");
    assert.equal(rateStep("7", "7", 2, -1, five), "5");
    assert.equal(rateStep("0.00000002", "0.00000002", 8, -1, new Decimal("0.00000001")), "0.00000001");
  });
});
