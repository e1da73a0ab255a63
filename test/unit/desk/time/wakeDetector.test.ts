import assert from "node:assert/strict";
import { WakeDetector } from "../../../../src/desk/time/wakeDetector.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";

function machine() {
  const fake = new FakeTimers();
  const timers = new WakeDetector(fake, fake.monotonicNow);
  const seen: string[] = [];
  timers.onDidWake(() => seen.push("woke"));
  return { fake, timers, seen };
}

describe("timers that detect sleep", () => {
  it("report nothing while time passes as expected", async () => {
    const { fake, seen } = machine();
    await fake.advance(600_000);
    assert.deepEqual(seen, []);
  });

  it("report once, within two seconds of waking, that the computer slept", async () => {
    const { fake, seen } = machine();
    await fake.advance(1_500);
    fake.sleep(28_800_000);
    await fake.advance(2_000);
    assert.deepEqual(seen, ["woke"]);
    await fake.advance(600_000);
    assert.deepEqual(seen, ["woke"]);
  });

  it("report a sleep before the first task that runs after the sleep", async () => {
    const { fake, timers, seen } = machine();
    timers.after(500, () => seen.push("task"));
    fake.sleep(60_000);
    await fake.advance(500);
    assert.deepEqual(seen, ["woke", "task"]);
  });

  it("report that the process was stopped, although the clock was set back by as much", async () => {
    const { fake, seen } = machine();
    fake.stop(60_000);
    fake.sleep(-60_000);
    await fake.advance(2_000);
    assert.deepEqual(seen, ["woke"]);
  });

  it("report a sleep once on checkWake, and not on now", () => {
    const { fake, timers, seen } = machine();
    fake.sleep(60_000);
    assert.deepEqual([timers.now(), seen], [fake.now(), []]);
    timers.checkWake();
    timers.checkWake();
    assert.deepEqual(seen, ["woke"]);
  });

  it("do not run the task that noticed the sleep if a listener cancels the task", async () => {
    const { fake, timers, seen } = machine();
    const cancel = timers.after(500, () => seen.push("task"));
    timers.onDidWake(cancel);
    fake.sleep(60_000);
    await fake.advance(10_000);
    assert.deepEqual(seen, ["woke"]);
  });

  it("treat a clock that was set, in either direction, as a sleep, and ignore a busy moment", async () => {
    for (const [ms, woke] of [
      [5_001, 1],
      [5_000, 0],
      [-9_001, 1],
      [-9_000, 0],
      [-86_400_000, 1],
    ] as const) {
      const { fake, seen } = machine();
      fake.sleep(ms);
      await fake.advance(2_000);
      assert.equal(seen.length, woke, String(ms));
    }
  });

  it("run a task when it is due, unless it is cancelled, and stop checking when disposed of", async () => {
    const { fake, timers, seen } = machine();
    timers.after(300, () => seen.push("task"));
    timers.after(300, () => seen.push("cancelled"))();
    await fake.advance(299);
    assert.deepEqual(seen, []);
    await fake.advance(1);
    assert.deepEqual(seen, ["task"]);
    assert.equal(timers.now(), fake.now());
    timers.dispose();
    assert.equal(fake.nextIn, undefined);
  });
});
