import assert from "node:assert/strict";
import fc from "fast-check";
import { Decimal, plainText } from "../../../src/market/numbers/decimal.ts";
import {
  amountForQuantity,
  assetsOf,
  estimateFill,
  defaultRules,
  validateOrder,
  type OrderContext,
} from "../../../src/market/order.ts";
import { context, limits } from "../../support/builders/orderContext.ts";

describe("validateOrder for an ask", () => {
  const asks: OrderContext = { ...context, available: new Decimal("2"), offersAsks: true };
  const sell = (amount: string, rate: string, changes: Partial<OrderContext> = {}) =>
    validateOrder({ side: "sell", symbol: "THB_BTC", amount, rate }, { ...asks, ...changes });
  const found = (...given: Parameters<typeof sell>): string[] => {
    const result = sell(...given);
    if (!Array.isArray(result)) return [];
    return result.map(({ field, code, limit }) => `${field} ${code}${limit ? ` ${plainText(limit)}` : ""}`);
  };

  it("sells base for quote, and takes the fee off the quote that arrives", () => {
    const ask = sell("0.12345678", "15000.5");
    assert.ok(!Array.isArray(ask));
    const { side, pair, amount, rate, quantity, fee } = ask;
    assert.deepEqual([side, assetsOf(side, pair)], ["sell", { amount: "BTC", quantity: "THB" }]);
    assert.deepEqual([amount, rate].map(plainText), ["0.12345678", "15000.5"]);
    // 0.12345678 × 15000.5 = 1851.91342839
    assert.deepEqual([fee, quantity].map(plainText), ["4.629783570975", "1847.28"]);
  });

  it("is rejected first if the exchange does not support it", () => {
    assert.deepEqual(found("", "", { offersAsks: false }).at(0), "pair asksNotOffered");
    assert.ok(
      !Array.isArray(
        validateOrder({ side: "buy", symbol: "THB_BTC", amount: "1000", rate: "15000" }, context),
      ),
    );
  });

  it("needs a second confirmation below the last price, and is rejected further below", () => {
    const beyond = (rate: string): string | undefined => {
      const ask = sell("1", rate);
      return Array.isArray(ask) ? "refused" : ask.beyondLastPercent && plainText(ask.beyondLastPercent);
    };
    assert.deepEqual(["99999", "15000", "14700", "14699.99", "12000", "11999.99"].map(beyond), [
      undefined,
      undefined,
      undefined,
      "2.01",
      "20",
      "refused",
    ]);
    assert.deepEqual(found("1", "11999.99"), ["rate farBelowLast 12000"]);
  });

  it("is bounded by the available base, and in value by the minimum and the maximum in quote", () => {
    assert.deepEqual(found("2", "15000"), []);
    assert.deepEqual(found("2.00000001", "15000"), ["amount aboveAvailable 2"]);
    assert.deepEqual(found("0.001", "10000", limits({ refuseBeyondPercent: new Decimal("50") })), []);
    assert.deepEqual(found("0.00099999", "15000"), []);
    assert.deepEqual(found("0.00066666", "15000"), ["amount belowMinimum 10"]);
    const at = limits({ maximumAmount: new Decimal("15000") });
    assert.deepEqual(
      [found("1", "15000", at), found("1", "15000.01", at)],
      [[], ["amount aboveMaximum 15000"]],
    );
    assert.deepEqual(found("1", "15000", limits({ maximumAmount: "unreadable" })), [
      "amount maximumUnreadable",
    ]);
  });

  it("has at most the decimals of the base asset", () => {
    assert.deepEqual(found("0.123456780", "15000"), []);
    assert.deepEqual(found("0.123456789", "15000"), ["amount tooManyDecimals 8"]);
  });

  it("checks the available balance at once, and the value once there is a rate", () => {
    assert.deepEqual(found("0.00000001", ""), ["rate missing"]);
    assert.deepEqual(found("1", "", limits({ maximumAmount: new Decimal("5") })), ["rate missing"]);
    assert.deepEqual(found("3", ""), ["amount aboveAvailable 2", "rate missing"]);
  });

  it("never understates how far a rate is below the last price", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_200_000, max: 1_470_000 }), (hundredths) => {
        const rate = new Decimal(String(hundredths)).times("0.01");
        const ask = sell("1", plainText(rate));
        assert.ok(!Array.isArray(ask));
        const reported = ask.beyondLastPercent;
        if (!reported) return assert.ok(rate.gte("14700"));
        const below = new Decimal("15000").minus(rate).times("100");
        assert.ok(reported.times("15000").gte(below));
        assert.ok(reported.minus("0.01").times("15000").lt(below));
      }),
    );
  });

  it("finds the smallest amount that yields the quantity", () => {
    const units = fc.bigInt(1n, 10n ** 12n).map((count) => new Decimal(count.toString()).times("0.01"));
    fc.assert(
      fc.property(units, units, (quantity, rate) => {
        const amount = amountForQuantity({ side: "sell", quantity, rate }, defaultRules, "THB");
        assert.match(plainText(amount), /^\d+(?:\.\d{1,8})?$/);
        assert.ok(estimateFill({ side: "sell", amount, rate }, defaultRules, "THB").quantity.gte(quantity));
        const less = amount.minus("0.00000001");
        if (less.lte("0")) return;
        assert.ok(
          estimateFill({ side: "sell", amount: less, rate }, defaultRules, "THB").fee.lt(rate.times(amount)),
        );
        const net = less.times(rate).times("0.9975");
        assert.ok(net.lt(quantity), "the next lower amount does not bring the quantity");
      }),
    );
  });
});
