import { switchesOf } from "../world/plan.ts";
import { safetyLine } from "./safetyLine.ts";
import { Worlds } from "./worlds.ts";

describe("reports of an order", () => {
  safetyLine(30, "A report requested before a newer event never undoes it", async (proof) => {
    const worlds = new Worlds();
    const rounds = await proof.each(2_000, async ({ seed, random }) => {
      await worlds.run({
        seed,
        windows: 2,
        minutes: 3,
        actions: { order: 8, cancel: 4, editAlerts: 0, resetPractice: 0 },
        switches: { ...switchesOf(random), ...(random() < 0.5 && { streams: ["private"] }) },
        rates: {
          slowReport: 0.5,
          slowCancel: 0.2,
          fill: 10,
          cancelElsewhere: 1,
          staleList: 0.5,
          droppedStream: 1,
        },
      });
    });
    return (
      `${rounds} worlds, ${worlds.count("slowReport")} reports under way for up to 9 s: ` +
      `${worlds.count("anOrderChangedDuringAReport")} of them overtaken by a change of an order, 0 took anything back`
    );
  });
});
