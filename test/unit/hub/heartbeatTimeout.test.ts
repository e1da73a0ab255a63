import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { monotonicTimers } from "../../../src/time/timers.ts";
import { HeartbeatTimeout } from "../../../src/hub/heartbeatTimeout.ts";
import { FakeTimers } from "../../support/fakes/timers.ts";

/** Keeps this process busy. */
function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe("the silence of a leader", () => {
  it("is reported once, after the given time", async () => {
    const timers = new FakeTimers();
    let broken = 0;
    const silence = new HeartbeatTimeout(300, timers, () => (broken += 1));
    await timers.advance(399);
    assert.equal(broken, 0);
    await timers.advance(10_000);
    assert.equal(broken, 1);
    silence.stop();
    assert.equal(timers.nextIn, undefined);
  });

  it("is not noticed while messages arrive, and not after the computer slept for an hour", async () => {
    const timers = new FakeTimers();
    let broken = 0;
    const silence = new HeartbeatTimeout(1200, timers, () => (broken += 1));
    for (let message = 0; message < 10; message += 1) {
      await timers.advance(1000);
      silence.reset();
    }
    timers.sleep(3_600_000);
    await timers.advance(600);
    assert.equal(broken, 0);
    silence.stop();
  });

  it("is not assumed while this process was too busy to read the leader's messages", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const follower = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const [leader] = (await once(server, "connection")) as [Socket];
    let isBroken = false;
    const reset = once(follower, "data");
    const silence = new HeartbeatTimeout(300, monotonicTimers, () => (isBroken = true));
    try {
      leader.write("beat");
      busyFor(500);
      await reset;
      assert.equal(isBroken, false);
    } finally {
      silence.stop();
      leader.destroy();
      follower.destroy();
      server.close();
    }
  });
});
