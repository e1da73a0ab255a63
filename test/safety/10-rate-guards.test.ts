import assert from "node:assert/strict";
import fc from "fast-check";
import { Decimal, plainText, priceText } from "../../src/market/numbers/decimal.ts";
import { codesOf, type GuardedDesk, openGuardedDesk } from "../support/desks/guardedDesk.ts";
import { safetyLine } from "./safetyLine.ts";

const ABOVE = "Bid Above the Last Price";
const PLACE = "Place Bid";

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
});
