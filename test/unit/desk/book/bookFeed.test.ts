import assert from "node:assert/strict";
import { BookFeed } from "../../../../src/desk/book/bookFeed.ts";
import type { BookSource, BookTarget, BookUpdate } from "../../../../src/desk/book/bookSource.ts";
import { Event } from "../../../../src/desk/event.ts";
import type { MarketEvent } from "../../../../src/desk/feeds/tickerFeed.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import { depthOf } from "../../../support/builders/books.ts";
import { FakeClient, openVenue, tickerOf } from "../../../support/fakes/venue.ts";

const good = depthOf([["101", "1"]], [["100", "2"]]);
const trade = { at: 1, rate: new Decimal("100"), size: new Decimal("1"), side: "buy" as const };

/** A feed over a source that the test is: who is followed now, and how to tell updates. */
async function openFeed() {
  const state = { now: 1_000_000, isOffered: true };
  const listed = new Map<string, Ticker>([["THB_BTC", tickerOf("THB_BTC")]]);
  const tickersChanged = new Event<MarketEvent>();
  const followed: { target: BookTarget; tell: (update: BookUpdate) => void; hasEnded: boolean }[] = [];
  const source: BookSource = {
    offers: () => state.isOffered,
    follow: (target, tell) => {
      const each = { target, tell, hasEnded: false };
      followed.push(each);
      return () => void (each.hasEnded = true);
    },
  };
  const venue = await openVenue(new FakeClient(), new FakeClient());
  const feed = new BookFeed({
    venue,
    tickers: { ticker: (symbol) => listed.get(symbol), onDidChange: tickersChanged.add },
    sources: [source],
    now: () => state.now,
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
    tell: (update: Partial<BookUpdate>) => followed.at(-1)?.tell({ at: state.now, ...update }),
    symbols: () => followed.filter(({ hasEnded }) => !hasEnded).map(({ target }) => target.named.symbol),
  };
}

describe("the book feed", () => {
  it("follows the pair that a person looks at, and nothing else", async () => {
    const { feed, symbols, listed, followed } = await openFeed();
    listed.set("THB_ETH", tickerOf("THB_ETH"));
    assert.deepEqual([symbols(), feed.state], [[], undefined]);
    feed.show("THB_BTC");
    feed.show("THB_BTC");
    assert.deepEqual([symbols(), followed.length], [["THB_BTC"], 1]);
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
    await venue.select("live");
    assert.deepEqual([symbols(), feed.isOffered, feed.state], [[], false, undefined]);
    state.isOffered = true;
    await venue.select("practice");
    assert.deepEqual(symbols(), ["THB_ETH"]);
  });

  it("has book and trades as they are told, each for itself", async () => {
    const { feed, tell, changes } = await openFeed();
    feed.show("THB_BTC");
    const before = changes();
    tell({ trades: [trade] });
    assert.deepEqual([feed.state?.book, feed.state?.trades], [undefined, [trade]]);
    tell({ depth: good });
    assert.deepEqual(
      [feed.state?.book?.spread?.toFixed(), feed.state?.trades, feed.state?.problem, changes() - before],
      ["1", [trade], undefined, 2],
    );
  });

  it("keeps the book before after a failed reading, and none while the newest is refused", async () => {
    const { feed, tell } = await openFeed();
    feed.show("THB_BTC");
    tell({ depth: good });
    const error = new Error("lost");
    tell({ depth: { error } });
    assert.ok(feed.state?.book);
    assert.deepEqual(feed.state.problem, { error });
    tell({ depth: depthOf([["100", "1"]], [["100", "1"]]) });
    assert.deepEqual([feed.state?.book, feed.state?.problem], [undefined, { fault: "crossed" }]);
    tell({ depth: good });
    assert.ok(feed.state?.book && !feed.state.problem);
  });

  it("has a book for guards only if it is of that pair, without a problem, and not too old", async () => {
    const { feed, tell, state } = await openFeed();
    feed.show("THB_BTC");
    assert.equal(feed.fresh("THB_BTC", 10_000), undefined);
    tell({ depth: good });
    assert.ok(feed.fresh("THB_BTC", 10_000));
    assert.equal(feed.fresh("THB_ETH", 10_000), undefined);
    state.now += 10_000;
    assert.ok(feed.fresh("THB_BTC", 10_000));
    state.now += 1;
    assert.equal(feed.fresh("THB_BTC", 10_000), undefined);
    state.now -= 10_002;
    assert.equal(feed.fresh("THB_BTC", 10_000), undefined, "the clock was set back");
    tell({ depth: good });
    tell({ depth: { error: new Error("lost") } });
    assert.equal(feed.fresh("THB_BTC", 10_000), undefined, "the newest reading failed");
  });

  it("never replaces a book or trades by older ones", async () => {
    const { feed, tell, state } = await openFeed();
    feed.show("THB_BTC");
    tell({ depth: good, at: state.now, trades: [{ ...trade, at: state.now }] });
    tell({
      depth: depthOf([["55", "1"]], []),
      at: state.now - 1,
      trades: [{ ...trade, at: state.now - 5000 }],
    });
    assert.equal(feed.state?.book?.asks[0]?.price.toFixed(), "101");
    assert.equal(feed.state?.trades?.[0]?.at, state.now);
    tell({ depth: depthOf([["56", "1"]], []), trades: [{ ...trade, at: state.now - 900 }] });
    assert.equal(feed.state?.book?.asks[0]?.price.toFixed(), "56");
    const second = Math.floor(state.now / 1000) * 1000;
    tell({ trades: [{ ...trade, at: second }] });
    assert.equal(feed.state?.trades?.[0]?.at, second, "a time in seconds is no older time");
  });

  it("takes newer trades after one with a time in the far future", async () => {
    const { feed, tell, state } = await openFeed();
    feed.show("THB_BTC");
    tell({ trades: [{ ...trade, at: state.now + 1e9 }] });
    tell({ trades: [{ ...trade, at: state.now }] });
    assert.equal(feed.state?.trades?.[0]?.at, state.now);
  });

  it("shows a book that is not believed any more, and has none for guards until the next one", async () => {
    const { feed, tell, state } = await openFeed();
    feed.show("THB_BTC");
    tell({ depth: good });
    tell({ expired: true });
    assert.deepEqual([feed.state?.book?.asks.length, feed.fresh("THB_BTC", 10_000)], [1, undefined]);
    tell({ depth: good, at: state.now - 500 });
    assert.ok(feed.fresh("THB_BTC", 10_000));
  });

  it("begins anew after a sleep of the computer", async () => {
    const { feed, tell, followed, symbols } = await openFeed();
    feed.show("THB_BTC");
    tell({ depth: good });
    feed.restart();
    assert.deepEqual([feed.state?.book, followed.length, symbols()], [undefined, 2, ["THB_BTC"]]);
  });

  it("forgets the book of another exchange, and ends with its window", async () => {
    const { feed, tell, venue, symbols } = await openFeed();
    feed.show("THB_BTC");
    tell({ depth: good });
    await venue.select("live");
    assert.deepEqual([feed.state?.book, symbols()], [undefined, ["THB_BTC"]]);
    feed.dispose();
    assert.deepEqual(symbols(), []);
  });
});
