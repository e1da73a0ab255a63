import assert from "node:assert/strict";
import type { LineListener } from "../../../../src/desk/book/bookLines.ts";
import type { BookUpdate } from "../../../../src/desk/book/bookSource.ts";
import { StreamedBook } from "../../../../src/desk/book/streamedBook.ts";
import type { Depth } from "../../../../src/market/book/book.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { depthOf } from "../../../support/builders/books.ts";
import { testProfile } from "../../../support/builders/client.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";

const SECOND = 1000;
const book = (ask: number): Depth => depthOf([[String(ask), "1"]], [[String(ask - 1), "1"]]);
const trade = { at: 1, rate: new Decimal("100"), size: new Decimal("1"), side: "buy" as const };

/** The source between a stream and readings that are both driven by the test. */
async function openSource({ offersStream = true } = {}) {
  const timers = new FakeTimers();
  const warnings: string[] = [];
  const told: BookUpdate[] = [];
  const heard: LineListener[] = [];
  const state = { isResting: false, isReading: false };
  let tellReading: (update: BookUpdate) => void = () => undefined;
  const venue = (await openVenue(new FakeClient())).venue ?? assert.fail();
  const features = offersStream ? { bookStream: { path: "/ws/" } } : {};
  const target = {
    venue: { ...venue, profile: testProfile("https://api.example.com", { features }) },
    named: { symbol: "THB_BTC", pair: { quote: "THB", base: "BTC" } },
  };
  const source = new StreamedBook({
    lines: {
      hear: (_, listener) => {
        heard.push(listener);
        return () => heard.splice(heard.indexOf(listener), 1);
      },
      follow: () => undefined,
      restart: () => undefined,
    },
    polled: {
      offers: () => true,
      follow: (_, tell) => {
        Object.assign(state, { isReading: true, isResting: false });
        tellReading = tell;
        return () => (state.isReading = false);
      },
      rest: (isResting) => (state.isResting = isResting),
    },
    timers,
    log: { warn: (message) => warnings.push(message) },
  });
  const stop = source.follow(target, (update) => told.push(update));
  const frame = (depth: Depth): void => heard.forEach(({ told: tell }) => tell({ at: timers.now(), depth }));
  const bench = {
    source,
    stop,
    timers,
    told,
    heard,
    state,
    warnings,
    frame,
    read: (depth: BookUpdate["depth"] & object, at = timers.now()) =>
      tellReading({ at, depth, trades: [trade] }),
    /** The best asks of the told books. */
    asks: () =>
      told.flatMap(({ depth }) => (depth && "asks" in depth ? Number(depth.asks[0]?.price.toFixed()) : [])),
    expired: () => told.filter((update) => update.expired).length,
  };
  return bench;
}

async function openLive(): ReturnType<typeof openSource> {
  const bench = await openSource();
  bench.frame(book(100));
  bench.read(book(100));
  assert.equal(bench.source.phase, "live");
  bench.told.length = 0;
  return bench;
}

describe("a streamed book", () => {
  it("is only read where the exchange has no stream", async () => {
    const { heard, read, asks, state } = await openSource({ offersStream: false });
    read(book(100));
    assert.deepEqual([heard.length, asks(), state.isResting], [0, [100], false]);
  });

  it("keeps frames aside until a reading agrees, and tells them from then on", async () => {
    const { source, frame, read, asks, state, timers } = await openSource();
    frame(book(100));
    frame(book(100.2));
    assert.deepEqual([asks(), source.phase], [[], "proving"]);
    await timers.advance(SECOND);
    read(book(100.2));
    assert.deepEqual([source.phase, state.isResting], ["live", true]);
    await timers.advance(SECOND);
    frame(book(100.4));
    assert.equal(asks().at(-1), 100.4);
  });

  it("tells the newest frame after a reading that was requested before it", async () => {
    const { timers, frame, read, told } = await openLive();
    const requested = timers.now();
    await timers.advance(300);
    frame(book(100.3));
    read(book(100.1), requested);
    const [at = 0] = told.flatMap((update) => (update.depth ? update.at : [])).slice(-1);
    assert.equal(at, requested + 300);
    assert.ok(
      told.some(({ trades }) => trades?.length === 1),
      "trades of readings are told too",
    );
  });

  it("is dropped and said once if a reading disagrees, and comes back by proof", async () => {
    const { source, timers, frame, read, asks, state, warnings, heard, expired } = await openLive();
    frame(book(130));
    await timers.advance(100);
    read(book(104));
    assert.deepEqual([source.phase, asks().at(-1), state.isResting], ["dropped", 104, false]);
    assert.deepEqual([heard.length, expired(), warnings.length], [0, 1, 1]);
    await timers.advance(15 * SECOND);
    frame(book(130));
    read(book(104));
    assert.deepEqual([source.phase, warnings.length], ["dropped", 1], "said once");
    await timers.advance(29 * SECOND);
    assert.equal(heard.length, 0, "the wait doubles");
    await timers.advance(SECOND);
    frame(book(104));
    read(book(104));
    assert.deepEqual(
      [source.phase, warnings.map((text) => /disagrees|agrees again/.exec(text)?.[0])],
      ["live", ["disagrees", "agrees again"]],
    );
  });

  it("is read again after an earlier book, and dropped if the next reading is earlier too", async () => {
    for (const [next, phase] of [
      [130, "live"],
      [100, "dropped"],
    ] as const) {
      const { source, timers, frame, read, asks, state } = await openLive();
      frame(book(130));
      await timers.advance(SECOND);
      read(book(100));
      assert.deepEqual([source.phase, asks().at(-1), state.isResting], ["proving", 100, false]);
      frame(book(130));
      await timers.advance(SECOND);
      read(book(next));
      assert.equal(source.phase, phase);
    }
  });

  it("gives way to readings after 5 s without a book, and is live again by a frame and a reading", async () => {
    const { source, timers, frame, read, state, expired } = await openLive();
    await timers.advance(4900);
    assert.equal(source.phase, "live");
    await timers.advance(100);
    assert.deepEqual([source.phase, state.isResting, expired()], ["proving", false, 1]);
    read(book(100));
    assert.equal(source.phase, "proving", "an old frame proves no stream");
    frame(book(100));
    read(book(100));
    assert.equal(source.phase, "live");
  });

  it("is not believed by a reading that was requested before it spoke again, because only older books agree with it", async () => {
    const { source, timers, frame, read, asks } = await openLive();
    await timers.advance(5000);
    const requested = timers.now();
    await timers.advance(300);
    frame(book(120));
    read(book(100), requested);
    assert.deepEqual([asks(), source.phase], [[100], "dropped"]);
  });

  it("gives way to readings at once when its connection is lost", async () => {
    const { source, heard, read, state, expired } = await openLive();
    heard[0]?.lost();
    assert.deepEqual([source.phase, state.isResting, expired()], ["proving", false, 1]);
    read(book(100));
    assert.equal(source.phase, "proving", "frames of the connection before prove nothing");
  });

  it("tells no refused frame, and gives way to readings", async () => {
    const { source, frame, asks, state } = await openLive();
    frame(depthOf([["100", "1"]], [["101", "1"]]));
    assert.deepEqual([source.phase, asks(), state.isResting], ["proving", [], false]);
  });

  it("outlives a failed reading, which is repeated soon, and 90 s without a proof end it", async () => {
    const { source, timers, frame, read, told, state } = await openLive();
    for (let second = 0; second < 89; second += 1) {
      await timers.advance(SECOND);
      frame(book(100));
    }
    read({ error: new Error("lost") });
    assert.deepEqual([source.phase, state.isResting], ["live", false]);
    assert.ok(
      told.every(({ depth }) => !depth || !("error" in depth)),
      "a failure is no news of the book",
    );
    await timers.advance(2 * SECOND);
    frame(book(100));
    assert.equal(source.phase, "proving");
    read({ error: new Error("lost") });
    assert.ok(told.some(({ depth }) => depth && "error" in depth));
  });

  it("ends with the target: nothing is read, heard or planned", async () => {
    const { stop, heard, state, timers, source } = await openLive();
    stop();
    assert.deepEqual([heard.length, state.isReading, source.phase], [0, false, undefined]);
    assert.equal(timers.nextIn, undefined);
  });
});
