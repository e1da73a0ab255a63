import assert from "node:assert/strict";
import type { OrderStory } from "../world/checks.ts";
import { type Plan, switchesOf } from "../world/plan.ts";
import { safetyLine } from "./safetyLine.ts";
import { between, Worlds } from "./worlds.ts";

/** Windows of one person whose bids are often not answered, at exchanges without client ids that list orders. */
function planOf(seed: number, random: () => number): Plan & Required<Pick<Plan, "switches">> {
  return {
    seed,
    windows: 3,
    minutes: 3,
    actions: { order: 3, orderAgain: 0.5, resetPractice: 0, decide: 0, editAlerts: 0 },
    switches: { ...switchesOf(random), clientIds: "dropped", historyLagMs: 0, unsupportedPairs: [] },
    rates: {
      lostRequest: between(random, 0, 0.2),
      lostAnswer: between(random, 0, 0.2),
      unreachable: 0.02,
      sleep: 0.2,
      kill: 0.2,
    },
  };
}

const isUnknown = ({ outcome }: OrderStory): boolean => outcome === "unknown";

describe("bids without an answer", () => {
  safetyLine(
    6,
    "Only a list that names it, or has it as the one new order like it, proves a bid placed; other bids are left to the user",
    async (proof) => {
      const worlds = new Worlds();
      const counts = { placed: 0, unresolved: 0, arrived: 0 };
      const rounds = await proof.each(2_000, async ({ seed, random }) => {
        const { switches, ...plan } = planOf(seed, random);
        const rates = { ...plan.rates, otherOrderElsewhere: 0.6, lateRequest: 0.2 };
        // Without lists only the balance changes, and proves nothing.
        const hasLists = random() < 0.7;
        const { orders } = await worlds.run(
          hasLists
            ? { ...plan, switches, rates: { ...rates, fill: 4, cancelElsewhere: 1 } }
            : { ...plan, rates },
        );
        for (const { shown, hasArrived } of [...orders.values()].filter(isUnknown)) {
          assert.notEqual(shown?.state, "notPlaced");
          if (shown?.state === "accepted") counts.placed += 1;
          assert.ok(hasLists || shown?.state !== "accepted");
          if (shown?.state !== "unresolved") continue;
          counts.unresolved += 1;
          if (hasArrived) counts.arrived += 1;
        }
      });
      return (
        `${rounds} worlds, ${worlds.count("otherOrderElsewhere")} changes of the balance from elsewhere: ` +
        `${counts.placed} unanswered bids found placed, 0 of them wrongly, ${counts.unresolved} left to the user ` +
        `(${counts.arrived} had arrived), 0 called not placed, 0 sent again`
      );
    },
  );

  safetyLine(6, "If the lists are right, every bid that arrived in time is found", async (proof) => {
    const worlds = new Worlds();
    const found = { accepted: 0, unresolved: 0 };
    const rounds = await proof.each(1_000, async ({ seed, random }) => {
      const { orders } = await worlds.run(planOf(seed, random));
      for (const { shown, hasArrived } of [...orders.values()].filter(isUnknown)) {
        if (shown?.state === "accepted") found.accepted += 1;
        if (shown?.state !== "unresolved") continue;
        assert.equal(hasArrived, false, `${shown.intent.amount} is in the books`);
        found.unresolved += 1;
      }
    });
    return `${rounds} worlds with sleeps, kills and failing networks: ${found.accepted} accepted, ${found.unresolved} that never arrived left to the user, 0 missed`;
  });
});
