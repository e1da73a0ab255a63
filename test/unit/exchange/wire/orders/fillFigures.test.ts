import assert from "node:assert/strict";
import fc from "fast-check";
import {
  figuresOfOrders,
  type AmountOfBuys,
  type MatchedOrder,
  type UnitHints,
} from "../../../../../src/exchange/wire/orders/fillFigures.ts";
import { Decimal, truncate } from "../../../../../src/market/numbers/decimal.ts";
import { withPlainDecimals } from "../../../../support/builders/answers.ts";

const units: readonly AmountOfBuys[] = ["base", "quote"];
const zero = new Decimal("0");

/** Amount, rate, fee, and the part that credits paid. */
type Match = readonly [amount: string, rate: string, fee: string, credit?: string];

function order(
  matches: readonly Match[],
  { ordered, executed, ...rest }: { ordered?: string; executed?: string; side?: "sell"; quote?: string } = {},
): MatchedOrder {
  const of = (text: string): Decimal => new Decimal(text);
  return {
    side: "buy",
    quote: "THB",
    matches: matches.map(([amount, rate, fee, credit = "0"]) => ({
      amount: of(amount),
      rate: of(rate),
      fee: of(fee),
      credit: of(credit),
    })),
    ...(ordered !== undefined && { ordered: of(ordered) }),
    ...(executed !== undefined && { executed: of(executed) }),
    ...rest,
  };
}

function figuresOf(orders: readonly MatchedOrder[], hints: UnitHints = { usual: "quote" }): unknown {
  return withPlainDecimals(figuresOfOrders(orders, hints));
}

/** The figures of the only match of a buy. */
function buy(match: Match, known: Parameters<typeof order>[1] = {}, hints?: UnitHints): unknown {
  return (figuresOf([order([match], known)], hints) as unknown[][])[0]?.[0];
}

const hintsOfEach: readonly UnitHints[] = units.flatMap((usual): UnitHints[] => [
  { usual },
  ...units.map((stated) => ({ usual, stated })),
]);
/** 0.0004 BTC at 2,500,000 THB. */
const bought = (fee: string) => ({ quantity: "0.0004", value: "1000", fee });

describe("the figures of matches", () => {
  it("take the amount of a sell as base, whatever the fee", () => {
    for (const hints of hintsOfEach)
      assert.deepEqual(figuresOf([order([["2", "100", "99"]], { side: "sell" })], hints), [
        [{ quantity: "2", value: "200", fee: "99" }],
      ]);
  });

  it("take the amount of a buy in the unit in which its fee is possible, whatever the profile says", () => {
    for (const fee of ["2", "1.5", "0.5", "2.675", "10", "-0.5"])
      for (const hints of hintsOfEach) {
        assert.deepEqual(buy(["0.0004", "2500000", fee], {}, hints), bought(fee), fee);
        const spent = new Decimal("1000").plus(fee).toFixed();
        assert.deepEqual(buy([spent, "2500000", fee], {}, hints), bought(fee), fee);
      }
  });

  it("decide the unit of a buy without a fee by what the order may spend", () => {
    for (const hints of hintsOfEach) {
      assert.deepEqual(buy(["1000", "2500000", "0"], { ordered: "1000" }, hints), bought("0"));
      assert.deepEqual(buy(["0.0004", "2500000", "0"], { ordered: "1000" }, hints), bought("0"));
    }
  });

  it("decide it by what the order spent where both units are within the order", () => {
    for (const hints of hintsOfEach) {
      const half = { ordered: "1000", executed: "500" };
      const figures = { quantity: "250", value: "500", fee: "0" };
      assert.deepEqual(buy(["250", "2", "0"], half, hints), figures);
      assert.deepEqual(buy(["500", "2", "0"], half, hints), { ...figures, isQuantityAbout: true });
    }
  });

  it("read an order's matches in the unit of the other orders in the response", () => {
    const clear = order([["0.0004", "2500000", "2"]]);
    const unclear = order([["30", "33", "0"]]);
    for (const usual of units)
      assert.deepEqual(figuresOf([unclear, clear], { usual }), [
        [{ quantity: "30", value: "990", fee: "0" }],
        [bought("2")],
      ]);
    const other = order([["1002", "2500000", "2"]]);
    const sell = order([["1", "33", "0"]], { side: "sell" });
    assert.deepEqual(figuresOf([unclear, clear, other]), [[undefined], [bought("2")], [bought("2")]]);
    assert.deepEqual(figuresOf([unclear, sell]), [[undefined], [{ quantity: "1", value: "33", fee: "0" }]]);
  });

  it("use the profile where both units are possible, but not against the evidence", () => {
    const hints = { usual: "quote", stated: "base" } as const;
    assert.deepEqual(buy(["30", "33", "0"], {}, hints), { quantity: "30", value: "990", fee: "0" });
    assert.deepEqual(buy(["990", "33", "0"], { ordered: "1000" }, hints), {
      quantity: "30",
      isQuantityAbout: true,
      value: "990",
      fee: "0",
    });
  });

  it("use the generation's usual unit only if it alone gives a fee that the family or the account pays", () => {
    const figures = { quantity: "30.22727272", isQuantityAbout: true, value: "997.5", fee: "2.5" };
    assert.deepEqual(buy(["1000", "33", "2.5"], {}, { usual: "quote" }), figures);
    assert.equal(buy(["1000", "33", "2.5"], {}, { usual: "base" }), undefined);
    assert.equal(buy(["1000", "33", "2"], {}, { usual: "quote" }), undefined);
    const sell = order([["100", "33", "6.6"]], { side: "sell" });
    assert.deepEqual((figuresOf([order([["1000", "33", "2"]]), sell]) as unknown[])[0], [
      { quantity: "30.24242424", isQuantityAbout: true, value: "998", fee: "2" },
    ]);
  });

  it("are missing where the usual unit gives a usual fee, and the other one a fee of another tier", () => {
    // 0.26 % of 84.79 THB, or 0.267 % of 84.79 coins at 0.97 THB.
    assert.equal(buy(["84.79", "0.97", "0.22"], {}, { usual: "quote" }), undefined);
    // 0.1 % of 100 THB, or 0.2 % of 100 coins at 0.5 THB.
    assert.equal(buy(["100", "0.5", "0.1"], {}, { usual: "quote" }), undefined);
  });

  it("are missing where both units fit, or neither does", () => {
    const unclear = [
      ["30", "33", "0"],
      ["100", "1", "0.25"],
      ["1000", "5", "0"],
      ["1000", "2500000", "25"],
      ["0.0004", "2500000", "250"],
      ["1000", "2500000", "1000000000"],
      ["0.0004", "2500000", "0.000001"],
    ] as const;
    for (const match of unclear.slice(0, 3)) assert.equal(buy(match), undefined, match.join(" "));
    for (const match of unclear.slice(3))
      for (const hints of hintsOfEach) assert.equal(buy(match, {}, hints), undefined, match.join(" "));
    assert.equal(buy(["1000", "33", "0"], { ordered: "10" }, { usual: "base", stated: "base" }), undefined);
  });

  it("leave out a match that fits neither unit, and keep the order's others", () => {
    const read = figuresOf([
      order([
        ["0.0004", "2500000", "2"],
        ["0.0004", "2500000", "250"],
      ]),
    ]);
    assert.deepEqual(read, [[bought("2"), undefined]]);
  });

  it("are of one unit for all matches of an order, and missing if these contradict each other", () => {
    for (const hints of hintsOfEach) {
      const inBase = order([
        ["30", "33", "2.5"],
        ["30", "33", "0"],
      ]);
      assert.deepEqual(figuresOf([inBase], hints), [
        [
          { quantity: "30", value: "990", fee: "2.5" },
          { quantity: "30", value: "990", fee: "0" },
        ],
      ]);
      const inBoth = order([
        ["0.0004", "2500000", "2"],
        ["1002", "2500000", "2"],
      ]);
      assert.deepEqual(figuresOf([inBoth], hints), [[undefined, undefined]]);
    }
  });

  it("are in the unit in which the matches together are within the order", () => {
    const half = ["300", "2", "0"] as const;
    const figures = { quantity: "150", isQuantityAbout: true, value: "300", fee: "0" };
    for (const hints of hintsOfEach)
      assert.deepEqual(figuresOf([order([half, half], { ordered: "1000" })], hints), [[figures, figures]]);
  });

  it("are missing if the order spent its matches in neither unit, since an amount in quote includes the fee", () => {
    assert.equal(buy(["1000", "0.5", "1"], { executed: "1001" }), undefined);
    assert.deepEqual(buy(["1000", "0.5", "1"], { executed: "1000" }), {
      quantity: "1998",
      isQuantityAbout: true,
      value: "999",
      fee: "1",
    });
  });

  it("use the usual unit only if every match of the order has a usual fee in it", () => {
    const read = figuresOf([
      order([
        ["1000", "33", "2.5"],
        ["1000", "33", "2"],
      ]),
    ]);
    assert.deepEqual(read, [[undefined, undefined]]);
  });

  it("use the usual unit if one match's fee is paid by nobody in the other unit", () => {
    // The second fee with its credits is 0.1 % of 33,000 THB.
    const read = figuresOf([
      order([
        ["1000", "33", "2.5"],
        ["1000", "33", "2.5", "30"],
      ]),
    ]);
    const figures = { quantity: "30.22727272", isQuantityAbout: true, value: "997.5", fee: "2.5" };
    assert.deepEqual(read, [[figures, figures]]);
  });

  it("are missing if the other unit gives an ordinary fee, with credits or without", () => {
    // 0.25 % of 1000 THB. In base, 0.125 % of 2000 THB, or 0.625 % with the credits.
    assert.equal(buy(["1000", "2", "2.5", "10"]), undefined);
  });

  it("do not take a match without a fee for one whose fee was rounded to nothing", () => {
    assert.equal(buy(["3", "33", "0"]), undefined);
  });

  it("have no fee where credits paid all of it, even if nothing else shows what the account pays", () => {
    const { fee, value } = buy(["1000", "33", "2.5", "2.5"]) as Record<string, unknown>;
    assert.deepEqual([fee, value], ["0", "1000"]);
  });

  it("deduct credits from the fee, whether or not the reported fee includes them", () => {
    const paid = order([["0.0004", "2500000", "2"]]);
    const feeOf = (match: Match, side?: "sell"): unknown => {
      const read = figuresOf([paid, order([match], side && { side })]) as { fee: string }[][];
      return read[1]?.[0]?.fee;
    };
    for (const side of [undefined, "sell"] as const) {
      assert.equal(feeOf(["0.0004", "2500000", "2", "2"], side), "0");
      assert.equal(feeOf(["0.0004", "2500000", "0", "2"], side), "0");
      assert.equal(feeOf(["0.0004", "2500000", "0.5", "1.5"], side), "0.5");
      assert.equal(feeOf(["0.0004", "2500000", "1.5", "0.5"], side), "1.5");
      assert.equal(feeOf(["0.0004", "2500000", "2", "0.5"], side), "1.5");
    }
  });

  it("are missing where credits paid a part of the fee, and nothing shows whether the fee includes it", () => {
    assert.equal(buy(["0.0004", "2500000", "1.5", "1"]), undefined);
    assert.equal(buy(["0.0004", "2500000", "2.5", "0.5"]), undefined);
  });

  it("take fees that are rounded to the currency's decimals, up to a whole yen", () => {
    assert.deepEqual(buy(["1.2", "291000", "0.01"]), {
      quantity: "0.00000408",
      isQuantityAbout: true,
      value: "1.19",
      fee: "0.01",
    });
    // 0.25 % of 50 JPY, rounded up.
    assert.deepEqual(buy(["0.00005", "1000000", "1"], { quote: "JPY" }), {
      quantity: "0.00005",
      value: "50",
      fee: "1",
    });
  });

  it("have an approximate quantity where the value is not that of one quantity alone", () => {
    const of = (match: Match) =>
      (buy(match, { ordered: "2000" }, { usual: "quote", stated: "quote" }) as { isQuantityAbout?: true })
        .isQuantityAbout;
    // 20 or 20.004 coins at 0.5 THB are both 10 THB, rounded.
    assert.equal(of(["10.02", "0.5", "0.02"]), true);
    assert.equal(of(["1002.5", "2500000", "2.5"]), undefined);
    assert.equal(of(["0.0004", "2500000", "2.5"]), undefined);
    assert.equal(of(["1002.51", "2500000", "2.5"]), true);
  });

  it("are exact for every fee from 0 to 1 %, or missing", () => {
    const rates = fc.oneof(
      fc.integer({ min: 1, max: 1e8 }),
      fc.integer({ min: 1, max: 1e8 }).map((n) => 1 / n),
    );
    let found = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 10_00, max: 1e12 }),
        rates,
        fc.integer({ min: 0, max: 1000 }),
        fc.constantFrom(...units),
        fc.constantFrom(...units),
        (cents, near, share, unit, usual) => {
          const rate = new Decimal(near.toFixed(10));
          const value = new Decimal(String(cents)).times("0.01");
          const fee = value.times(String(share)).times("0.00001").round(2, Decimal.roundUp);
          const base = truncate(value.div(rate), 18);
          fc.pre(base.gt(zero));
          const amount = unit === "base" ? base : value.plus(fee);
          const match = { amount, rate, fee, credit: zero };
          const [[figures] = []] = figuresOfOrders(
            [
              {
                side: "buy",
                quote: "THB",
                matches: [match],
                ordered: value.plus(fee),
                executed: value.plus(fee),
              },
            ],
            { usual },
          );
          if (!figures) return;
          found += 1;
          const off = figures.value.minus(value).abs().div(value);
          assert.ok(off.lt("0.000001"), `${unit} ${figures.value.toFixed()} for ${value.toFixed()}`);
          assert.ok(figures.fee.eq(fee));
        },
      ),
      { numRuns: 1000 },
    );
    assert.ok(found > 950, `${found} of 1000 were read`);
  });
});
