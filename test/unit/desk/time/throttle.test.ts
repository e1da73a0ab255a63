import assert from "node:assert/strict";
import { Throttle } from "../../../../src/desk/time/throttle.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";

function setUp() {
  const timers = new FakeTimers();
  const started = timers.now();
  const delivered: [atMs: number, items: string[]][] = [];
  const throttle = new Throttle<string>({
    timers,
    everyMs: () => 250,
    deliver: (items) => delivered.push([timers.now() - started, [...items]]),
  });
  return { timers, delivered, throttle };
}

describe("A throttle", () => {
  it("delivers the first item after a pause at once, and the next ones together, each once", async () => {
    const { timers, delivered, throttle } = setUp();
    throttle.add(["a"]);
    throttle.add(["b"]);
    await timers.advance(100);
    throttle.add(["c", "b"]);
    await timers.advance(400);
    throttle.add(["d"]);
    await timers.advance(1000);
    assert.deepEqual(delivered, [
      [0, ["a"]],
      [250, ["b", "c"]],
      [500, ["d"]],
    ]);
  });

  it("delivers at most every interval however much is added", async () => {
    const { timers, delivered, throttle } = setUp();
    for (let ms = 0; ms < 1000; ms += 10) {
      throttle.add([String(ms)]);
      await timers.advance(10);
    }
    assert.deepEqual(
      delivered.map(([at]) => at),
      [0, 250, 500, 750, 1000],
    );
  });

  it("hands over its pending items when drained, and does not deliver them again", async () => {
    const { timers, delivered, throttle } = setUp();
    throttle.add(["a"]);
    throttle.add(["b"]);
    assert.deepEqual([...throttle.drain()], ["b"]);
    await timers.advance(1000);
    assert.equal(delivered.length, 1);
  });

  it("delivers nothing after it is disposed of", async () => {
    const { timers, delivered, throttle } = setUp();
    throttle.add(["a"]);
    throttle.add(["b"]);
    throttle.dispose();
    await timers.advance(1000);
    assert.deepEqual([delivered.length, timers.nextIn], [1, undefined]);
  });
});
