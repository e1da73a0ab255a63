import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { HeartbeatTimeout } from "../../../src/hub/heartbeatTimeout.ts";
import { waitFor } from "../../support/waitFor.ts";

/** Keeps this process from doing anything else. */
function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe("the silence of a leader", () => {
  it("is noticed once, after so long", async () => {
    let broken = 0;
    const silence = new HeartbeatTimeout(300, () => (broken += 1));
    const began = performance.now();
    await waitFor("the silence", () => broken > 0);
    assert.ok(performance.now() - began >= 200);
    silence.stop();
    assert.equal(broken, 1);
  });

  it("is not assumed while this process was too busy to read the leader's messages", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const follower = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const [leader] = (await once(server, "connection")) as [Socket];
    let isBroken = false;
    const heard = once(follower, "data");
    const silence = new HeartbeatTimeout(300, () => (isBroken = true));
    try {
      leader.write("beat");
      busyFor(500);
      await heard;
      assert.equal(isBroken, false);
    } finally {
      silence.stop();
      leader.destroy();
      follower.destroy();
      server.close();
    }
  });
});
