import assert from "node:assert/strict";
import { freezeLeaders } from "../support/processes/failover.ts";
import { safetyLine } from "./safetyLine.ts";

const INTERVAL_MS = 400;
/** Each computer has three windows, each a process. */
const MACHINES = 10;
const FREEZES_A_MACHINE = 5;

describe("a leading window that is stopped (SIGSTOP) for longer than its lease, and woken", () => {
  safetyLine(
    16,
    "Another window takes over; the woken window sends no request, no older price is shown, each alert is announced once",
    async (proof) => {
      // Windows has no signal that stops a process.
      if (process.platform === "win32") return "not tried on Windows";
      let [longestMs, longestGapMs] = [0, 0];
      const machines = await proof.each(MACHINES, async ({ random }) => {
        const found = await freezeLeaders(FREEZES_A_MACHINE, INTERVAL_MS, random);
        const { longestMs: took, longestGapMs: gap, ...failures } = found;
        assert.deepEqual(failures, { doubles: [], lost: 0, repeated: 0, late: 0, older: 0 });
        longestMs = Math.max(longestMs, took);
        longestGapMs = Math.max(longestGapMs, gap);
      });
      return (
        `${machines * FREEZES_A_MACHINE} leading windows stopped and woken: another window led within ${longestMs} ms, ` +
        `${longestGapMs} ms without a request at an interval of ${INTERVAL_MS} ms; 0 requests for an interval that already ` +
        `had one, 0 of a woken window that did not lead, 0 older prices shown, 0 alerts lost or announced twice`
      );
    },
  );
});
