import { pick } from "../support/random.ts";
import { switchesOf } from "../world/plan.ts";
import { safetyLine } from "./safetyLine.ts";
import { between, Worlds } from "./worlds.ts";

describe("orders with client ids and without an answer", () => {
  safetyLine(
    29,
    "Only its client id attributes an order, and absence proves only what the table says",
    async (proof) => {
      const worlds = new Worlds();
      const counts = { unknown: 0, found: 0, notPlaced: 0, unresolved: 0 };
      const rounds = await proof.each(2_000, async ({ seed, random }) => {
        const clientIds = pick(random, [
          "echoed",
          "echoed",
          "echoed",
          "dropped",
          "blankInOpenOrders",
        ] as const);
        // Where nothing else changes the balance, it may prove that an order never came.
        const others =
          random() < 0.5
            ? { sameOrderElsewhere: 0.8, otherOrderElsewhere: 0.3, fill: 4, cancelElsewhere: 1 }
            : {};
        const { orders } = await worlds.run({
          seed,
          windows: 2,
          minutes: 3,
          actions: { order: 5, cancel: 1, editAlerts: 0, decide: 0, resetPractice: 0 },
          switches: { ...switchesOf(random), clientIds },
          rates: {
            lostRequest: between(random, 0, 0.1),
            lostAnswer: between(random, 0, 0.1),
            lateRequest: 0.2,
            kill: 0.3,
            ...others,
          },
        });
        for (const { outcome, shown } of orders.values()) {
          if (outcome !== "unknown") continue;
          counts.unknown += 1;
          if (shown?.state === "accepted") counts.found += 1;
          if (shown?.state === "notPlaced") counts.notPlaced += 1;
          if (shown?.state === "unresolved") counts.unresolved += 1;
        }
      });
      return (
        `${rounds} worlds, ${counts.unknown} unanswered orders among ${worlds.count("sameOrderElsewhere")} equal ones placed elsewhere: ` +
        `${counts.found} found, 0 attributed wrongly; ${counts.notPlaced} proven neither open nor filled, 0 of them wrongly; ` +
        `${counts.unresolved} left to the user`
      );
    },
  );
});
