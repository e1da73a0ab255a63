import { switchesOf } from "../world/plan.ts";
import { safetyLine } from "./safetyLine.ts";
import { Worlds } from "./worlds.ts";

describe("fills of an order", () => {
  safetyLine(31, "Fills: each once and exact, never more than ordered", async (proof) => {
    const worlds = new Worlds();
    const rounds = await proof.each(2_000, async ({ seed, random }) => {
      await worlds.run({
        seed,
        windows: 2,
        minutes: 3,
        actions: { order: 8, cancel: 1, editAlerts: 0, resetPractice: 0 },
        switches: { ...switchesOf(random), ...(random() < 0.5 && { streams: ["private"] }) },
        continuesOrders: random() < 0.3,
        rates: {
          fill: 20,
          slowReport: 0.1,
          staleList: 0.3,
          kill: 0.3,
          doubledFrames: 1,
          oldFrames: 1,
          droppedStream: 1,
        },
      });
    });
    return (
      `${rounds} worlds, ${worlds.count("fill")} fills: ${worlds.count("shown with a fill")} orders shown with one or more, ` +
      `${worlds.count("severalFillsWereShown")} with several, ${worlds.count("aFillWasStreamed")} fills streamed; ` +
      `0 counted twice, 0 other figures than the exchange's, 0 beyond the order`
    );
  });
});
