import assert from "node:assert/strict";
import fc from "fast-check";
import { Decimal, plainText } from "../../../src/market/decimal.ts";
import { estimateFill, usualRules, validateBid, type BidContext } from "../../../src/market/order.ts";
import type { Ticker } from "../../../src/market/ticker.ts";

const ticker: Ticker = {
  symbol: "THB_BTC",
  pair: { quote: "THB", base: "BTC" },
  last: 15000,
  bestBid: undefined,
  bestAsk: undefined,
  high: undefined,
  low: undefined,
  baseVolume: undefined,
  quoteVolume: undefined,
  percentChange: undefined,
  frozen: false,
};

const context: BidContext = { ticker, available: new Decimal("1000"), rules: usualRules };

function problems(amount: string, rate: string, changes: Partial<BidContext> = {}, symbol = "THB_BTC") {
  const result = validateBid({ symbol, amount, rate }, { ...context, ...changes });
  return Array.isArray(result)
    ? result.map(({ field, code, limit }) => `${field} ${code}${limit ? ` ${plainText(limit)}` : ""}`)
    : [];
}

describe("validateBid", () => {
  it("makes a bid of a draft, exact to the last digit", () => {
    const bid = validateBid({ symbol: "THB_BTC", amount: "1000", rate: "15000.123456789012345678" }, context);
    assert.ok(!Array.isArray(bid));
    assert.equal(plainText(bid.rate), "15000.123456789012345678");
    assert.deepEqual([bid.symbol, bid.pair], ["THB_BTC", ticker.pair]);
    assert.equal(plainText(bid.fee), "2.5");
  });

  it("holds the minimum and the available amount to one step either side", () => {
    assert.deepEqual(problems("9.99999999", "1"), ["amount belowMinimum 10"]);
    assert.deepEqual(problems("10", "1"), []);
    assert.deepEqual(problems("1000", "1"), []);
    assert.deepEqual(problems("1000.00000001", "1"), ["amount aboveAvailable 1000"]);
  });

  it("lets an amount pass while the balance is unknown", () => {
    assert.deepEqual(problems("1000000", "1", { available: undefined }), []);
  });

  it("refuses a pair that is missing, unknown, another one, or frozen", () => {
    assert.deepEqual(problems("10", "1", {}, ""), ["pair missing"]);
    assert.deepEqual(problems("10", "1", { ticker: undefined }), ["pair unknownPair"]);
    assert.deepEqual(problems("10", "1", {}, "THB_ETH"), ["pair unknownPair"]);
    assert.deepEqual(problems("10", "1", { ticker: { ...ticker, frozen: true } }), ["pair frozen"]);
  });

  it("says what is wrong with each field, in the order of the form", () => {
    assert.deepEqual(problems("", "", {}, ""), ["pair missing", "amount missing", "rate missing"]);
    assert.deepEqual(problems("1,000", "1e3"), ["amount notDecimal", "rate notDecimal"]);
    assert.deepEqual(problems("0", "0.0"), ["amount notPositive", "rate notPositive"]);
    assert.deepEqual(problems("5", "x"), ["amount belowMinimum 10", "rate notDecimal"]);
  });

  it("refuses a bid that would buy nothing", () => {
    assert.deepEqual(problems("10", "1000000000"), ["amount quantityZero"]);
    assert.deepEqual(problems("10", "997500000"), []);
  });
});

describe("estimateFill", () => {
  it("takes the fee out of the amount, and truncates the quantity", () => {
    const { fee, quantity } = estimateFill(new Decimal("1000"), new Decimal("15000"), usualRules);
    assert.deepEqual([plainText(fee), plainText(quantity)], ["2.5", "0.0665"]);
  });

  it("never promises more than the amount after the fee pays for, nor a whole step less", () => {
    const money = fc.bigInt(1n, 10n ** 15n).map((units) => new Decimal(units.toString()).div("10000"));
    fc.assert(
      fc.property(money, money, (amount, rate) => {
        const { fee, quantity } = estimateFill(amount, rate, usualRules);
        const paid = amount.minus(fee);
        assert.ok(quantity.times(rate).lte(paid));
        assert.ok(quantity.plus("0.00000001").times(rate).gt(paid));
      }),
    );
  });
});
