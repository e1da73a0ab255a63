import assert from "node:assert/strict";
import type { BookUpdate } from "../../../../src/desk/feeds/bookFeed.ts";
import { polledBook } from "../../../../src/desk/feeds/polledReads.ts";
import { NoResponseError, NotSentError } from "../../../../src/exchange/errors.ts";
import type { ReadGate } from "../../../../src/exchange/readRetry.ts";
import type { WindowDemand } from "../../../../src/hub/protocol.ts";
import type { Depth } from "../../../../src/market/book/book.ts";
import { depthOf } from "../../../support/builders/books.ts";
import { aloneWindow } from "../../../support/fakes/feeds.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";

const SECOND = 1000;
const demand: WindowDemand = { focused: true, active: true, visible: true, armed: false, intervalMs: 5000 };

/** The source on a driven clock, with an exchange that answers at once until the test says otherwise. */
async function openSource() {
  const timers = new FakeTimers();
  const client = new FakeClient();
  const asked: { what: "depth" | "trades"; symbol: string; at: number; gate: ReadGate | undefined }[] = [];
  const answers = {
    depth: (): Promise<Depth> => Promise.resolve(depthOf([["101", "1"]], [["100", "1"]])),
    trades: () => Promise.resolve([]),
  };
  client.capabilities = {
    depth: ({ symbol }, gate) => {
      asked.push({ what: "depth", symbol, at: timers.now(), gate });
      return answers.depth();
    },
    trades: ({ symbol }, gate) => {
      asked.push({ what: "trades", symbol, at: timers.now(), gate });
      return answers.trades();
    },
  };
  const windows = aloneWindow(demand);
  const current = await openVenue(client);
  const venue = current.venue ?? assert.fail();
  const source = polledBook({ venue: current, windows, timers, random: () => 0, checkWake: () => undefined });
  const updates: BookUpdate[] = [];
  return {
    source,
    venue,
    client,
    timers,
    asked,
    answers,
    updates,
    follow: (symbol: string) => {
      const [quote = "", base = ""] = symbol.split("_");
      const named = { symbol, pair: { quote, base } };
      return source.follow({ venue, named }, (update) => updates.push(update));
    },
    setDemand: (given: Partial<WindowDemand>) => windows.setDemand(given),
    times: (what: "depth" | "trades") => asked.filter((each) => each.what === what).map(({ at }) => at),
  };
}

describe("a book by requests", () => {
  it("is offered by an exchange with depth, with and without trades", async () => {
    const { source, venue, client } = await openSource();
    assert.equal(source.offers(venue), true);
    client.capabilities = { depth: client.capabilities.depth ?? assert.fail() };
    assert.equal(source.offers(venue), true);
    client.capabilities = { trades: () => assert.fail() };
    assert.equal(source.offers(venue), false);
  });

  it("is polled at once and then every second, depth and trades each once, and never while it is not visible", async () => {
    const { follow, timers, times, updates, asked } = await openSource();
    await timers.advance(10 * SECOND);
    assert.equal(asked.length, 0);
    const stop = follow("THB_BTC");
    const start = timers.now();
    await timers.advance(3 * SECOND);
    const wanted = [0, 1, 2, 3].map((seconds) => start + seconds * SECOND);
    assert.deepEqual([times("depth"), times("trades")], [wanted, wanted]);
    assert.equal(updates.length, 4);
    stop();
    await timers.advance(60 * SECOND);
    assert.equal(asked.length, 8);
  });

  it("is read once a second at most, however often the pair changes", async () => {
    const { follow, timers, times } = await openSource();
    const start = timers.now();
    for (let step = 0; step < 100; step += 1) {
      const stop = follow(step % 2 === 0 ? "THB_BTC" : "THB_ETH");
      await timers.advance(100);
      stop();
    }
    const found = times("depth");
    assert.ok(found.length >= 10 && found.length <= 11, `${found.length} polls in ten seconds`);
    for (const [index, at] of found.entries()) assert.ok(at - (found[index - 1] ?? start - SECOND) >= SECOND);
  });

  it("is polled four times slower in a window that is not in front, or whose user is away", async () => {
    const { follow, timers, times, setDemand } = await openSource();
    setDemand({ focused: false });
    follow("THB_BTC");
    await timers.advance(8 * SECOND);
    assert.equal(times("depth").length, 3);
    setDemand({ focused: true, active: false });
    await timers.advance(8 * SECOND);
    assert.equal(times("depth").length, 5);
    setDemand({ active: true });
    await timers.advance(2 * SECOND);
    assert.equal(times("depth").length, 7);
  });

  it("drops the answer for a pair that is no longer visible, and sends none of its pending requests", async () => {
    const { follow, timers, answers, asked, updates } = await openSource();
    const slow = Promise.withResolvers<Depth>();
    answers.depth = () => slow.promise;
    follow("THB_BTC")();
    const stop = follow("THB_BTC");
    await timers.advance(0);
    const { gate } = asked[0] ?? assert.fail();
    assert.equal(gate?.mayStillSend?.(), true);
    assert.equal(gate?.mayRetry?.(), false, "the next round repeats it soon enough");
    stop();
    follow("THB_ETH");
    assert.equal(gate?.mayStillSend?.(), false);
    slow.resolve(depthOf([["1", "1"]], []));
    await timers.advance(0);
    assert.deepEqual(updates, []);
    answers.depth = () => Promise.resolve(depthOf([["2", "1"]], []));
    await timers.advance(SECOND);
    assert.equal(updates.length, 1);
    assert.equal(asked.findLast(({ what }) => what === "depth")?.symbol, "THB_ETH");
  });

  it("reports a failure, backs off while failures last, and polls another pair at its usual interval", async () => {
    const { follow, timers, answers, updates, times } = await openSource();
    const working = answers.depth;
    const error = new NoResponseError("depth", "timeout", "10 s");
    answers.depth = () => Promise.reject(error);
    const stop = follow("THB_BTC");
    await timers.advance(30 * SECOND);
    assert.deepEqual(updates[0]?.depth, { error });
    assert.ok(times("depth").length < 10, `${times("depth").length} requests in 30 seconds`);
    stop();
    answers.depth = working;
    const before = times("depth").length;
    follow("THB_ETH");
    await timers.advance(3 * SECOND);
    assert.ok(times("depth").length - before >= 3);
  });

  it("reports the book if only the trades fail, and keeps polling both", async () => {
    const { follow, timers, answers, updates, times } = await openSource();
    answers.trades = () => Promise.reject(new Error("lost"));
    follow("THB_BTC");
    await timers.advance(3 * SECOND);
    assert.deepEqual([updates.length, times("trades").length], [4, 4]);
    assert.ok(
      updates.every((update) => update.depth && "asks" in update.depth && update.trades === undefined),
    );
  });

  it("waits for the end of a rate limit", async () => {
    const { follow, timers, answers, times } = await openSource();
    const start = timers.now();
    const until = start + 30 * SECOND;
    answers.depth = () =>
      timers.now() < until
        ? Promise.reject(new NotSentError("depth", "rateLimit", "still running", { retryAt: until }))
        : Promise.resolve(depthOf([["1", "1"]], []));
    follow("THB_BTC");
    await timers.advance(31 * SECOND);
    assert.deepEqual(
      times("depth").map((at) => at - start),
      [0, 30 * SECOND, 31 * SECOND],
    );
  });
});
