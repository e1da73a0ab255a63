import assert from "node:assert/strict";
import { ReconnectingSocket } from "../../../../src/exchange/stream/reconnectingSocket.ts";
import type { StreamEnd } from "../../../../src/exchange/stream/socket.ts";
import { FakeStreams } from "../../../support/fakes/streams.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";

function setUp() {
  const [streams, timers] = [new FakeStreams(), new FakeTimers()];
  const [frames, ends]: [string[], StreamEnd[]] = [[], []];
  let quiet = 0;
  const socket = new ReconnectingSocket({
    connect: (events) => streams.open(new URL("wss://api.example.com/ws"), events),
    timers,
    random: () => 0.5,
    frame: (text) => frames.push(text),
    quiet: () => (quiet += 1),
    ended: (end) => ends.push(end),
  });
  const newest = () => streams.all.at(-1) ?? assert.fail("no socket");
  return { streams, timers, frames, ends, socket, newest, quiet: () => quiet };
}

describe("A connection of a stream", () => {
  it("is opened at once and hands over its frames", () => {
    const { newest, frames } = setUp();
    newest().open();
    newest().frame("a", "b");
    assert.deepEqual(frames, ["a", "b"]);
  });

  it("is opened again after its end, with waits that grow to a minute and have jitter", async () => {
    const { timers, newest, streams } = setUp();
    const waits: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      newest().end();
      const before = timers.now();
      await timers.advance(timers.nextIn ?? 0);
      waits.push(timers.now() - before);
    }
    assert.deepEqual(waits, [1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000, 45_000, 45_000]);
    assert.equal(streams.current.length, 1);
  });

  it("begins with a short wait again after it lasted for half a minute", async () => {
    const { timers, newest } = setUp();
    for (let round = 0; round < 4; round += 1) {
      newest().end();
      await timers.advance(timers.nextIn ?? 0);
    }
    newest().open();
    for (let second = 0; second < 30; second += 5) {
      newest().frame("a");
      await timers.advance(5000);
    }
    newest().end();
    assert.equal(timers.nextIn, 1500);
  });

  it("waits as long as the exchange wants no other one", async () => {
    const { timers, newest, streams } = setUp();
    newest().end({ reason: "refused", status: 429, pauseMs: 3_600_000 });
    await timers.advance(3_599_000);
    assert.equal(streams.all.length, 1);
    await timers.advance(1000);
    assert.equal(streams.all.length, 2);
    newest().end({ reason: "refused", status: 503, pauseMs: 1 });
    assert.equal(timers.nextIn, 3000);
  });

  it("ends if it does not open within ten seconds, or answers no ping after fifteen without a frame", async () => {
    const { timers, newest, ends, streams } = setUp();
    await timers.advance(10_000);
    assert.equal(ends.length, 1);
    await timers.advance(1500);
    newest().open();
    await timers.advance(14_000);
    newest().frame("a");
    await timers.advance(14_999);
    assert.equal(newest().pings, 0);
    await timers.advance(1);
    assert.equal(newest().pings, 1);
    await timers.advance(9_999);
    assert.equal(ends.length, 1);
    await timers.advance(1);
    assert.deepEqual(
      ends.map(({ reason }) => reason),
      ["lost", "silent"],
    );
    assert.equal(streams.current.length, 0);
  });

  it("stays open without frames while its pings are answered, and reports each silence once", async () => {
    const { timers, newest, ends, streams, quiet } = setUp();
    newest().open();
    for (let second = 0; second < 3600; second += 5) {
      const { pings } = newest();
      await timers.advance(5000);
      if (newest().pings > pings) newest().pong();
    }
    assert.deepEqual([streams.all.length, ends.length, quiet()], [1, 0, 1]);
    assert.ok(newest().pings >= 3600 / 25);
    newest().frame("a");
    await timers.advance(15_000);
    assert.equal(quiet(), 2);
    newest().frame("b");
    await timers.advance(10_000);
    assert.equal(ends.length, 0, "a frame is an answer too");
  });

  it("ends at a flood of pongs", () => {
    const { newest, ends } = setUp();
    newest().open();
    for (let count = 0; count <= 3000; count += 1) newest().pong();
    assert.deepEqual(
      ends.map(({ reason }) => reason),
      ["flood"],
    );
  });

  it("ends at more frames or characters in a second than any market has, and hands over no more", () => {
    for (const [text, most] of [
      ["a", 3000],
      ["a".repeat(1024 * 1024), 8],
    ] as const) {
      const { newest, ends, frames } = setUp();
      newest().open();
      newest().frame(...Array.from({ length: most + 10 }, () => text));
      assert.deepEqual([frames.length, ends.map(({ reason }) => reason)], [most, ["flood"]]);
    }
  });

  it("hands over nothing of an earlier connection, and nothing after it is disposed of", async () => {
    const { timers, newest, frames, socket, streams } = setUp();
    const first = newest();
    first.open();
    first.end();
    await timers.advance(1500);
    first.isClosed = false;
    first.frame("old");
    newest().open();
    socket.dispose();
    newest().isClosed = false;
    newest().frame("late");
    await timers.advance(120_000);
    assert.deepEqual([frames, streams.all.length, timers.nextIn], [[], 2, undefined]);
  });

  it("is not reopened if it is disposed of while its end is reported", async () => {
    const [streams, timers] = [new FakeStreams(), new FakeTimers()];
    const socket: ReconnectingSocket = new ReconnectingSocket({
      connect: (events) => streams.open(new URL("wss://api.example.com/ws"), events),
      timers,
      random: () => 0.5,
      frame: () => undefined,
      ended: () => socket.dispose(),
    });
    streams.all[0]?.end();
    await timers.advance(120_000);
    assert.equal(streams.all.length, 1);
  });
});
