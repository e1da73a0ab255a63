import assert from "node:assert/strict";
import fc from "fast-check";
import { Decimal, plainText, priceText } from "../../src/market/numbers/decimal.ts";
import { depthOf, type WrittenLevels } from "../support/builders/books.ts";
import { codesOf, type GuardedDesk, openGuardedDesk } from "../support/desks/guardedDesk.ts";
import { safetyLine } from "./safetyLine.ts";

const ABOVE = "Buy Above the Last Price";
const THIN = { buy: "Buy Above the Best Ask", sell: "Sell Below the Best Bid" } as const;
const PLACE = "Buy";
/** What the fee leaves of 1. */
const NET = "0.9975";

describe("a rate above the last price", () => {
  let guarded: GuardedDesk;
  beforeEach(async () => {
    guarded = await openGuardedDesk();
  });
  afterEach(() => guarded.close());

  safetyLine(
    10,
    "Needs a second, explicit confirmation above 2 % and is refused above 20 %, exact to the step",
    async (proof) => {
      const counts = { plain: 0, explicit: 0, declined: 0, refused: 0 };
      const price = fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: -6, max: 3 }));
      /** Rates around both limits, in steps of a millionth of the price: below, on or above. */
      const distance = fc.oneof(
        fc.tuple(fc.constantFrom("2", "20"), fc.integer({ min: -3, max: 3 })),
        fc.tuple(fc.integer({ min: 0, max: 40 }).map(String), fc.constant(0)),
      );
      const bids = await proof.property(
        5000,
        fc.asyncProperty(price, distance, fc.boolean(), async ([digits, exponent], [percent, steps], yes) => {
          const last = new Decimal(`${digits}e${exponent}`);
          const step = last.times("0.000001");
          const rate = last.times(percent).times("0.01").plus(last).plus(step.times(steps.toString()));
          guarded.now.ticker = { last: Number(plainText(last)) };
          assert.equal(priceText(guarded.now.ticker.last ?? 0), plainText(last), "exactly this price");
          guarded.answer = ({ button }) => yes || button !== ABOVE;
          const before = guarded.posts.length;
          const outcome = await guarded.place("1000000", plainText(rate));
          const posts = guarded.posts.length - before;
          const buttons = guarded.asked.map(({ button }) => button);
          const above = rate.minus(last).times("100").div(last);
          if (above.gt("20")) {
            counts.refused += 1;
            assert.deepEqual([codesOf(outcome), posts, buttons], [["rate farAboveLast"], 0, []]);
          } else if (above.gt("2") && !yes) {
            counts.declined += 1;
            assert.deepEqual([outcome.kind, posts, buttons], ["cancelled", 0, [ABOVE]]);
          } else {
            counts[above.gt("2") ? "explicit" : "plain"] += 1;
            assert.deepEqual(
              [outcome.kind, posts, buttons],
              ["accepted", 1, above.gt("2") ? [ABOVE, PLACE] : [PLACE]],
            );
          }
        }),
      );
      if (bids >= 500) assert.ok(Object.values(counts).every((count) => count > bids / 20));
      const { plain, explicit, declined, refused } = counts;
      return (
        `${bids} bids: ${plain} asked about once, ${explicit} twice and sent, ` +
        `${declined} declined at the explicit question and ${refused} refused, 0 of those sent`
      );
    },
  );

  safetyLine(
    10,
    "An average rate from the order book needs the same confirmation above 2 % and is refused above 20 %",
    async (proof) => {
      const counts = { plain: 0, explicit: 0, declined: 0, refused: 0, thinned: 0, unusable: 0 };
      /** The distance of the two offers in hundredths: an average over both is half of it from the best one, in percent. */
      const distance = fc.oneof(
        fc
          .tuple(fc.constantFrom(400, 4000), fc.integer({ min: -2, max: 2 }))
          .map(([at, steps]) => at + steps),
        fc.integer({ min: 1, max: 6000 }),
      );
      const orders = await proof.property(
        3000,
        fc.asyncProperty(
          fc.constantFrom<"buy" | "sell">("buy", "sell"),
          distance,
          fc.constantFrom("steady", "steady", "steady", "thins", "crossed", "odd", "empty"),
          fc.boolean(),
          async (side, hundredths, book, yes) => {
            const sign = side === "buy" ? "1" : "-1";
            const best = new Decimal("100");
            const worse = best.plus(new Decimal(String(hundredths)).times("0.01").times(sign));
            // The order's rate is the last price, so that only the book decides.
            guarded.now.ticker = { last: Number(plainText(worse)) };
            const offers: WrittenLevels = [
              [plainText(best), NET],
              [plainText(worse), "1000"],
            ];
            const flat: WrittenLevels = [[plainText(worse), "1000"]];
            const far: WrittenLevels = [[side === "buy" ? "1" : "10000", "1"]];
            const depth = (levels: WrittenLevels) =>
              side === "buy" ? depthOf(levels, far) : depthOf(far, levels);
            guarded.now.depth = {
              steady: depth(offers),
              thins: depth(flat),
              crossed: depthOf([["50", "1"]], [["200", "1"]]),
              odd: depth([...offers, [plainText(worse), "1"]]),
              empty: depthOf([], []),
            }[book];
            guarded.answer = ({ button }) => {
              if (book === "thins") guarded.now.depth = depth(offers);
              return yes || button !== THIN[side];
            };
            // As much from each offer: what the fee of a bid leaves buys both.
            const amount = plainText(side === "sell" ? new Decimal(NET).times("2") : best.plus(worse));
            const slippage = hundredths / 200;
            const before = guarded.posts.length;
            const outcome = await guarded.place(amount, plainText(worse), side);
            const posts = guarded.posts.length - before;
            const buttons = guarded.asked.map(({ button }) => button);
            const place = side === "buy" ? PLACE : "Sell";
            const isUsable = book === "steady" || book === "thins";
            if (!isUsable || slippage <= 2) {
              counts[isUsable ? "plain" : "unusable"] += 1;
              assert.deepEqual([outcome.kind, posts, buttons], ["accepted", 1, [place]]);
            } else if (book === "thins") {
              counts.thinned += 1;
              const code = slippage > 20 ? "rate farFromBook" : "rate bookThinnedNow";
              assert.deepEqual([codesOf(outcome), posts, buttons], [[code], 0, [place]]);
            } else if (slippage > 20) {
              counts.refused += 1;
              assert.deepEqual([codesOf(outcome), posts, buttons], [["rate farFromBook"], 0, []]);
            } else if (yes) {
              counts.explicit += 1;
              assert.deepEqual([outcome.kind, posts, buttons], ["accepted", 1, [THIN[side], place]]);
            } else {
              counts.declined += 1;
              assert.deepEqual([outcome.kind, posts, buttons], ["cancelled", 0, [THIN[side]]]);
            }
          },
        ),
      );
      if (orders >= 300) assert.ok(Object.values(counts).every((count) => count > orders / 100));
      const { plain, explicit, declined, refused, thinned, unusable } = counts;
      return (
        `${orders} orders against books: ${plain} asked about once, ${explicit} twice and sent, ${declined} declined, ` +
        `${refused} refused and ${thinned} stopped because the book changed during the question, 0 of those sent; ` +
        `${unusable} books that could not be used, and were not`
      );
    },
  );
});
