import { switchesOf } from "../world/plan.ts";
import { safetyLine } from "./safetyLine.ts";
import { Worlds } from "./worlds.ts";

describe("an order to sell", () => {
  safetyLine(
    28,
    "Leaves only within the mirrored guards, and the confirmed digits are the sent digits",
    async (proof) => {
      const worlds = new Worlds();
      const rounds = await proof.each(2_000, async ({ seed, random }) => {
        await worlds.run({
          seed,
          windows: 1,
          minutes: 3,
          strays: 0.5,
          actions: {
            order: 20,
            orderAgain: 0.5,
            editAlerts: 0,
            cancel: 0.5,
            resetPractice: 0,
            showPrices: 0,
          },
          switches: switchesOf(random),
          rates: { fill: 2, lostAnswer: 0.03, sleepInOrder: 0.05, clockForward: 0.2 },
        });
      });
      return (
        `${rounds} worlds: ${worlds.count("outcome invalid")} orders stopped before any question, ` +
        `${worlds.count("anOrderFarFromTheMarketWasQuestioned")} questioned twice, ${worlds.count("outcome cancelled")} declined; ` +
        `${worlds.count("askSent")} sells and ${worlds.count("bidSent")} bids sent, 0 beyond a guard or with other digits`
      );
    },
  );
});
