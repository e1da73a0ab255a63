import assert from "node:assert/strict";
import type { MarketChange, MarketState } from "../../../../src/desk/feeds/marketState.ts";
import { NoResponseError, NotSentError } from "../../../../src/exchange/errors.ts";
import { FakeTimers, settle } from "../../../support/fakes/timers.ts";
import {
  FakeClient,
  openingOf,
  openVenue,
  snapshotOf,
  tickerOf,
  currentVenue,
  byKind,
  liveAccount,
} from "../../../support/fakes/venue.ts";
import { tickerFeed } from "../../../support/fakes/feeds.ts";

async function feedOf(client = new FakeClient()) {
  const timers = new FakeTimers();
  const venue = await openVenue(client);
  const feed = tickerFeed(venue, timers);
  const events: MarketChange[] = [];
  feed.onDidChange(({ change }) => change && events.push(change));
  return { timers, venue, feed, events, client };
}

const lost = (): never => {
  throw new NoResponseError("tickers", "timeout", "nothing within the limit");
};

describe("the ticker feed", () => {
  it("names the changed rows, and fires nothing without a change", async () => {
    const { feed, events, client } = await feedOf();
    const snapshot = snapshotOf(tickerOf("THB_BTC"), tickerOf("THB_ETH"));
    client.tickersAnswer = () => Promise.resolve(snapshot);
    await feed.refresh();
    assert.deepEqual(events.splice(0), [{ changed: [], rowsChanged: true, staleChanged: false }]);
    await feed.refresh();
    assert.deepEqual(events, []);
    client.tickersAnswer = () =>
      Promise.resolve(snapshotOf(tickerOf("THB_BTC"), tickerOf("THB_ETH", { last: 101 })));
    await feed.refresh();
    assert.deepEqual(events, [{ changed: ["THB_ETH"], rowsChanged: false, staleChanged: false }]);
  });

  it("keeps the last data when a poll fails, and marks the data stale once", async () => {
    const { feed, events, client } = await feedOf();
    await feed.refresh();
    events.length = 0;
    client.tickersAnswer = async () => lost();
    await feed.refresh();
    await feed.refresh();
    assert.equal(feed.ticker("THB_BTC")?.last, 100);
    assert.equal(feed.isStale, true);
    assert.deepEqual(events, [{ changed: [], rowsChanged: false, staleChanged: true }]);
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC")));
    await feed.refresh();
    assert.equal(feed.isStale, false);
    assert.equal(events.length, 2);
  });

  it("keeps its newer data when an older poll arrives, with a problem or without", async () => {
    const { feed, timers, events } = await feedOf();
    await feed.refresh();
    const readAt = timers.now();
    const older = { ...feed.state, tickers: new Map([["THB_BTC", tickerOf("THB_BTC", { last: 99 })]]) };
    await timers.advance(1000);
    events.length = 0;
    feed.adopt({ ...older, readAt: readAt - 1 });
    assert.deepEqual(events, []);
    feed.adopt({ ...older, readAt: readAt - 1, problem: new NoResponseError("tickers", "timeout", "late") });
    assert.deepEqual([feed.ticker("THB_BTC")?.last, feed.state.readAt, feed.isStale], [100, readAt, true]);
    feed.adopt({ ...older, readAt: readAt + 3_600_000 });
    assert.equal(feed.ticker("THB_BTC")?.last, 100, "a poll from before the change of the clock");
    feed.adopt({ ...older, readAt });
    assert.equal(feed.ticker("THB_BTC")?.last, 99);
  });

  it("takes the time of the request that was answered, because a failed request is sent again", async () => {
    const { feed, timers, client } = await feedOf();
    client.tickersAnswer = async (gate) => {
      gate?.mayStillSend?.();
      await timers.advance(700);
      gate?.mayStillSend?.();
      await timers.advance(50);
      return snapshotOf(tickerOf("THB_BTC"));
    };
    await feed.refresh();
    assert.equal(feed.ageMs, 50);
  });

  it("shows no problem for a poll that was not sent because another window took over", async () => {
    const { feed, events, client } = await feedOf();
    await feed.refresh();
    events.length = 0;
    client.tickersAnswer = async () => {
      throw new NotSentError("tickers", "tooLate", "another window reads");
    };
    await feed.refresh();
    assert.deepEqual([events, feed.isStale, feed.state.problem], [[], false, undefined]);
  });

  it("calls data stale if no answer came for two rounds and ten seconds", async () => {
    const { feed, timers, events } = await feedOf();
    await feed.refresh();
    events.length = 0;
    await timers.advance(20_000);
    assert.equal(feed.isStale, false);
    assert.deepEqual(events, []);
    await timers.advance(1);
    assert.equal(feed.isStale, true);
    assert.deepEqual(events, [{ changed: [], rowsChanged: false, staleChanged: true }]);
    await feed.refresh();
    assert.equal(feed.isStale, false);
    assert.deepEqual(events.splice(1), [{ changed: [], rowsChanged: false, staleChanged: true }]);
    await timers.advance(3_600_000);
    assert.equal(events.length, 2);
    feed.dispose();
  });

  it("calls data stale after a minute, also if the interval is longer", async () => {
    const { feed, timers, events } = await feedOf();
    feed.freshness.expectEvery(3_600_000);
    await feed.refresh();
    events.length = 0;
    await timers.advance(60_000);
    assert.deepEqual([feed.isStale, events], [false, []]);
    await timers.advance(1);
    assert.deepEqual([feed.isStale, feed.freshness.isOnTime, events.length], [true, true, 1]);
    feed.dispose();
  });

  it("expects data as often as the current interval asks for", async () => {
    const { feed, timers, events } = await feedOf();
    await feed.refresh();
    feed.freshness.expectEvery(20_000);
    await timers.advance(49_999);
    assert.equal(feed.isStale, false);
    events.length = 0;
    feed.freshness.expectEvery(5000);
    assert.equal(feed.isStale, true);
    feed.freshness.expectEvery(20_000);
    assert.equal(feed.isStale, false);
    const change = { changed: [], rowsChanged: false, staleChanged: true };
    assert.deepEqual(events, [change, change]);
    await timers.advance(1);
    assert.equal(feed.isStale, false);
    await timers.advance(1);
    assert.equal(events.length, 3);
  });

  it("stays in doubt after a sleep until any window gets an answer to a later request", async () => {
    const { feed, timers } = await feedOf();
    const { tickers } = snapshotOf(tickerOf("THB_BTC"));
    const snapshot = (readAt: number): MarketState => ({
      tickers,
      readAt,
      unreadable: 0,
      problem: undefined,
    });
    feed.adopt(snapshot(timers.now()));
    await timers.advance(1000);
    feed.markStale();
    assert.equal(feed.isStale, true);
    feed.adopt(snapshot(timers.now() - 1));
    assert.equal(feed.isStale, true, "requested before the doubt");
    feed.adopt(snapshot(timers.now() + 3_600_000));
    assert.equal(feed.isStale, true, "requested by a clock that was set back later");
    feed.adopt(snapshot(timers.now()));
    assert.equal(feed.isStale, false);
  });

  it("takes over another window's polls as its own", async () => {
    const { feed, timers, events } = await feedOf();
    const { tickers } = snapshotOf(tickerOf("THB_BTC"), tickerOf("THB_ETH"));
    feed.adopt({ tickers, readAt: timers.now() - 100, unreadable: 1, problem: undefined });
    assert.deepEqual(events, [{ changed: [], rowsChanged: true, staleChanged: false }]);
    assert.equal(feed.ageMs, 100);
    feed.adopt({ ...feed.state, problem: new NoResponseError("tickers", "timeout", "x") });
    assert.deepEqual(events.splice(1), [{ changed: [], rowsChanged: false, staleChanged: true }]);
    assert.equal(feed.ticker("THB_ETH")?.last, 100);
  });

  it("knows the age of its data, and has no age before the first answer or on another market", async () => {
    const { feed, timers } = await feedOf();
    assert.equal(feed.ageMs, undefined);
    await feed.refresh();
    assert.equal(feed.ageMs, 0);
    await timers.advance(1234);
    assert.equal(feed.ageMs, 1234);
    feed.clear();
    assert.equal(feed.ageMs, undefined);
  });

  it("keeps the finest decimals of a pair, and forgets those that another exchange quoted", async () => {
    const { feed } = await feedOf();
    const places = (last: number): number =>
      feed.placesOf(tickerOf("THB_BTC", { last, bestBid: last, bestAsk: last }));
    assert.deepEqual([places(100.125), places(100.5)], [3, 3]);
    feed.clear();
    assert.equal(places(100.5), 2);
  });

  it("is watched while it has a watcher, and reports each change of them", async () => {
    const { feed } = await feedOf();
    const visibility: boolean[] = [];
    feed.demand.onDidChange(() => visibility.push(feed.demand.areVisible));
    const stops = [feed.demand.add(), feed.demand.add()];
    for (const stop of [...stops, ...stops]) stop();
    assert.deepEqual(visibility, [true, true, true, false]);
    feed.demand.add();
    assert.equal(feed.demand.areVisible, true);
  });

  it("dates data by the request, because an answer may wait while the computer sleeps", async () => {
    const { feed, timers, client } = await feedOf();
    client.tickersAnswer = async () => {
      timers.sleep(28_800_000);
      return snapshotOf(tickerOf("THB_BTC"));
    };
    await feed.refresh();
    assert.equal(feed.ageMs, 28_800_000);
    assert.equal(feed.isStale, true);
  });

  it("counts as stale while in doubt, until a later request is answered, and reports that once", async () => {
    const { feed, events, client, timers } = await feedOf();
    feed.markStale();
    assert.deepEqual([feed.isStale, events], [false, []], "no data, so no doubt");
    await feed.refresh();
    events.length = 0;
    let answer: (snapshot: ReturnType<typeof snapshotOf>) => void = () => assert.fail();
    client.tickersAnswer = () => new Promise((resolve) => (answer = resolve));
    const underWay = feed.refresh();
    await timers.advance(1);
    feed.markStale();
    feed.markStale();
    assert.equal(feed.isStale, true);
    assert.deepEqual(events, [{ changed: [], rowsChanged: false, staleChanged: true }]);
    answer(snapshotOf(tickerOf("THB_BTC")));
    await underWay;
    assert.equal(feed.isStale, true, "that answer was requested before the doubt");
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC")));
    await feed.refresh();
    assert.equal(feed.isStale, false);
    assert.deepEqual(events.slice(1), [{ changed: [], rowsChanged: false, staleChanged: true }]);
  });

  it("drops an answer of the previous venue", async () => {
    const { feed, venue, client } = await feedOf();
    let answer: (snapshot: ReturnType<typeof snapshotOf>) => void = () => assert.fail();
    client.tickersAnswer = () => new Promise((resolve) => (answer = resolve));
    void feed.refresh();
    await venue.select(liveAccount);
    answer(snapshotOf(tickerOf("THB_BTC")));
    await settle();
    assert.equal(feed.state.tickers.size, 0);
  });

  it("drops an answer that was read at the same address with other settings", async () => {
    const client = new FakeClient();
    let opening = openingOf("https://api.example.com");
    const venue = currentVenue({
      open: byKind({
        practice: () => Promise.reject(new Error("unused")),
        live: () => Promise.resolve(opening),
      }),
      createClient: () => client,
    });
    await venue.select(liveAccount);
    const feed = tickerFeed(venue, new FakeTimers());
    let answer: (snapshot: ReturnType<typeof snapshotOf>) => void = () => assert.fail();
    client.tickersAnswer = () => new Promise((resolve) => (answer = resolve));
    void feed.refresh();
    opening = { ...opening, profile: { ...opening.profile, symbolOrder: "baseFirst" } };
    await venue.select(liveAccount);
    answer(snapshotOf(tickerOf("THB_BTC")));
    await settle();
    assert.equal(feed.state.tickers.size, 0);
    feed.dispose();
  });

  it("forgets the market on request, and notifies the rows", async () => {
    const { feed, events } = await feedOf();
    await feed.refresh();
    events.length = 0;
    feed.clear();
    assert.equal(feed.state.tickers.size, 0);
    assert.deepEqual(events, [{ changed: [], rowsChanged: true, staleChanged: true }]);
  });

  it("finds a venue whose address changed and reads there, without an error for the user", async () => {
    const { feed, client } = await feedOf();
    let down = true;
    client.tickersAnswer = async () => {
      if (!down) return snapshotOf(tickerOf("THB_BTC"));
      down = false;
      throw new NotSentError("tickers", "unreachable", "refused");
    };
    await feed.refresh();
    assert.equal(feed.state.problem, undefined);
    assert.equal(feed.ticker("THB_BTC")?.last, 100);
    assert.equal(client.calls.tickers, 2);
    await settle();
  });
});
