import assert from "node:assert/strict";
import { killAll } from "../support/processes/children.ts";
import { HubProcesses } from "../support/processes/hubProcesses.ts";
import { waitFor } from "../support/waitFor.ts";

const INTERVAL_MS = 300;

describe("the windows of one machine, as processes", function () {
  this.timeout(60_000);
  let machine: HubProcesses;
  beforeEach(() => {
    machine = new HubProcesses(INTERVAL_MS);
  });
  afterEach(async () => {
    machine.close();
    await killAll();
  });

  it("are led by another when the leader is frozen; awake again, it follows and asks for nothing", async function () {
    if (process.platform === "win32") return;
    await machine.start(3);
    let longestMs = 0;
    for (let round = 0; round < 2; round += 1) {
      const leader = await machine.settled();
      await machine.asks(1);
      const since = Date.now();
      machine.signal(leader, "SIGSTOP");
      longestMs = Math.max(longestMs, (await machine.takenOver(leader, since)) - since);
      await machine.settled(leader);
      const woken = Date.now();
      machine.signal(leader, "SIGCONT");
      await waitFor("it to follow", () =>
        machine.events.some(({ pid, at, role }) => pid === leader && at >= woken && role === "follower"),
      );
      await machine.asks(2);
      assert.deepEqual(
        machine.events.filter(({ pid, at, asked }) => pid === leader && at >= woken && asked),
        [],
      );
    }
    assert.deepEqual(machine.doubles, []);
    console.log(`      deposed within ${longestMs} ms`);
  });

  it("never ask twice for the same, however long the leader is frozen: less, just about, or more than it takes to depose it", async function () {
    if (process.platform === "win32") return;
    await machine.start(3);
    for (const frozenMs of [400, 800, 1100, 1200, 1300, 1500]) {
      const leader = await machine.settled();
      await machine.asks(1);
      machine.signal(leader, "SIGSTOP");
      await new Promise((resolve) => setTimeout(resolve, frozenMs));
      machine.signal(leader, "SIGCONT");
      await machine.asks(2);
    }
    await machine.settled();
    assert.deepEqual(machine.doubles, []);
  });
});
