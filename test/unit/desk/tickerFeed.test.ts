import assert from "node:assert/strict";
import { TickerFeed, type MarketEvent } from "../../../src/desk/tickerFeed.ts";
import { NoAnswerError, NotSentError } from "../../../src/exchange/errors.ts";
import { FakeTimers, settle } from "../../support/fakeTimers.ts";
import { FakeClient, openVenue, readingOf, tickerOf } from "../../support/fakeVenue.ts";

async function feedOf(client = new FakeClient()) {
  const timers = new FakeTimers();
  const venue = await openVenue(client);
  const feed = new TickerFeed({ venue, timers, random: () => 1, intervalMs: 5000 });
  const events: MarketEvent[] = [];
  feed.onDidChange((event) => events.push(event));
  return { timers, venue, feed, events, client };
}

const lost = (): never => {
  throw new NoAnswerError("tickers", "timeout", "nothing within the limit");
};

describe("the ticker feed", () => {
  it("says which rows changed, and says nothing when none did", async () => {
    const { feed, events, client } = await feedOf();
    const reading = readingOf(tickerOf("THB_BTC"), tickerOf("THB_ETH"));
    client.tickersAnswer = () => Promise.resolve(reading);
    await feed.poll.refresh();
    assert.deepEqual(events.splice(0), [{ changed: [], rowsChanged: true, staleChanged: false }]);
    await feed.poll.refresh();
    assert.deepEqual(events, []);
    client.tickersAnswer = () =>
      Promise.resolve(readingOf(tickerOf("THB_BTC"), tickerOf("THB_ETH", { last: 101 })));
    await feed.poll.refresh();
    assert.deepEqual(events, [{ changed: ["THB_ETH"], rowsChanged: false, staleChanged: false }]);
  });

  it("keeps the last data when a reading fails, and marks them stale once", async () => {
    const { feed, events, client } = await feedOf();
    await feed.poll.refresh();
    events.length = 0;
    client.tickersAnswer = async () => lost();
    await feed.poll.refresh();
    await feed.poll.refresh();
    assert.equal(feed.ticker("THB_BTC")?.last, 100);
    assert.equal(feed.isStale, true);
    assert.deepEqual(events, [{ changed: [], rowsChanged: false, staleChanged: true }]);
    client.tickersAnswer = () => Promise.resolve(readingOf(tickerOf("THB_BTC")));
    await feed.poll.refresh();
    assert.equal(feed.isStale, false);
    assert.equal(events.length, 2);
  });

  it("calls data stale by age alone when no answer came for two rounds and ten seconds", async () => {
    const { feed, timers } = await feedOf();
    await feed.poll.refresh();
    await timers.advance(20_000);
    assert.equal(feed.isStale, false);
    await timers.advance(1);
    assert.equal(feed.isStale, true);
  });

  it("knows the age of its data, and none before the first answer or in another market", async () => {
    const { feed, timers } = await feedOf();
    assert.equal(feed.ageMs, undefined);
    await feed.poll.refresh();
    assert.equal(feed.ageMs, 0);
    await timers.advance(1234);
    assert.equal(feed.ageMs, 1234);
    feed.clear();
    assert.equal(feed.ageMs, undefined);
  });

  it("knows how long its data will pass for fresh, and is stale right after", async () => {
    const { feed, timers } = await feedOf();
    await feed.poll.refresh();
    const { staleInMs } = feed;
    await timers.advance(staleInMs);
    assert.deepEqual([feed.isStale, feed.staleInMs], [false, 0]);
    await timers.advance(1);
    assert.equal(feed.isStale, true);
  });

  it("takes data to be as old as the question: an answer may lie there while the machine sleeps", async () => {
    const { feed, timers, client } = await feedOf();
    client.tickersAnswer = async () => {
      timers.sleep(28_800_000);
      return readingOf(tickerOf("THB_BTC"));
    };
    await feed.poll.refresh();
    assert.equal(feed.ageMs, 28_800_000);
    assert.equal(feed.isStale, true);
  });

  it("passes nothing for fresh once it is in doubt until a later question is answered, and says so once", async () => {
    const { feed, events, client } = await feedOf();
    feed.doubt();
    assert.deepEqual([feed.isStale, events], [false, []], "there is nothing to doubt");
    await feed.poll.refresh();
    events.length = 0;
    let answer: (reading: ReturnType<typeof readingOf>) => void = () => assert.fail();
    client.tickersAnswer = () => new Promise((resolve) => (answer = resolve));
    const underWay = feed.poll.refresh();
    feed.doubt();
    feed.doubt();
    assert.equal(feed.isStale, true);
    assert.deepEqual(events, [{ changed: [], rowsChanged: false, staleChanged: true }]);
    answer(readingOf(tickerOf("THB_BTC")));
    await underWay;
    assert.equal(feed.isStale, true, "that answer was asked for before");
    client.tickersAnswer = () => Promise.resolve(readingOf(tickerOf("THB_BTC")));
    await feed.poll.refresh();
    assert.equal(feed.isStale, false);
    assert.deepEqual(events.slice(1), [{ changed: [], rowsChanged: false, staleChanged: true }]);
  });

  it("drops an answer that belongs to the venue left behind", async () => {
    const { feed, venue, client } = await feedOf();
    let answer: (reading: ReturnType<typeof readingOf>) => void = () => assert.fail();
    client.tickersAnswer = () => new Promise((resolve) => (answer = resolve));
    const reading = feed.poll.refresh();
    await venue.select("live");
    answer(readingOf(tickerOf("THB_BTC")));
    await reading;
    assert.equal(feed.state.tickers.size, 0);
  });

  it("forgets the market when told to, and tells the rows", async () => {
    const { feed, events } = await feedOf();
    await feed.poll.refresh();
    events.length = 0;
    feed.clear();
    assert.equal(feed.state.tickers.size, 0);
    assert.deepEqual(events, [{ changed: [], rowsChanged: true, staleChanged: true }]);
  });

  it("finds a venue that moved and reads there, without a failure to show", async () => {
    const { feed, client } = await feedOf();
    let down = true;
    client.tickersAnswer = async () => {
      if (!down) return readingOf(tickerOf("THB_BTC"));
      down = false;
      throw new NotSentError("tickers", "unreachable", "refused");
    };
    await feed.poll.refresh();
    assert.equal(feed.state.problem, undefined);
    assert.equal(feed.ticker("THB_BTC")?.last, 100);
    assert.equal(client.calls.tickers, 2);
    await settle();
  });
});
