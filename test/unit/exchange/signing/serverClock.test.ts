import assert from "node:assert/strict";
import { ServerClock } from "../../../../src/exchange/signing/serverClock.ts";

const MINUTE = 60_000;

/**
 * A local clock that the test sets, and a server whose response takes `roundTrip` ms, of which `share` pass before it reads
 * its clock.
 */
function setUp(server: { offset: number; resolutionMs?: number; roundTrip?: number; share?: number }) {
  const state = { now: 1_700_000_000_000, asked: 0, down: false, ...server };
  const measure = async (): Promise<number> => {
    state.asked += 1;
    const { roundTrip = 0, share = 0.5 } = state;
    state.now += roundTrip * share;
    await Promise.resolve();
    if (state.down) throw new Error("down");
    const resolutionMs = state.resolutionMs ?? 1;
    const serverMs = Math.floor((state.now + state.offset) / resolutionMs) * resolutionMs;
    state.now += roundTrip * (1 - share);
    return serverMs;
  };
  return { state, clock: new ServerClock({ measure, now: () => state.now }) };
}

describe("server clock", () => {
  it("has no offset before the first measurement", () => {
    const { clock } = setUp({ offset: 0 });
    assert.equal(clock.sample?.offset, undefined);
    assert.equal(clock.isFresh, false);
    assert.equal(clock.serverNow(), undefined);
  });

  for (const offset of [0, 1234, -5000, 24 * 3_600_000, -24 * 3_600_000]) {
    it(`measures a server that is ${offset} ms ahead`, async () => {
      const { state, clock } = setUp({ offset });
      await clock.ready();
      assert.equal(clock.sample?.offset, offset);
      assert.equal(clock.serverNow(), state.now + offset);
    });
  }

  it("is never ahead of the server, however the round trip is split", async () => {
    for (const share of [0, 0.5, 1]) {
      const { state, clock } = setUp({ offset: 1234, roundTrip: 800, share });
      const ahead = (await clock.refresh()) - state.offset;
      assert.ok(ahead <= 0 && ahead >= -800, `${ahead} ms`);
    }
  });

  it("is never ahead of a server that reports whole seconds, and at most a second and the round trip behind", async () => {
    const { state, clock } = setUp({ offset: 1234, resolutionMs: 1000, roundTrip: 480 });
    for (let within = 0; within < 1000; within += 7) {
      state.now = 1_700_000_000_000 + within;
      const ahead = (await clock.refresh()) - state.offset;
      assert.ok(ahead <= 0 && ahead > -1000 - 480, `${ahead} ms`);
    }
  });

  it("measures again after a response that took impossibly long, because the computer slept", async () => {
    const { state, clock } = setUp({ offset: 1234, roundTrip: 10_002 });
    const measured = clock.refresh();
    state.roundTrip = 10_000;
    assert.equal(await measured, 1234 - 5_000);
    assert.equal(state.asked, 2);
  });

  it("measures again after five minutes, and not before", async () => {
    const { state, clock } = setUp({ offset: 10 });
    await clock.ready();
    state.now += 5 * MINUTE - 1;
    await clock.ready();
    assert.equal(state.asked, 1);
    state.now += 1;
    await clock.ready();
    assert.equal(state.asked, 2);
  });

  it("measures again after the local clock was set back", async () => {
    const { state, clock } = setUp({ offset: 0 });
    await clock.ready();
    state.now -= 3_600_000;
    state.offset = 3_600_000;
    await clock.ready();
    assert.equal(clock.sample?.offset, 3_600_000);
  });

  it("continues with an older offset if a measurement fails, and fails without an offset", async () => {
    const { state, clock } = setUp({ offset: 7 });
    state.down = true;
    await assert.rejects(clock.ready(), /down/);
    state.down = false;
    await clock.ready();
    state.down = true;
    state.now += 10 * MINUTE;
    await clock.ready();
    assert.equal(clock.sample?.offset, 7);
    assert.equal(state.asked, 3);
    await assert.rejects(clock.refresh(), /down/);
  });

  it("is in doubt while it is measured again: a signature waits for the new offset", async () => {
    const { state, clock } = setUp({ offset: 0 });
    await clock.ready();
    state.offset = 60_000;
    const refreshed = clock.refresh();
    assert.equal(clock.isFresh, false);
    await clock.ready();
    assert.deepEqual([clock.sample?.offset, await refreshed, clock.isFresh], [60_000, 60_000, true]);
    assert.equal(state.asked, 2);
  });

  it("has no offset after it is forgotten, and repeats a running measurement", async () => {
    const { state, clock } = setUp({ offset: 0 });
    await clock.ready();
    const refreshed = clock.refresh();
    state.offset = 60_000;
    clock.forget();
    assert.deepEqual([clock.sample?.offset, clock.isFresh], [undefined, false]);
    assert.equal(clock.serverNow(), undefined);
    assert.deepEqual([await refreshed, clock.sample?.offset, state.asked], [60_000, 60_000, 3]);
    clock.forget();
    state.down = true;
    await assert.rejects(clock.ready(), /down/, "an older offset is not used");
  });

  it("ignores a result measured before the clock was forgotten", async () => {
    const { state, clock } = setUp({ offset: 0 });
    const before = { offset: 60_000, at: state.now };
    clock.forget();
    clock.adopt(before);
    assert.equal(clock.sample?.offset, undefined);
    state.now += 1;
    clock.adopt({ offset: 7, at: state.now });
    assert.equal(clock.sample?.offset, 7);
  });

  it("shares one measurement among all simultaneous callers", async () => {
    const { state, clock } = setUp({ offset: 0 });
    await Promise.all([clock.ready(), clock.refresh(), clock.ready()]);
    assert.equal(state.asked, 1);
  });

  it("takes over a newer measurement of another process, but none from the future", async () => {
    const { state, clock } = setUp({ offset: 0 });
    clock.adopt({ offset: 500, at: state.now });
    assert.deepEqual([clock.sample?.offset, clock.isFresh], [500, true]);
    clock.adopt({ offset: 1, at: state.now - 1 });
    clock.adopt({ offset: 2, at: state.now + 1 });
    assert.deepEqual(clock.sample, { offset: 500, at: state.now });
    await clock.ready();
    assert.equal(state.asked, 0);
    state.now += 5 * MINUTE;
    await clock.ready();
    assert.equal(clock.sample?.offset, 0);
  });
});
