import assert from "node:assert/strict";
import { withPauses } from "../../../../src/exchange/stream/pauses.ts";
import type { StreamEnd } from "../../../../src/exchange/stream/socket.ts";
import { FakeStreams } from "../../../support/fakes/streams.ts";

describe("the streams of a host that wants no connection for now", () => {
  function setUp() {
    const streams = new FakeStreams();
    const clock = { now: 1_000_000 };
    const open = withPauses(streams.open, () => clock.now);
    const ends: StreamEnd[] = [];
    const begin = (host = "a.example") =>
      open(new URL(`wss://${host}/ws`), {
        opened: () => undefined,
        frame: () => undefined,
        ended: (end) => ends.push(end),
      });
    begin();
    streams.all[0]?.end({ reason: "refused", status: 429, pauseMs: 60_000 });
    return { streams, clock, ends, begin };
  }

  it("are not asked for before that time, and told how long it takes", async () => {
    const { streams, clock, ends, begin } = setUp();
    clock.now += 20_000;
    begin();
    assert.equal(ends.length, 1, "not before the caller has the socket");
    await Promise.resolve();
    assert.deepEqual([streams.all.length, ends[1]?.reason, ends[1]?.pauseMs], [1, "refused", 40_000]);
    begin("b.example");
    assert.equal(streams.all.length, 2);
    clock.now += 40_000;
    begin();
    assert.equal(streams.all.length, 3);
  });

  it("are asked for again after the clock was set back, and report no end once closed", async () => {
    const { streams, clock, ends, begin } = setUp();
    begin().close();
    await Promise.resolve();
    assert.equal(ends.length, 1);
    clock.now -= 1;
    begin();
    assert.equal(streams.all.length, 2);
  });
});
