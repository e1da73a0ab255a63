import assert from "node:assert/strict";
import fc from "fast-check";
import { MAX_LEVELS } from "../../../../src/market/book/book.ts";
import { fillFromBook } from "../../../../src/market/book/bookFill.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { defaultRules, type Side } from "../../../../src/market/order.ts";
import { bookOf, type WrittenLevels } from "../../../support/builders/books.ts";

const { feeShare } = defaultRules;
const book = bookOf(
  [
    ["100", "1"],
    ["101", "2"],
    ["110", "5"],
  ],
  [
    ["99", "1"],
    ["98", "2"],
    ["90", "5"],
  ],
);

/** A fill as text; "nothing" if the order would wait. */
function fillText(side: Side, amount: string, rate: string, fee = new Decimal("0"), of = book) {
  const bookFill = fillFromBook({ side, amount: new Decimal(amount), rate: new Decimal(rate) }, of, fee);
  if (bookFill === "nothing") return bookFill;
  const { isCut, ...figures } = bookFill;
  const texts: Record<string, string> = Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, value.toFixed()]),
  );
  return { ...(texts as Record<keyof typeof figures, string>), isCut };
}

describe("fillFromBook", () => {
  it("fills a bid at the best ask if that offers enough", () => {
    assert.deepEqual(fillText("buy", "50", "100"), {
      base: "0.5",
      quote: "50",
      share: "1",
      best: "100",
      worst: "100",
      average: "100",
      slippagePercent: "0",
      isCut: false,
    });
  });

  it("continues with worse levels, and averages them by size", () => {
    assert.deepEqual(fillText("buy", "302", "105"), {
      base: "3",
      quote: "302",
      share: "1",
      best: "100",
      worst: "101",
      average: "100.6666666666666666666666666666666666666666",
      slippagePercent: "0.67",
      isCut: false,
    });
    assert.deepEqual(fillText("sell", "3", "98"), {
      base: "3",
      quote: "295",
      share: "1",
      best: "99",
      worst: "98",
      average: "98.3333333333333333333333333333333333333333",
      slippagePercent: "0.68",
      isCut: false,
    });
  });

  it("stops at the order's rate", () => {
    const bid = fillText("buy", "1000", "100.99");
    assert.ok(bid !== "nothing");
    assert.deepEqual([bid.base, bid.share, bid.worst, bid.isCut], ["1", "0.1", "100", false]);
    const ask = fillText("sell", "8", "98");
    assert.ok(ask !== "nothing");
    assert.deepEqual([ask.base, ask.share, ask.worst], ["3", "0.375", "98"]);
  });

  it("takes nothing if no offer reaches the rate, or if the other side is empty", () => {
    assert.equal(fillText("buy", "1000", "99.99"), "nothing");
    assert.equal(fillText("sell", "1", "99.01"), "nothing");
    assert.equal(fillText("buy", "1000", "200", feeShare, bookOf([], [["99", "1"]])), "nothing");
  });

  it("spends a bid's amount minus the fee, and sells all of an ask's amount", () => {
    const bid = fillText("buy", "100", "100", feeShare);
    const ask = fillText("sell", "1", "99", feeShare);
    assert.ok(bid !== "nothing" && ask !== "nothing");
    assert.deepEqual([bid.quote, bid.base, bid.share], ["99.75", "0.9975", "1"]);
    assert.deepEqual([ask.quote, ask.base], ["99", "1"]);
  });

  it("counts the part beyond the reported levels at the order's own rate", () => {
    const many: WrittenLevels = Array.from({ length: MAX_LEVELS }, (_, index) => [String(100 + index), "1"]);
    const deep = bookOf(many, []);
    const all = many.reduce((sum, [price]) => sum + Number(price), 0);
    const cut = fillText("buy", String(all + 1000), "1000", new Decimal("0"), deep);
    assert.ok(cut !== "nothing");
    assert.deepEqual([cut.isCut, cut.base, cut.worst], [true, "100", "199"]);
    assert.equal(Number(cut.average), (all + 1000) / 101);
    const waits = fillText("buy", String(all + 1000), "199", new Decimal("0"), deep);
    assert.ok(waits !== "nothing");
    assert.equal(waits.isCut, false, "below the last reported level nothing reaches the rate");
  });

  it("agrees with a sum over single units, for both sides, and never understates the slippage", () => {
    const level = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(
        fc.array(level, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom<Side>("buy", "sell"),
        (levels, units, distance, side) => {
          let price = 1000;
          const direction = side === "buy" ? 1 : -1;
          const written: WrittenLevels = levels.map(([step, size]) => [
            String((price += (direction * step) / 10).toFixed(1)),
            String(size),
          ]);
          const rate = (1000 + (direction * distance) / 2).toFixed(1);
          const each = written.flatMap(([at, size]) =>
            Array.from({ length: Number(size) }, () => Number(at)),
          );
          const reached = each.filter((at) => (side === "buy" ? at <= Number(rate) : at >= Number(rate)));
          const filled = reached.slice(0, units);
          const sum = filled.reduce((total, at) => total + at, 0);
          // A bid of exactly these units: more than all levels cost if they do not suffice.
          const amount =
            side === "sell" ? units : reached.length < units ? sum + 1e6 : Number(sum.toFixed(1));
          const of = side === "buy" ? bookOf(written, []) : bookOf([], written);
          const found = fillFromBook(
            { side, amount: new Decimal(String(amount)), rate: new Decimal(rate) },
            of,
            new Decimal("0"),
          );
          if (filled.length === 0) return assert.equal(found, "nothing");
          assert.ok(found !== "nothing");
          assert.equal(Number(found.base.toFixed()), filled.length);
          assert.equal(Number(found.quote.toFixed()), Number(sum.toFixed(1)));
          const exact = found.average.minus(found.best).abs().times("100").div(found.best);
          assert.ok(found.slippagePercent.gte(exact) && found.slippagePercent.minus(exact).lt("0.01"));
          assert.ok(found.share.lte("1") && found.share.gte("0"));
        },
      ),
      { numRuns: 300 },
    );
  });
});
