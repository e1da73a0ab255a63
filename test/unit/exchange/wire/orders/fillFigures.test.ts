import assert from "node:assert/strict";
import fc from "fast-check";
import { figuresOfMatch, type AmountOfBuys } from "../../../../../src/exchange/wire/orders/fillFigures.ts";
import { Decimal, truncate } from "../../../../../src/market/numbers/decimal.ts";
import { withPlainDecimals } from "../../../../support/builders/answers.ts";

const units: readonly AmountOfBuys[] = ["base", "quote"];
const zero = new Decimal("0");

function figures(
  side: "buy" | "sell",
  [amount, rate, fee, credit = "0"]: readonly [string, string, string, string?],
  amountOfBuys: AmountOfBuys = "base",
) {
  const of = (text: string): Decimal => new Decimal(text);
  const match = { side, amount: of(amount), rate: of(rate), fee: of(fee), credit: of(credit) };
  return withPlainDecimals(figuresOfMatch(match, amountOfBuys));
}

describe("figuresOfMatch", () => {
  it("treats the amount of a sell as base, whatever the fee", () => {
    for (const unit of units)
      assert.deepEqual(figures("sell", ["2", "100", "99"], unit), { quantity: "2", value: "200", fee: "99" });
  });

  it("treats the amount of a buy in the unit that fits the fee, whatever the profile says", () => {
    for (const unit of units) {
      assert.deepEqual(figures("buy", ["0.0004", "2500000", "2.5"], unit), {
        quantity: "0.0004",
        value: "1000",
        fee: "2.5",
      });
      assert.deepEqual(figures("buy", ["1002.5", "2500000", "2.5"], unit), {
        quantity: "0.0004",
        value: "1000",
        fee: "2.5",
      });
    }
  });

  it("accepts a fee of 0.10 %, and one that is rounded to two decimals", () => {
    assert.deepEqual(figures("buy", ["0.0004", "2500000", "1"]), {
      quantity: "0.0004",
      value: "1000",
      fee: "1",
    });
    assert.deepEqual(figures("buy", ["98.14848", "291000", "0.25"]), {
      quantity: "0.00033642",
      value: "97.89848",
      fee: "0.25",
    });
    assert.deepEqual(figures("buy", ["1.2", "291000", "0.01"]), {
      quantity: "0.00000408",
      value: "1.19",
      fee: "0.01",
    });
  });

  it("asks the profile where both units fit", () => {
    const match = ["100", "1", "0.25"] as const;
    assert.deepEqual(figures("buy", match, "base"), { quantity: "100", value: "100", fee: "0.25" });
    assert.deepEqual(figures("buy", match, "quote"), { quantity: "99.75", value: "99.75", fee: "0.25" });
  });

  it("adds nothing up where neither unit fits", () => {
    const unclear = [
      ["1000.00", "2500000.00", "25.00"],
      ["1000", "2500000", "0"],
      ["0.0004", "2500000", "250"],
      ["1000", "2500000", "1000000000"],
    ] as const;
    for (const match of unclear)
      for (const unit of units) assert.equal(figures("buy", match, unit), undefined, match.join(" "));
  });

  it("deducts credits from the fee, whether or not the reported fee includes them", () => {
    const net = { quantity: "0.0004", value: "1000", fee: "0.5" };
    assert.deepEqual(figures("buy", ["0.0004", "2500000", "2.5", "2"]), net);
    assert.deepEqual(figures("buy", ["0.0004", "2500000", "0", "2.5"]), { ...net, fee: "0" });
    assert.deepEqual(figures("sell", ["0.0004", "2500000", "2.5", "2.5"]), { ...net, fee: "0" });
    // 2.5 is 0.25 % of 1000, of which credits paid 1.5 or 1.
    for (const [fee, credit] of [
      ["1", "1.5"],
      ["1.5", "1"],
    ] as const)
      for (const side of ["buy", "sell"] as const)
        assert.deepEqual(figures(side, ["0.0004", "2500000", fee, credit]), { ...net, fee });
  });

  it("finds the unit of any match with a fee of 0.25 % that is worth at least 10, at rates that are not near 1", () => {
    const rates = fc.oneof(
      fc.integer({ min: 10, max: 1e8 }),
      fc.integer({ min: 10, max: 1e8 }).map((n) => 1 / n),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 10_00, max: 1e12 }),
        rates,
        fc.constantFrom(...units),
        (cents, near, unitOfAmount) => {
          const rate = new Decimal(near.toFixed(10));
          const value = new Decimal(String(cents)).times("0.01");
          const fee = value.times("0.0025").round(2, Decimal.roundUp);
          const base = truncate(value.div(rate), 18);
          fc.pre(base.gt(zero));
          const amount = unitOfAmount === "base" ? base : value.plus(fee);
          for (const unit of units) {
            const found = figuresOfMatch({ side: "buy", amount, rate, fee, credit: zero }, unit);
            assert.ok(found, `${unitOfAmount} ${amount.toFixed()} at ${rate.toFixed()}`);
            const share = found.value.minus(value).abs().div(value);
            assert.ok(
              share.lt("0.000001"),
              `${unitOfAmount} ${found.value.toFixed()} for ${value.toFixed()}`,
            );
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
