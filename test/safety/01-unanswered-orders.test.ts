import assert from "node:assert/strict";
import type { Plan } from "../world/plan.ts";
import { run } from "../world/run.ts";
import { wireFaults } from "../world/wire.ts";
import { safetyLine } from "./safetyLine.ts";

/** Two minutes on a bad network: windows are killed, the computer sleeps, windows freeze in half of the worlds. */
function planOf(seed: number, random: () => number): Plan {
  const rate = 0.06 + 0.08 * random();
  return {
    seed,
    windows: 1 + Math.floor(random() * 3),
    minutes: 2,
    rates: {
      ...Object.fromEntries(wireFaults.map((fault) => [fault, rate])),
      unreachable: 0.02,
      rateBlock: 0.01,
      kill: 0.3,
      sleep: 0.3,
      afterIntent: 0.02,
      beforeRequest: 0.02,
      afterRequest: 0.02,
      beforeRecord: 0.02,
      ...(random() < 0.5 && { freeze: 0.5 }),
    },
  };
}

describe("a bid without an answer", () => {
  safetyLine(1, "Is unknown (may have been placed), is sent once, and is never sent again", async (proof) => {
    const counts = {
      confirmed: 0,
      posts: 0,
      notSent: 0,
      notShown: 0,
      unknown: 0,
      arrived: 0,
      accepted: 0,
      person: 0,
      reset: 0,
      closed: 0,
    };
    const schedules = await proof.each(10_000, async ({ seed, random }) => {
      const plan = planOf(seed, random);
      const { violations, orders } = await run(plan);
      assert.deepEqual(violations, []);
      for (const { confirmed, requests, fault, outcome, hasArrived, shown } of orders.values()) {
        assert.ok(requests <= Math.min(confirmed, 1), "a bid was sent twice or without a confirmation");
        if (confirmed > 0) counts.confirmed += 1;
        if (requests === 0) {
          if (confirmed > 0) counts.notSent += 1;
          assert.ok(outcome === undefined || outcome === "notSent", outcome);
          continue;
        }
        counts.posts += 1;
        if (outcome === undefined) counts.notShown += 1;
        const isAnswered = fault === undefined && plan.rates.freeze === undefined;
        // The exchange refuses the timestamp of a request during which the computer slept.
        if (outcome !== undefined && isAnswered)
          assert.ok(["accepted", "rejected"].includes(outcome), outcome);
        if (outcome !== "unknown") continue;
        counts.unknown += 1;
        if (hasArrived) counts.arrived += 1;
        if (shown?.state === "unknown") counts.closed += 1;
        else if (shown?.state === "accountReset") counts.reset += 1;
        else if (shown?.state === "unresolved" || shown?.settledBy === "user") counts.person += 1;
        else if (shown?.state === "accepted") counts.accepted += 1;
        else assert.fail(`The bid is ${shown?.state}.`);
      }
    });
    assert.ok(schedules < 100 || counts.unknown > schedules / 2, JSON.stringify(counts));
    return (
      `${schedules} fault schedules: ${counts.confirmed} bids confirmed, ${counts.posts} POSTs, 1 each, 0 sent again ` +
      `(${counts.notSent} not sent); ${counts.notShown} in windows that ended before the answer; ${counts.unknown} without ` +
      `a known answer, all unknown (${counts.arrived} had arrived): ${counts.accepted} later found accepted, 0 of ` +
      `them wrongly, ${counts.person} left to the user, ${counts.reset} on an account that was reset, ${counts.closed} of an exchange that was open in no checking window`
    );
  });
});
