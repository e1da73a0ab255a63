import assert from "node:assert/strict";
import { Poll, type PollResult } from "../../../../src/desk/feeds/poll.ts";
import { FakeTimers, settle } from "../../../support/fakes/timers.ts";

const INTERVAL_MS = 5000;

function pollOf(answers: () => Promise<PollResult>, begin?: () => boolean) {
  const timers = new FakeTimers();
  const seen = { rounds: 0 };
  const poll = new Poll({
    timers,
    random: () => 1,
    ...(begin && { begin }),
    run: () => {
      seen.rounds += 1;
      return answers();
    },
  });
  return { timers, poll, seen };
}

const good = (): Promise<PollResult> => Promise.resolve({ ok: true });
const bad = (): Promise<PollResult> => Promise.resolve({ ok: false });

describe("a poll", () => {
  it("asks nothing before it has an interval or after the interval is removed", async () => {
    const { timers, poll, seen } = pollOf(good);
    await timers.advance(60_000);
    assert.equal(seen.rounds, 0);
    poll.setInterval(INTERVAL_MS);
    await timers.advance(10_000);
    assert.equal(seen.rounds, 3);
    poll.setInterval(undefined);
    await timers.advance(60_000);
    assert.equal(seen.rounds, 3);
  });

  it("schedules the next round after the last answer, so that rounds never overlap", async () => {
    let answer: (result: PollResult) => void = () => assert.fail();
    const { timers, poll, seen } = pollOf(() => new Promise((resolve) => (answer = resolve)));
    poll.setInterval(INTERVAL_MS);
    await timers.advance(60_000);
    assert.equal(seen.rounds, 1);
    answer({ ok: true });
    await settle();
    assert.equal(timers.nextIn, 5000);
  });

  it("shares a running round with a request for a refresh", async () => {
    const { timers, poll, seen } = pollOf(good);
    await Promise.all([poll.refresh(), poll.refresh()]);
    assert.equal(seen.rounds, 1);
    assert.equal(timers.nextIn, undefined, "a refresh alone starts no poll");
  });

  it("polls again if the answer of the running round is no longer wanted", async () => {
    const waiting: ((result: PollResult) => void)[] = [];
    const { poll, seen } = pollOf(() => new Promise((resolve) => waiting.push(resolve)));
    const first = poll.refresh();
    const restarted = poll.restart();
    waiting.shift()?.({ ok: true });
    await settle();
    assert.equal(seen.rounds, 2);
    waiting.shift()?.({ ok: true });
    await Promise.all([first, restarted]);
  });

  it("polls as soon as it is allowed to if its last round is outdated", async () => {
    let may = true;
    let answer: (result: PollResult) => void = () => assert.fail();
    const { timers, poll, seen } = pollOf(
      () => new Promise((resolve) => (answer = resolve)),
      () => may,
    );
    poll.setInterval(INTERVAL_MS);
    await timers.advance(0);
    poll.reset();
    poll.setInterval(undefined);
    may = false;
    answer({ ok: true });
    await timers.advance(100);
    assert.equal(seen.rounds, 1);
    may = true;
    poll.setInterval(INTERVAL_MS);
    await timers.advance(0);
    assert.equal(seen.rounds, 2);
  });

  it("does not ask again before the interval is over when it comes back into view", async () => {
    const { timers, poll, seen } = pollOf(good);
    poll.setInterval(INTERVAL_MS);
    await timers.advance(0);
    poll.setInterval(undefined);
    await timers.advance(2000);
    poll.setInterval(INTERVAL_MS);
    await timers.advance(2999);
    assert.equal(seen.rounds, 1);
    await timers.advance(1);
    assert.equal(seen.rounds, 2);
  });

  it("asks at once when the last poll is of another venue or another key", async () => {
    const { timers, poll, seen } = pollOf(good);
    poll.setInterval(INTERVAL_MS);
    await timers.advance(0);
    poll.reset();
    await timers.advance(0);
    assert.equal(seen.rounds, 2);
  });

  it("backs off while rounds fail, by at most a minute, and recovers at once", async () => {
    let answers = bad;
    const { timers, poll } = pollOf(() => answers());
    poll.setInterval(INTERVAL_MS);
    const pauses: (number | undefined)[] = [];
    for (let round = 0; round < 6; round += 1) {
      await timers.advance(timers.nextIn ?? 0);
      pauses.push(timers.nextIn);
    }
    assert.deepEqual(pauses, [10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
    answers = good;
    await timers.advance(60_000);
    assert.equal(timers.nextIn, 5000);
  });

  it("waits for the end of a pause after a failure, also if the view is hidden and shown again", async () => {
    const { timers, poll, seen } = pollOf(bad);
    poll.setInterval(INTERVAL_MS);
    await timers.advance(0);
    for (let turn = 0; turn < 9; turn += 1) {
      poll.setInterval(turn % 2 === 0 ? undefined : INTERVAL_MS);
      await timers.advance(1000);
    }
    assert.equal(seen.rounds, 1);
    poll.setInterval(INTERVAL_MS);
    await timers.advance(1000);
    assert.equal(seen.rounds, 2);
  });

  it("waits until the end of the exchange's rate limit", async () => {
    const { timers, poll, seen } = pollOf(() =>
      Promise.resolve({ ok: false, retryAt: timersNow() + 30_000 }),
    );
    const timersNow = timers.now;
    poll.setInterval(1000);
    await timers.advance(29_999);
    assert.equal(seen.rounds, 1);
    await timers.advance(1);
    assert.equal(seen.rounds, 2);
  });

  it("delays the next planned round, and runs a requested round without delay", async () => {
    const { timers, poll, seen } = pollOf(good);
    poll.holdFor(1000);
    assert.deepEqual([poll.isRepeating, timers.nextIn], [false, undefined]);
    poll.setInterval(INTERVAL_MS);
    await timers.advance(4000);
    poll.holdFor(10_000);
    assert.deepEqual([poll.isRepeating, timers.nextIn], [true, 10_000]);
    await poll.refresh();
    assert.deepEqual([seen.rounds, timers.nextIn], [2, 5000]);
  });

  it("stays delayed while the interval is not known", async () => {
    const { timers, poll, seen } = pollOf(good);
    poll.setInterval(INTERVAL_MS);
    await timers.advance(INTERVAL_MS);
    poll.holdFor(10_000);
    poll.setInterval(undefined);
    await timers.advance(8000);
    poll.setInterval(INTERVAL_MS);
    assert.deepEqual([seen.rounds, timers.nextIn], [2, 2000]);
  });

  it("uses a new interval from the last answer on", async () => {
    const { timers, poll, seen } = pollOf(good);
    poll.setInterval(INTERVAL_MS);
    await timers.advance(1000);
    poll.setInterval(60_000);
    assert.equal(timers.nextIn, 59_000);
    poll.setInterval(1000);
    await timers.advance(0);
    assert.equal(seen.rounds, 2);
  });

  it("begins no round without permission, and runs one round after it gets permission", async () => {
    let may = false;
    const { timers, poll, seen } = pollOf(good, () => may);
    poll.setInterval(INTERVAL_MS);
    await poll.refresh();
    await poll.restart();
    await timers.advance(60_000);
    assert.equal(seen.rounds, 0);
    may = true;
    await timers.advance(INTERVAL_MS);
    assert.equal(seen.rounds, 1);
  });

  it("counts another window's round as its own when it takes over", async () => {
    const { timers, poll, seen } = pollOf(good);
    poll.noteBegin(timers.now() - 2000);
    poll.setInterval(INTERVAL_MS);
    await timers.advance(2999);
    assert.equal(seen.rounds, 0);
    await timers.advance(1);
    assert.equal(seen.rounds, 1);
  });

  it("waits until the end of a rate limit that another window met, and backs off further", async () => {
    const { timers, poll, seen } = pollOf(bad);
    poll.noteBegin(timers.now());
    poll.noteEnd({ ok: false, retryAt: timers.now() + 30_000 });
    poll.setInterval(INTERVAL_MS);
    await timers.advance(29_999);
    assert.equal(seen.rounds, 0);
    await timers.advance(1);
    assert.equal(seen.rounds, 1);
    assert.equal(timers.nextIn, 20_000);
    poll.noteEnd({ ok: true });
    poll.setInterval(1000);
    assert.equal(timers.nextIn, 1000);
  });
});
