import assert from "node:assert/strict";
import fc from "fast-check";
import { settingKeys } from "../../src/contributions.ts";
import { Decimal, plainText, priceText } from "../../src/market/numbers/decimal.ts";
import { isCanonical, typedNumber } from "../support/builders/typedNumbers.ts";
import { codesOf, type GuardedDesk, openGuardedDesk } from "../support/desks/guardedDesk.ts";
import { loadUi, userSettings } from "../support/fakes/vscode.ts";
import { safetyLine } from "./safetyLine.ts";
import { BID } from "../support/builders/formDraft.ts";

describe("the bounds of an order", () => {
  let guarded: GuardedDesk;
  beforeEach(async () => {
    guarded = await openGuardedDesk();
  });
  afterEach(() => guarded.close());

  safetyLine(
    13,
    "Minimum, own maximum and balance are exact to one step and are decided before any question",
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
          now.minimumAmount = which === "minimum" ? limit : new Decimal("0.00000001");
          now.limits = { maximumAmount: which === "maximum" ? limit : undefined };
          now.available = which === "balance" ? plainText(limit) : undefined;
          // The rate is so low that any amount buys something, so only the bound decides.
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

  safetyLine(
    13,
    "A maximum counts the same as number and as text, and an unreadable maximum stops every bid",
    async (proof) => {
      const { orderLimits } = await loadUi(() => import("../../src/ui/settings.ts"));
      const { shownAmounts } = await loadUi(() => import("../../src/ui/text/amountText.ts"));
      const { outcomeTexts } = await loadUi(() => import("../../src/ui/ticket/outcomeText.ts"));
      const counts = { held: 0, stopped: 0 };
      const money = fc.tuple(fc.integer({ min: 11, max: 10 ** 9 }), fc.integer({ min: 0, max: 6 }));
      const written = fc.oneof(
        money.map(([digits, places]) => Number(`${digits}e-${places}`)),
        typedNumber.filter((text) => text !== ""),
        fc.constantFrom<unknown>("50,000", " ", 0, -1, 1e30, true, ["50000"], { amount: "50000" }),
      );
      const place = async (amount: string) => {
        guarded.now.limits = orderLimits();
        guarded.now.minimumAmount = new Decimal("0");
        guarded.now.ticker = { last: 1e-12 };
        const before = guarded.posts.length;
        const outcome = await guarded.place(amount, "0.000000000001");
        return { outcome, posts: guarded.posts.length - before };
      };
      try {
        const maximums = await proof.property(
          2000,
          fc.asyncProperty(written, async (maximum) => {
            userSettings.set(settingKeys.maximumAmount, maximum);
            const isNumber = typeof maximum === "number" && maximum > 0 && maximum < 1e30;
            if (
              !isNumber &&
              !(typeof maximum === "string" && isCanonical(maximum) && /[1-9]/.test(maximum))
            ) {
              const { outcome, posts } = await place("1");
              assert.deepEqual(
                [codesOf(outcome), posts, guarded.asked],
                [["amount maximumUnreadable"], 0, []],
                String(maximum),
              );
              assert.match(
                outcomeTexts(outcome, BID, shownAmounts()).fields.amount ?? "",
                /maximumAmount is invalid, so all orders are blocked\./,
              );
              counts.stopped += 1;
              return;
            }
            const limit = new Decimal(isNumber ? priceText(maximum) : String(maximum));
            const within = await place(plainText(limit));
            assert.deepEqual([within.outcome.kind, within.posts], ["accepted", 1], String(maximum));
            const beyond = await place(plainText(limit.plus("1e-30")));
            assert.deepEqual([codesOf(beyond.outcome), beyond.posts], [["amount aboveMaximum"], 0]);
            counts.held += 1;
          }),
          { examples: [["50,000"], [50000]] },
        );
        return (
          `${maximums} maximums in the settings: ${counts.held} read and applied, one step of 1e-30 beyond stopped; ` +
          `${counts.stopped} unreadable, every bid stopped before the question`
        );
      } finally {
        userSettings.clear();
      }
    },
  );
});
