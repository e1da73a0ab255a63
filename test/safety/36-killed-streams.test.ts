import assert from "node:assert/strict";
import { killAll } from "../support/processes/children.ts";
import { killStreamingLeaders } from "../support/processes/streamingMachine.ts";
import { safetyLine } from "./safetyLine.ts";

/** Each computer has three windows, each a process. */
const COMPUTERS_AT_ONCE = 2;
const KILLS_A_COMPUTER = 5;
const ROUNDS = 20;

describe("a leading window that is killed (-9) while prices and orders are streamed", () => {
  after(killAll);

  safetyLine(
    36,
    "The others are live again over one connection of each kind, and lose no alert and no fill",
    async (proof) => {
      const liveAgainMs: number[] = [];
      const rounds = await proof.each(ROUNDS, async ({ random }) => {
        const computers = Array.from({ length: COMPUTERS_AT_ONCE }, () =>
          killStreamingLeaders(KILLS_A_COMPUTER, random),
        );
        for (const found of await Promise.all(computers)) {
          liveAgainMs.push(...found.liveAgainMs);
          const { opened, leads, fills, fillsKnown, alertsLost, alertsRepeated } = found;
          assert.ok(leads > KILLS_A_COMPUTER);
          // A window that leads for a moment only may connect to none.
          for (const count of Object.values(opened)) assert.ok(KILLS_A_COMPUTER < count && count <= leads);
          for (const known of fillsKnown) assert.equal(known, fills);
          assert.deepEqual([alertsLost, alertsRepeated], [0, 0]);
        }
      });
      const sorted = liveAgainMs.toSorted((one, other) => one - other);
      const kills = rounds * COMPUTERS_AT_ONCE * KILLS_A_COMPUTER;
      return (
        `${kills} leading windows killed while streaming: all others live again after ${sorted[sorted.length >> 1]} ms ` +
        `(median), ${sorted.at(-1)} ms at most; 0 connections beside the one of each kind, 0 of ${kills} alerts and ` +
        `0 of ${2 * kills} fills lost or announced twice`
      );
    },
  );
});
