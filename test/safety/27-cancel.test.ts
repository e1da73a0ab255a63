import { pick } from "../support/random.ts";
import { switchesOf } from "../world/plan.ts";
import { safetyLine } from "./safetyLine.ts";
import { Worlds } from "./worlds.ts";

describe("a cancellation against a fill", () => {
  safetyLine(27, "The shown end is the service's, and no filled order is called cancelled", async (proof) => {
    const worlds = new Worlds();
    const rounds = await proof.each(2_000, async ({ seed, random }) => {
      const rate = pick(random, [0, 0.05, 0.3]);
      await worlds.run({
        seed,
        windows: 2,
        minutes: 3,
        actions: { cancel: 10, order: 8, editAlerts: 0, resetPractice: 0, switchExchange: 0.3 },
        switches: switchesOf(random),
        continuesOrders: random() < 0.2,
        rates: {
          fill: 8,
          fillBeforeCancel: 0.3,
          slowCancel: 0.3,
          slowReport: 0.2,
          lostRequest: rate,
          lostAnswer: rate,
          errorPage: rate / 2,
          cancelElsewhere: 0.5,
          kill: 0.2,
        },
      });
    });
    return (
      `${rounds} worlds: ${worlds.count("cancellation accepted")} cancellations accepted, ` +
      `${worlds.count("cancellation notOpen")} after the end, ${worlds.count("cancellation unanswered")} unanswered, ` +
      `${worlds.count("slowCancel")} with a late effect, ${worlds.count("fillBeforeCancel")} overtaken by a fill; ` +
      `${worlds.count("shown as filled")} times shown as filled, ${worlds.count("shown as cancelled")} as cancelled, ` +
      `${worlds.count("shown as partlyFilledCancelled")} as partly filled and cancelled, 0 as another end`
    );
  });
});
