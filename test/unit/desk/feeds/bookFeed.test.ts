import assert from "node:assert/strict";
import { BookFeed, type BookTarget, type BookUpdate } from "../../../../src/desk/feeds/bookFeed.ts";
import type { Source } from "../../../../src/desk/feeds/source.ts";
import { Event } from "../../../../src/desk/event.ts";
import type { MarketEvent } from "../../../../src/desk/feeds/marketState.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import { depthOf } from "../../../support/builders/books.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, tickerOf, liveAccount } from "../../../support/fakes/venue.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const good = depthOf([["101", "1"]], [["100", "2"]]);
const trade = { at: 1, rate: new Decimal("100"), size: new Decimal("1"), side: "buy" as const };

interface Followed {
  readonly kind: "read" | "streamed";
  readonly target: BookTarget;
  readonly report: (update: BookUpdate) => void;
  hasEnded: boolean;
}

/** A feed over sources that the test is: who is followed now, and how to report updates. */
async function openFeed() {
  const timers = new FakeTimers();
  const state = { isOffered: true };
  const warnings: string[] = [];
  const listed = new Map<string, Ticker>([["THB_BTC", tickerOf("THB_BTC")]]);
  const tickersChanged = new Event<MarketEvent>();
  const followed: Followed[] = [];
  const source = (kind: Followed["kind"]): Source<BookTarget, BookUpdate> => ({
    offers: () => state.isOffered,
    follow: (target, report) => {
      const each = { kind, target, report, hasEnded: false };
      followed.push(each);
      return () => void (each.hasEnded = true);
    },
  });
  const reportTo =
    (kind: Followed["kind"]) =>
    (update: Partial<BookUpdate>): void =>
      followed
        .findLast((each) => each.kind === kind && !each.hasEnded)
        ?.report({ at: timers.now(), ...update });
  const venue = await openVenue(new FakeClient(), new FakeClient());
  const feed = new BookFeed({
    venue,
    tickers: { ticker: (symbol) => listed.get(symbol), onDidChange: tickersChanged.add },
    polled: source("read"),
    streamed: source("streamed"),
    timers,
    log: { warn: (text) => warnings.push(text) },
  });
  let changes = 0;
  feed.onDidChange(() => (changes += 1));
  return {
    feed,
    state,
    venue,
    listed,
    tickersChanged: () => tickersChanged.fire({} as MarketEvent),
    followed,
    changes: () => changes,
    timers,
    warnings,
    report: reportTo("read"),
    stream: reportTo("streamed"),
    symbols: (kind: Followed["kind"] = "read") =>
      followed
        .filter((each) => each.kind === kind && !each.hasEnded)
        .map(({ target }) => target.named.symbol),
  };
}

describe("the book feed", () => {
  it("follows only the visible pair", async () => {
    const { feed, symbols, listed, followed } = await openFeed();
    listed.set("THB_ETH", tickerOf("THB_ETH"));
    assert.deepEqual([symbols(), feed.state], [[], undefined]);
    feed.show("THB_BTC");
    feed.show("THB_BTC");
    assert.deepEqual([symbols(), symbols("streamed"), followed.length], [["THB_BTC"], ["THB_BTC"], 2]);
    feed.show("THB_ETH");
    assert.deepEqual(symbols(), ["THB_ETH"]);
    feed.show(undefined);
    assert.deepEqual([symbols(), feed.state], [[], undefined]);
  });

  it("waits for a pair to be listed, and for an exchange to offer a book", async () => {
    const { feed, symbols, listed, tickersChanged, state, venue } = await openFeed();
    feed.show("THB_ETH");
    assert.deepEqual([symbols(), feed.isOffered], [[], true]);
    listed.set("THB_ETH", tickerOf("THB_ETH"));
    tickersChanged();
    tickersChanged();
    assert.deepEqual(symbols(), ["THB_ETH"]);
    state.isOffered = false;
    await venue.select(liveAccount);
    assert.deepEqual([symbols(), feed.isOffered, feed.state], [[], false, undefined]);
    state.isOffered = true;
    await venue.select(practiceAccount);
    assert.deepEqual(symbols(), ["THB_ETH"]);
  });

  it("updates book and trades independently", async () => {
    const { feed, report, changes } = await openFeed();
    feed.show("THB_BTC");
    const before = changes();
    report({ trades: [trade] });
    assert.deepEqual([feed.state?.book, feed.state?.trades], [undefined, [trade]]);
    report({ depth: good });
    assert.deepEqual(
      [feed.state?.book?.spread?.toFixed(), feed.state?.trades, feed.state?.problem, changes() - before],
      ["1", [trade], undefined, 2],
    );
  });

  it("keeps the previous book after a failed poll, and none while the newest is rejected", async () => {
    const { feed, report } = await openFeed();
    feed.show("THB_BTC");
    report({ depth: good });
    const error = new Error("lost");
    report({ depth: { error } });
    assert.ok(feed.state?.book);
    assert.deepEqual(feed.state.problem, { error });
    report({ depth: depthOf([["100", "1"]], [["100", "1"]]) });
    assert.deepEqual([feed.state?.book, feed.state?.problem], [undefined, { fault: "crossed" }]);
    report({ depth: good });
    assert.ok(feed.state?.book && !feed.state.problem);
  });

  it("has a book for guards only if it is of that pair, without a problem, and not too old", async () => {
    const { feed, report, timers } = await openFeed();
    feed.show("THB_BTC");
    assert.equal(feed.fresh("THB_BTC", 10_000), undefined);
    report({ depth: good });
    assert.ok(feed.fresh("THB_BTC", 10_000));
    assert.equal(feed.fresh("THB_ETH", 10_000), undefined);
    await timers.advance(10_000);
    assert.ok(feed.fresh("THB_BTC", 10_000));
    await timers.advance(1);
    assert.equal(feed.fresh("THB_BTC", 10_000), undefined);
    timers.sleep(-10_002);
    assert.equal(feed.fresh("THB_BTC", 10_000), undefined, "the clock was set back");
    timers.sleep(10_002);
    report({ depth: good });
    report({ depth: { error: new Error("lost") } });
    assert.equal(feed.fresh("THB_BTC", 10_000), undefined, "the newest poll failed");
  });

  it("never replaces a book or trades by older ones", async () => {
    const { feed, report, timers } = await openFeed();
    feed.show("THB_BTC");
    report({ depth: good, at: timers.now(), trades: [{ ...trade, at: timers.now() }] });
    report({
      depth: depthOf([["55", "1"]], []),
      at: timers.now() - 1,
      trades: [{ ...trade, at: timers.now() - 5000 }],
    });
    assert.equal(feed.state?.book?.asks[0]?.price.toFixed(), "101");
    assert.equal(feed.state?.trades?.[0]?.at, timers.now());
    report({ depth: depthOf([["56", "1"]], []), trades: [{ ...trade, at: timers.now() - 900 }] });
    assert.equal(feed.state?.book?.asks[0]?.price.toFixed(), "56");
    const second = Math.floor(timers.now() / 1000) * 1000;
    report({ trades: [{ ...trade, at: second }] });
    assert.equal(feed.state?.trades?.[0]?.at, second, "a time in seconds is no older time");
  });

  it("takes newer trades after one with a time in the far future", async () => {
    const { feed, report, timers } = await openFeed();
    feed.show("THB_BTC");
    report({ trades: [{ ...trade, at: timers.now() + 1e9 }] });
    report({ trades: [{ ...trade, at: timers.now() }] });
    assert.equal(feed.state?.trades?.[0]?.at, timers.now());
  });

  it("shows streamed books over the newest poll, until a later poll", async () => {
    const { feed, report, stream, timers } = await openFeed();
    const best = (): string | undefined => feed.state?.book?.asks[0]?.price.toFixed();
    feed.show("THB_BTC");
    report({ depth: good });
    const requestedAt = timers.now();
    await timers.advance(100);
    stream({ depth: depthOf([["101.5", "1"]], [["100", "2"]]), trades: [trade] });
    assert.deepEqual([best(), feed.state?.trades], ["101.5", [trade]]);
    report({ depth: good, at: requestedAt + 50 });
    assert.equal(best(), "101.5", "requested before the streamed book arrived");
    await timers.advance(100);
    report({ depth: good });
    assert.equal(best(), "101");
    stream({ depth: depthOf([["103", "1"]], []), at: requestedAt });
    assert.equal(best(), "101", "an older book");
  });

  it("gives guards only polled books", async () => {
    const { feed, report, stream, timers } = await openFeed();
    feed.show("THB_BTC");
    stream({ depth: good });
    assert.deepEqual([feed.fresh("THB_BTC", 10_000), feed.state?.book?.asks.length], [undefined, 1]);
    report({ depth: good });
    await timers.advance(1);
    stream({ depth: depthOf([["101.5", "1"]], [["100", "2"]]) });
    assert.equal(feed.fresh("THB_BTC", 10_000)?.asks[0]?.price.toFixed(), "101");
    await timers.advance(10_000);
    stream({ depth: good });
    assert.equal(feed.fresh("THB_BTC", 10_000), undefined, "the poll is too old, whatever is streamed");
  });

  it("hides rejected books of the stream, and failed polls while the stream sends books", async () => {
    const { feed, report, stream, timers } = await openFeed();
    feed.show("THB_BTC");
    report({ depth: good });
    await timers.advance(1);
    stream({ depth: depthOf([["100", "1"]], [["100", "1"]]) });
    assert.equal(feed.state?.book?.asks[0]?.price.toFixed(), "101");
    stream({ depth: depthOf([["101.5", "1"]], [["100", "2"]]) });
    const error = new Error("lost");
    report({ depth: { error } });
    assert.deepEqual([feed.state.book.asks[0].price.toFixed(), feed.state.problem], ["101.5", undefined]);
    report({ depth: { error } });
    assert.deepEqual([feed.state.book.asks[0].price.toFixed(), feed.state.problem], ["101.5", { error }]);
  });

  it("closes a stream that contradicts two polls in a row, logs it, and reopens it after a delay", async () => {
    const { feed, report, stream, timers, warnings, symbols } = await openFeed();
    const best = (): string | undefined => feed.state?.book?.asks[0]?.price.toFixed();
    feed.show("THB_BTC");
    report({ depth: good });
    const contradict = async (): Promise<void> => {
      await timers.advance(500);
      stream({ depth: depthOf([["90", "1"]], [["80", "2"]]) });
      await timers.advance(500);
      report({ depth: good });
      assert.equal(best(), "101");
    };
    await contradict();
    await timers.advance(500);
    stream({ depth: good });
    await timers.advance(500);
    report({ depth: good });
    await contradict();
    assert.deepEqual([symbols("streamed"), warnings], [["THB_BTC"], []], "only one in a row");
    await contradict();
    assert.deepEqual([symbols("streamed"), warnings.length], [[], 1]);
    await timers.advance(15_000);
    assert.deepEqual(symbols("streamed"), ["THB_BTC"]);
    await contradict();
    await contradict();
    await timers.advance(29_000);
    assert.deepEqual([symbols("streamed"), warnings.length], [[], 2]);
    feed.show(undefined);
    await timers.advance(10_000);
    assert.deepEqual(symbols("streamed"), []);
  });

  it("starts over after a sleep of the computer", async () => {
    const { feed, report, followed, symbols } = await openFeed();
    feed.show("THB_BTC");
    report({ depth: good });
    feed.restart();
    assert.deepEqual([feed.state?.book, followed.length, symbols()], [undefined, 4, ["THB_BTC"]]);
  });

  it("forgets the book of another exchange, and ends with its window", async () => {
    const { feed, report, venue, symbols } = await openFeed();
    feed.show("THB_BTC");
    report({ depth: good });
    await venue.select(liveAccount);
    assert.deepEqual([feed.state?.book, symbols()], [undefined, ["THB_BTC"]]);
    feed.dispose();
    assert.deepEqual(symbols(), []);
  });
});
