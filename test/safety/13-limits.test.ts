import assert from "node:assert/strict";
import fc from "fast-check";
import { Decimal, plainText } from "../../src/market/decimal.ts";
import { codesOf, type GuardedDesk, openGuardedDesk } from "../support/guardedDesk.ts";
import { safetyLine } from "../support/safetyLine.ts";

describe("the bounds of an order", () => {
  let guarded: GuardedDesk;
  beforeEach(async () => {
    guarded = await openGuardedDesk();
  });
  afterEach(() => guarded.close());

  safetyLine(
    13,
    "Minimum, own maximum and balance are each decided here, one step either side, before any question",
    async (proof) => {
      const counts = { sent: 0, stopped: 0 };
      const money = fc
        .tuple(fc.bigInt(1n, 10n ** 12n), fc.integer({ min: 0, max: 8 }))
        .map(([digits, places]) => new Decimal(`${digits}e-${places}`));
      const bound = fc.constantFrom("minimum", "maximum", "balance");
      const bids = await proof.property(
        6000,
        fc.asyncProperty(money, bound, fc.constantFrom("-1", "0", "1"), async (limit, which, side) => {
          const step = new Decimal("0.00000001");
          const amount = limit.plus(step.times(side));
          if (amount.lte("0")) return;
          const { now } = guarded;
          now.rules = { minimumAmount: which === "minimum" ? limit : new Decimal("0.00000001") };
          now.limits = { maximumAmount: which === "maximum" ? limit : undefined };
          now.available = which === "balance" ? plainText(limit) : undefined;
          // A rate so low that any amount buys something: the bound alone decides.
          now.ticker = { last: 1e-12 };
          const code = { minimum: "belowMinimum", maximum: "aboveMaximum", balance: "aboveAvailable" }[which];
          const isBeyond = side === (which === "minimum" ? "-1" : "1");
          const before = guarded.posts.length;
          const outcome = await guarded.place(plainText(amount), "0.000000000001");
          const posts = guarded.posts.length - before;
          counts[isBeyond ? "stopped" : "sent"] += 1;
          if (isBeyond) {
            assert.deepEqual([codesOf(outcome), posts, guarded.asked], [[`amount ${code}`], 0, []]);
          } else assert.deepEqual([outcome.kind, posts], ["accepted", 1]);
        }),
      );
      return (
        `${bids} bids one step of 0.00000001 below, on or above a bound: ` +
        `${counts.stopped} stopped before the question, 0 of those sent; ${counts.sent} sent`
      );
    },
  );
});
