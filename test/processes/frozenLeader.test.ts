import assert from "node:assert/strict";
import { onMachine } from "../support/processes/failover.ts";

const INTERVAL_MS = 300;

describe("the windows of one computer, as processes", () => {
  it("never ask twice for one interval, however long the leader is frozen", async function () {
    if (process.platform === "win32") return;
    await onMachine(INTERVAL_MS, async ({ windows }) => {
      await windows.start(3);
      await windows.settled();
      const settledAt = Date.now();
      for (const frozenMs of [800, 1200, 1500]) {
        const leader = await windows.settled();
        await windows.asks(1);
        windows.signal(leader, "SIGSTOP");
        await new Promise((resolve) => setTimeout(resolve, frozenMs));
        windows.signal(leader, "SIGCONT");
        await windows.asks(2);
      }
      await windows.settled();
      assert.deepEqual(windows.doublesSince(settledAt), []);
    });
  });
});
