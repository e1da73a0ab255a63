import assert from "node:assert/strict";
import fc from "fast-check";
import { Countdown } from "../../../../src/webview/ticket/countdown.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";

describe("the countdown", () => {
  function started(ms: number) {
    const timers = new FakeTimers();
    const shown: number[] = [];
    const countdown = new Countdown(timers, (seconds) => shown.push(seconds));
    countdown.start(ms);
    return { timers, shown, countdown };
  }

  it("shows every second once, from the current second to 0, and stops", async () => {
    const { timers, shown } = started(3200);
    assert.deepEqual(shown, [4]);
    await timers.advance(199);
    assert.deepEqual(shown, [4]);
    await timers.advance(1);
    assert.deepEqual(shown, [4, 3]);
    await timers.advance(2999);
    assert.deepEqual(shown, [4, 3, 2, 1]);
    await timers.advance(1);
    assert.deepEqual(shown, [4, 3, 2, 1, 0]);
    assert.equal(timers.nextIn, undefined);
  });

  it("follows the latest duration", async () => {
    const { timers, shown, countdown } = started(2000);
    await timers.advance(500);
    countdown.start(10_000);
    await timers.advance(1500);
    countdown.start(0);
    await timers.advance(60_000);
    assert.deepEqual(shown, [2, 10, 9, 0]);
  });

  it("shows the exact time left, however late its timer runs", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 600_000 }),
        fc.array(fc.nat(5000), { maxLength: 50 }),
        async (ms, delay) => {
          let [now, due, task] = [0, 0, (): void => {}];
          const timers = {
            now: () => now,
            after: (wait: number, next: () => void) => {
              [due, task] = [now + wait, next];
              return () => {};
            },
          };
          const shown: number[] = [];
          const countdown = new Countdown(timers, (seconds) => shown.push(seconds));
          countdown.start(ms);
          for (const late of [...delay, ms]) {
            if (shown.at(-1) === 0) break;
            assert.ok(due > now, "a timer is in the future");
            now = due + late;
            task();
            assert.equal(shown.at(-1), Math.max(0, Math.ceil((ms - now) / 1000)));
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
