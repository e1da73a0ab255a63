import assert from "node:assert/strict";
import {
  alertPrice,
  hasMovedBack,
  isReached,
  minutesProblem,
  movedRule,
  percentProblem,
  priceProblem,
} from "../../../src/market/alertRule.ts";
import { tickerOf } from "../../support/fakes/venue.ts";

const above = { kind: "above", price: "100" } as const;
const below = { kind: "below", price: "100" } as const;
const change = { kind: "change", percent: "5", minutes: 15 } as const;

describe("an alert's rule", () => {
  it("is reached at its price and beyond, but not one step before", () => {
    assert.deepEqual(
      [99.99, 100, 100.01].map((last) => isReached(above, last, undefined)),
      [false, true, true],
    );
    assert.deepEqual(
      [99.99, 100, 100.01].map((last) => isReached(below, last, undefined)),
      [true, true, false],
    );
  });

  it("uses a price as it is shown, without the noise of binary fractions", () => {
    assert.equal(isReached({ kind: "below", price: "0.3" }, 0.1 + 0.2, undefined), true);
    assert.equal(isReached({ kind: "below", price: "0.00003" }, 0.000030000000000000004, undefined), true);
    assert.equal(isReached({ kind: "above", price: "17.1" }, 17.099_999_999_999_998, undefined), true);
    assert.equal(isReached({ kind: "above", price: "0.30000000001" }, 0.1 + 0.2, undefined), false);
    assert.equal(priceProblem("below", "0.3", 0.1 + 0.2), "alreadyThere");
    assert.equal(priceProblem("above", "17.1", 17.099_999_999_999_998), "alreadyThere");
  });

  it("on a change is reached by a rise from the lowest or a fall from the highest price of its span", () => {
    assert.equal(isReached(change, 105, { lowest: 100, highest: 105 }), true);
    assert.equal(isReached(change, 104.99, { lowest: 100, highest: 104.99 }), false);
    assert.equal(isReached(change, 95, { lowest: 95, highest: 100 }), true);
    assert.equal(isReached(change, 95.01, { lowest: 95.01, highest: 100 }), false);
    assert.equal(isReached(change, 500, undefined), false, "no price since the alert was turned on");
  });

  it("needs a move back by half a percent, so that a price at the line fires only once", () => {
    assert.deepEqual(
      [100, 99.6, 99.4].map((last) => hasMovedBack(above, last)),
      [false, false, true],
    );
    assert.deepEqual(
      [100, 100.4, 100.6].map((last) => hasMovedBack(below, last)),
      [false, false, true],
    );
    assert.equal(hasMovedBack(change, 100), true, "its span begins again");
  });

  it("is rejected if the text is not a number, zero, or already reached", () => {
    const problems = ["", "1,000", "-5", "0", "100", "100.01"].map((text) =>
      priceProblem("above", text, 100),
    );
    assert.deepEqual(problems, ["notANumber", "notANumber", "notANumber", "zero", "alreadyThere", undefined]);
    assert.equal(priceProblem("below", "100.01", 100), "alreadyThere");
    assert.equal(priceProblem("below", "99.99", 100), undefined);
    assert.equal(priceProblem("below", "99.99", undefined), undefined, "without a known price");
  });

  it("keeps a percentage below 100, and minutes within a day", () => {
    assert.deepEqual(["x", "0", "0.5", "99.9", "100"].map(percentProblem), [
      "notANumber",
      "zero",
      undefined,
      undefined,
      "tooMuch",
    ]);
    assert.deepEqual(
      ["0", "1", "1440", "1441", "1.5", "", "-1"].map((text) => minutesProblem(text) === undefined),
      [false, true, true, false, false, false, false],
    );
  });

  it("is moved to another price, on the side where the last price is not", () => {
    assert.deepEqual(movedRule(above, "price", "120", 100), { kind: "above", price: "120" });
    assert.deepEqual(movedRule(above, "price", "90", 100), { kind: "below", price: "90" });
    assert.equal(movedRule(above, "price", "100", 100), undefined);
    const crosses = { kind: "crosses", price: "100", towards: "above" } as const;
    assert.deepEqual(movedRule(crosses, "price", "90", 95), { ...crosses, price: "90" });
    assert.equal(movedRule(change, "price", "90", 100), undefined);
  });

  it("between two prices is moved at one of them, which may pass the other", () => {
    const within = { kind: "within", low: "90", high: "100" } as const;
    assert.deepEqual(movedRule(within, "low", "80", 85), { ...within, low: "80" });
    assert.deepEqual(movedRule(within, "low", "110", 85), { ...within, low: "100", high: "110" });
    assert.deepEqual(movedRule(within, "high", "85", 85), { ...within, low: "85", high: "90" });
    assert.equal(movedRule(within, "high", "90", 85), undefined);
    assert.equal(movedRule(within, "price", "95", 85), undefined);
  });

  it("ignores a frozen pair, a pair without a trade and an invalid price", () => {
    assert.equal(alertPrice(tickerOf("THB_BTC", { last: 5 })), 5);
    assert.equal(alertPrice(tickerOf("THB_BTC", { frozen: true })), undefined);
    for (const last of [undefined, 0, -1, Number.NaN, Infinity])
      assert.equal(alertPrice(tickerOf("THB_BTC", { last })), undefined);
  });
});
