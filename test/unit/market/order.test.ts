import assert from "node:assert/strict";
import fc from "fast-check";
import { Decimal, plainText, priceText } from "../../../src/market/numbers/decimal.ts";
import {
  amountForQuantity,
  defaultRules,
  estimateFill,
  isSameOrder,
  keyOf,
  type OrderContext,
  type OrderName,
  type Side,
  validateOrder,
} from "../../../src/market/order.ts";
import { context, limits, ticker } from "../../support/builders/orderContext.ts";

function problems(
  amount: string,
  rate: string,
  changes: Partial<OrderContext> = {},
  symbol = "THB_BTC",
  side: Side = "buy",
) {
  const result = validateOrder({ side, symbol, amount, rate }, { ...context, ...changes });
  return Array.isArray(result)
    ? result.map(({ field, code, limit }) => `${field} ${code}${limit ? ` ${plainText(limit)}` : ""}`)
    : [];
}

describe("validateOrder", () => {
  it("makes a bid from a draft, exact to the last digit", () => {
    const bid = validateOrder(
      { side: "buy", symbol: "THB_BTC", amount: "1000", rate: "15000.123456789012345678" },
      context,
    );
    assert.ok(!Array.isArray(bid));
    assert.equal(bid.beyondLastPercent, undefined);
    assert.equal(plainText(bid.rate), "15000.123456789012345678");
    assert.deepEqual([bid.symbol, bid.pair], ["THB_BTC", ticker.pair]);
    assert.equal(plainText(bid.fee), "2.5");
  });

  it("checks the minimum and the available amount exactly to one step", () => {
    assert.deepEqual(problems("9.99999999", "1"), ["amount belowMinimum 10"]);
    assert.deepEqual(problems("10", "1"), []);
    assert.deepEqual(problems("1000", "1"), []);
    assert.deepEqual(problems("1000.00000001", "1"), ["amount aboveAvailable 1000"]);
  });

  it("accepts an amount while the balance is unknown", () => {
    assert.deepEqual(problems("1000000", "1", { available: undefined }), []);
  });

  it("rejects a pair that is missing, unknown, different or frozen", () => {
    assert.deepEqual(problems("10", "1", {}, ""), ["pair missing"]);
    assert.deepEqual(problems("10", "1", { ticker: undefined }), ["pair unknownPair"]);
    assert.deepEqual(problems("10", "1", {}, "THB_ETH"), ["pair unknownPair"]);
    assert.deepEqual(problems("10", "1", { ticker: { ...ticker, frozen: true } }), ["pair frozen"]);
  });

  it("reports the problem of each field, in the order of the form", () => {
    assert.deepEqual(problems("", "", {}, ""), ["pair missing", "amount missing", "rate missing"]);
    assert.deepEqual(problems("1,000", "1e3"), ["amount notDecimal", "rate notDecimal"]);
    assert.deepEqual(problems("0", "0.0"), ["amount notPositive", "rate notPositive"]);
    assert.deepEqual(problems("5", "x"), ["amount belowMinimum 10", "rate notDecimal"]);
    assert.deepEqual(problems("5", "18000.01", {}, "THB_ETH"), [
      "pair unknownPair",
      "amount belowMinimum 10",
    ]);
  });

  it("rejects a bid that would buy zero", () => {
    const dear = { ticker: { ...ticker, last: 1_000_000_000 } };
    assert.deepEqual(problems("10", "1000000000", dear), ["amount quantityZero"]);
    assert.deepEqual(problems("10", "997500000", dear), []);
  });
});

/** The percentage of the second confirmation that a bid at `rate` needs; undefined without a need. */
function above(rate: string, changes: Partial<OrderContext> = {}): string | undefined {
  const bid = validateOrder(
    { side: "buy", symbol: "THB_BTC", amount: "1000", rate },
    { ...context, ...changes },
  );
  assert.ok(!Array.isArray(bid), JSON.stringify(bid));
  return bid.beyondLastPercent && plainText(bid.beyondLastPercent);
}

describe("the guards of a bid", () => {
  it("reject a rate one step more than 20 % above the last price, and name the maximum", () => {
    assert.deepEqual(problems("1000", "17999.99"), []);
    assert.deepEqual(problems("1000", "18000"), []);
    assert.deepEqual(problems("1000", "18000.01"), ["rate farAboveLast 18000"]);
    const small = { ticker: { ...ticker, last: 1e-8 } };
    assert.deepEqual(problems("1000", "0.000000012", small), []);
    assert.deepEqual(problems("1000", "0.000000013", small), ["rate farAboveLast 0.000000012"]);
  });

  it("mark a rate one step more than 2 % above the last price, and no rate below that", () => {
    assert.equal(above("0.01"), undefined);
    assert.equal(above("15299.99"), undefined);
    assert.equal(above("15300"), undefined);
    assert.equal(above("15300.01"), "2.01");
    assert.equal(above("18000"), "20");
  });

  it("reject what the exchange rejects on the better side, and name the nearest valid step", () => {
    const bandPercent = { buy: new Decimal("15"), sell: new Decimal("15") };
    const rules = { ...defaultRules, rateStep: new Decimal("7"), bandPercent };
    const given = { rules, offersAsks: true };
    // 15 % below the last price is 12,750, and 15 % above it 17,250.
    assert.deepEqual(problems("1000", "12747", given), ["rate farBelowLast 12754"]);
    assert.deepEqual(problems("1000", "12754", given), []);
    assert.deepEqual(problems("1", "17255", given, "THB_BTC", "sell"), ["rate farAboveLast 17248"]);
    assert.deepEqual(problems("1", "17248", given, "THB_BTC", "sell"), []);
  });

  it("use the configured limits, and reject before asking for confirmation", () => {
    const given = limits({ confirmBeyondPercent: new Decimal("0"), refuseBeyondPercent: new Decimal("0.5") });
    assert.equal(above("15000", given), undefined);
    assert.equal(above("15000.01", given), "0.01");
    assert.equal(above("15075", given), "0.5");
    assert.deepEqual(problems("1000", "15075.01", given), ["rate farAboveLast 15075"]);
    const turned = limits({
      confirmBeyondPercent: new Decimal("50"),
      refuseBeyondPercent: new Decimal("10"),
    });
    assert.deepEqual(problems("1000", "16500.01", turned), ["rate farAboveLast 16500"]);
  });

  it("use the decimal text of the last price, and not the value of its float", () => {
    const tenth = { ticker: { ...ticker, last: 0.1 } };
    assert.equal(above("0.102", tenth), undefined);
    assert.equal(above("0.1020000000000000001", tenth), "2.01");
    assert.deepEqual(problems("1000", "0.12", tenth), []);
    assert.deepEqual(problems("1000", "0.12000000000000000001", tenth), ["rate farAboveLast 0.12"]);
  });

  it("reject exactly the rates above the limit", () => {
    const price = fc.oneof(
      fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
      fc.integer({ min: 1, max: 100_000_000 }).map((cents) => cents / 100),
    );
    const percent = fc.integer({ min: 0, max: 10_000 });
    const steps = fc.bigInt(-1000n, 1000n);
    fc.assert(
      fc.property(price, percent, steps, (last, hundredths, offset) => {
        const [whole = "", part = ""] = priceText(last).split(".");
        const scale = 10n ** 4n;
        const highest = BigInt(whole + part) * (scale + BigInt(hundredths));
        const rate = highest + offset;
        fc.pre(rate > 0n);
        const digits = rate.toString().padStart(part.length + 5, "0");
        const point = digits.length - part.length - 4;
        const changes = {
          ticker: { ...ticker, last },
          available: undefined,
          ...limits({ refuseBeyondPercent: new Decimal(hundredths.toString()).times("0.01") }),
        };
        const found = problems(
          "1" + "0".repeat(29),
          `${digits.slice(0, point)}.${digits.slice(point)}`,
          changes,
        );
        assert.equal(found.length, rate > highest ? 1 : 0, found.join());
      }),
      { numRuns: 300 },
    );
  });

  it("block a price older than 10 s, to the millisecond, and a price without a known age", () => {
    assert.deepEqual(problems("10", "1", { priceAgeMs: 9_999 }), []);
    assert.deepEqual(problems("10", "1", { priceAgeMs: 10_000 }), []);
    assert.deepEqual(problems("10", "1", { priceAgeMs: 10_001 }), ["pair priceTooOld"]);
    assert.deepEqual(problems("10", "1", { priceAgeMs: -1 }), ["pair priceTooOld"]);
    assert.deepEqual(problems("10", "1", { priceAgeMs: Number.NaN }), ["pair priceTooOld"]);
    assert.deepEqual(problems("10", "1", { priceAgeMs: 501, ...limits({ maximumPriceAgeMs: 500 }) }), [
      "pair priceTooOld",
    ]);
  });

  it("block a price of any age if its latest poll failed", () => {
    assert.deepEqual(problems("10", "1", { priceAgeMs: 0, pricesAreStale: true }), ["pair priceTooOld"]);
  });

  it("block a bid without a price, before the first trade, or with a malformed price", () => {
    assert.deepEqual(problems("10", "1", { priceAgeMs: undefined }), ["pair noPrice"]);
    for (const last of [undefined, 0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.deepEqual(problems("10", "99999", { ticker: { ...ticker, last } }), ["pair noPrice"]);
    }
  });

  it("compare no rate with a price that is too old", () => {
    assert.deepEqual(problems("10", "99999", { priceAgeMs: 10_001 }), ["pair priceTooOld"]);
  });

  it("check the maximum order exactly to one step, and have no maximum by default", () => {
    const given = limits({ maximumAmount: new Decimal("500") });
    assert.deepEqual(problems("499.99", "1", given), []);
    assert.deepEqual(problems("500", "1", given), []);
    assert.deepEqual(problems("500.01", "1", given), ["amount aboveMaximum 500"]);
    assert.deepEqual(problems("2000", "1", given), ["amount aboveMaximum 500"]);
    assert.deepEqual(problems("500.01", "1"), []);
  });

  it("block every bid if the maximum is unreadable", () => {
    const given = limits({ maximumAmount: "unreadable" });
    for (const amount of ["1", "10", "2000"]) {
      assert.deepEqual(problems(amount, "1", given), ["amount maximumUnreadable"]);
    }
    assert.deepEqual(problems("x", "1", given), ["amount notDecimal"]);
  });

  it("report the problems of every field at once", () => {
    assert.deepEqual(problems("501", "18000.01", limits({ maximumAmount: new Decimal("500") })), [
      "amount aboveMaximum 500",
      "rate farAboveLast 18000",
    ]);
    assert.deepEqual(problems("x", "18000.01", {}), ["amount notDecimal", "rate farAboveLast 18000"]);
  });
});

describe("estimateFill", () => {
  it("deducts the fee from the amount, and truncates the quantity", () => {
    const { fee, quantity } = estimateFill(
      { side: "buy", amount: new Decimal("1000"), rate: new Decimal("15000") },
      defaultRules,
      "THB",
    );
    assert.deepEqual([plainText(fee), plainText(quantity)], ["2.5", "0.0665"]);
  });

  it("never exceeds the quantity that the amount pays for, and is within one step of it", () => {
    const money = fc.bigInt(1n, 10n ** 15n).map((units) => new Decimal(units.toString()).div("10000"));
    fc.assert(
      fc.property(money, money, (amount, rate) => {
        const { fee, quantity } = estimateFill({ side: "buy", amount, rate }, defaultRules, "THB");
        const paid = amount.minus(fee);
        assert.ok(quantity.times(rate).lte(paid));
        assert.ok(quantity.plus("0.00000001").times(rate).gt(paid));
      }),
    );
  });
});

describe("amountForQuantity", () => {
  it("is the smallest amount, in hundredths of a currency, that yields the quantity", () => {
    assert.equal(
      plainText(
        amountForQuantity(
          { side: "buy", quantity: new Decimal("0.0665"), rate: new Decimal("15000") },
          defaultRules,
          "THB",
        ),
      ),
      "1000",
    );
    const units = fc.bigInt(1n, 10n ** 12n).map((count) => new Decimal(count.toString()));
    fc.assert(
      fc.property(units, units, (hundredMillionths, cents) => {
        const quantity = hundredMillionths.times("0.00000001");
        const rate = cents.times("0.01");
        const amount = amountForQuantity({ side: "buy", quantity, rate }, defaultRules, "THB");
        assert.match(plainText(amount), /^\d+(?:\.\d{1,2})?$/);
        assert.ok(estimateFill({ side: "buy", amount, rate }, defaultRules, "THB").quantity.gte(quantity));
        const less = amount.minus("0.01");
        const paid = less.minus(less.times(defaultRules.feeShare));
        assert.ok(paid.lt(quantity.times(rate)), "a hundredth less does not pay for the quantity");
      }),
    );
  });

  it("has eight decimals in other assets, because 0.01 BTC is a lot of money", () => {
    const amount = (quote: string): string =>
      plainText(
        amountForQuantity(
          { side: "buy", quantity: new Decimal("2.5"), rate: new Decimal("0.03471") },
          defaultRules,
          quote,
        ),
      );
    assert.equal(amount("BTC"), "0.08699249");
    assert.equal(amount("USDT"), "0.08699249");
    assert.equal(amount("THB"), "0.09");
    const units = fc.bigInt(1n, 10n ** 12n).map((count) => new Decimal(count.toString()).times("0.00000001"));
    fc.assert(
      fc.property(units, units, (quantity, rate) => {
        const least = amountForQuantity({ side: "buy", quantity, rate }, defaultRules, "BTC");
        assert.match(plainText(least), /^\d+(?:\.\d{1,8})?$/);
        assert.ok(
          estimateFill({ side: "buy", amount: least, rate }, defaultRules, "THB").quantity.gte(quantity),
        );
        const less = least.minus("0.00000001");
        const paid = less.minus(less.times(defaultRules.feeShare));
        assert.ok(paid.lt(quantity.times(rate)), "the next lower amount does not pay for the quantity");
      }),
    );
  });
});

describe("the name of an order", () => {
  const live: OrderName = {
    venue: "live",
    origin: "https://one.example",
    account: "1".repeat(16),
    quote: "THB",
    base: "BTC",
    side: "buy",
    orderId: "1",
  };
  const practice: OrderName = { ...live, venue: "practice", account: undefined };
  const isSame = (one: OrderName, other: OrderName): boolean => {
    const hasSameKey = keyOf(one) === keyOf(other);
    assert.equal(isSameOrder(one, other), hasSameKey);
    return hasSameKey;
  };

  for (const change of [
    { account: undefined },
    { account: "2".repeat(16) },
    { quote: "USDT" },
    { base: "ETH" },
    { side: "sell" },
    { orderId: "2" },
  ] as const)
    it(`differs if only this differs: ${JSON.stringify(change)}`, () => {
      assert.ok(isSame(live, { ...live }));
      assert.ok(!isSame(live, { ...live, ...change }));
    });

  it("stays the same when the practice exchange starts at another address", () => {
    assert.ok(isSame(practice, { ...practice, origin: "https://two.example" }));
    assert.ok(!isSame(practice, { ...practice, orderId: "2" }));
  });
});
