import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { streamFaults } from "../world/plan.ts";
import { safetyLine } from "./safetyLine.ts";
import { Worlds } from "./worlds.ts";

const MAX_GROWTH = 50 * 1024 * 1024;

setFlagsFromString("--expose_gc");
const collectGarbage = runInNewContext("gc") as () => void;

safetyLine(
  34,
  "No guard uses the price of a stream, and none that sends old, doubled, cut, wrong or no prices shows an older price after a newer one",
  async (proof) => {
    const worlds = new Worlds();
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const rounds = await proof.each(1_000, async ({ seed, random }) => {
      await worlds.run({
        seed,
        windows: 2,
        minutes: 2,
        actions: { order: 10, editAlerts: 0, resetPractice: 0, showBook: 2 },
        switches: { generations: ["A"], streams: ["ticker", "book"] },
        rates: Object.fromEntries(streamFaults.map((fault) => [fault, random() < 0.5 ? 3 * random() : 0])),
      });
    });
    collectGarbage();
    const growth = process.memoryUsage().heapUsed - before;
    assert.ok(growth < MAX_GROWTH, `memory grew by ${growth} bytes`);
    return (
      `${rounds} worlds, ${worlds.count(...streamFaults)} faults of streams: ${worlds.count("aStreamedPriceWasShown")} streamed prices and ` +
      `${worlds.count("aStreamedBookWasShown")} books shown, 0 older ones after newer; ${worlds.count("bidSent", "askSent")} orders sent, ` +
      `0 on a streamed price; memory grew by ${(Math.max(0, growth) / 1024 / 1024).toFixed(1)} MB`
    );
  },
);
