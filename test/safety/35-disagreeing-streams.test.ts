import { safetyLine } from "./safetyLine.ts";
import { between, Worlds } from "./worlds.ts";

safetyLine(
  35,
  "A stream that contradicts two polls in a row is closed and logged once, its price is dropped, and it is retried with backoff",
  async (proof) => {
    const worlds = new Worlds();
    const rounds = await proof.each(1_000, async ({ seed, random }) => {
      await worlds.run({
        seed,
        windows: 2,
        minutes: 3,
        actions: { order: 1, editAlerts: 0, resetPractice: 0, showPrices: 0, switchExchange: 0.2 },
        switches: { generations: ["A"], streams: ["ticker"] },
        rates: { lyingStream: between(random, 0, 2), droppedStream: 0.3 },
      });
    });
    return (
      `${rounds} worlds: ${worlds.count("lyingStream")} times streams began to lie, ` +
      `${worlds.count("aStreamWasClosedAsWrong")} were closed, 0 that had been right, each logged once, none shown after the second poll; ` +
      `${worlds.count("aWrongStreamWasOpenedAgain")} were opened again, 0 too soon`
    );
  },
);
