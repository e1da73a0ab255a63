import assert from "node:assert/strict";
import type { Desk } from "../../../../src/desk/desk.ts";
import { decodeSymbols } from "../../../../src/exchange/wire/symbols.ts";
import type { Depth } from "../../../../src/market/book/book.ts";
import { depthOf } from "../../../support/builders/books.ts";
import { liveAt, newTestDesk, openTestDesk } from "../../../support/desks/testDesk.ts";
import { windowsInMemory } from "../../../support/desks/windowsInMemory.ts";
import { depthFrame, FakeStreams, tradesFrame } from "../../../support/fakes/streams.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, MovingExchange, snapshotOf, tickerOf, byKind } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const SECOND = 1000;
const asks = [[101, 1]] as const;
const bids = [[100, 1]] as const;
const features = { bookStream: { path: "/ws/" } };

/** A client of an exchange with the pairs 1 and 2, whose books are equal. */
function clientOf(polls: { count: number; symbols: number }): FakeClient {
  const client = new FakeClient();
  client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC"), tickerOf("THB_ETH")));
  const rows = ["THB_BTC", "THB_ETH"].map((symbol, index) => ({ id: String(index + 1), symbol }));
  const listed = decodeSymbols({ content: rows, enveloped: true, status: 200 }, "quoteFirst");
  const depth = (): Depth => depthOf([["101", "1"]], [["100", "1"]]);
  client.capabilities = {
    depth: () => {
      polls.count += 1;
      return Promise.resolve(depth());
    },
    symbols: () => {
      polls.symbols += 1;
      return listed ? Promise.resolve(listed) : assert.fail();
    },
  };
  return client;
}

describe("the book streams of all windows", () => {
  let opened: Desk[] = [];
  afterEach(() => {
    for (const desk of opened) desk.dispose();
    opened = [];
  });

  /** Windows on one computer, the first of which leads, with the market in all of them. */
  async function openWindows(count: number) {
    const [timers, streams, openWindows] = [new FakeTimers(), new FakeStreams(), windowsInMemory()];
    const setting = { isOn: true };
    const polls = { count: 0, symbols: 0 };
    const desks = Array.from({ length: count }, () =>
      newTestDesk({
        ...liveAt("https://api.example.com", undefined, { features }),
        client: clientOf(polls),
        timers,
        openWindows,
        stream: { open: streams.open, isOn: () => setting.isOn },
      }),
    );
    opened = desks;
    const until = (what: string, isTrue: () => boolean): Promise<unknown> =>
      waitFor(what, async () => {
        await timers.advance(10);
        return isTrue();
      });
    await until("the windows to have a place", () =>
      desks.every(({ windows }) => windows.role !== "joining"),
    );
    await desks[0]?.tickers.refresh();
    await until("the market", () => desks.every(({ tickers }) => tickers.ticker("THB_BTC") !== undefined));
    return { desks, timers, streams, setting, polls, until };
  }

  it("are opened by the leading window, one for each visible book, and closed when no book is visible", async () => {
    const { desks, streams, until, timers, polls } = await openWindows(3);
    await timers.advance(SECOND);
    assert.deepEqual([streams.all.length, polls.symbols], [0, 0], "no book is visible");
    desks[1]?.book.show("THB_BTC");
    desks[2]?.book.show("THB_BTC");
    await until("the connection", () => streams.all.length > 0);
    desks[0]?.book.show("THB_ETH");
    await until("the other connection", () => streams.all.length > 1);
    await timers.advance(SECOND);
    assert.deepEqual(
      streams.current.map(({ url }) => url.pathname),
      ["/ws/1", "/ws/2"],
    );
    assert.equal(polls.symbols, 1);
    desks[1]?.book.show(undefined);
    await timers.advance(10);
    assert.equal(streams.current.length, 2, "the book is still visible in another window");
    desks[2]?.book.show("THB_ETH");
    await timers.advance(10);
    assert.deepEqual(
      streams.current.map(({ url }) => url.pathname),
      ["/ws/2"],
    );
    for (const { book } of desks) book.show(undefined);
    await timers.advance(10);
    assert.equal(streams.current.length, 0);
  });

  it("reach the other windows in batches of 250 ms, with exact figures, beside the polls of each window", async () => {
    const { desks, streams, until, timers, polls } = await openWindows(2);
    const [leader = assert.fail(), follower = assert.fail()] = desks;
    for (const { book } of desks) book.show("THB_BTC");
    await until("the connection", () => streams.all.length > 0);
    streams.all[0]?.open();
    streams.all[0]?.frame(depthFrame(1, asks, bids), tradesFrame(1, [1_700_000_000, 100, 2, "SELL"]));
    await timers.advance(10);
    const before = polls.count;
    let changes = 0;
    follower.book.onDidChange(() => (changes += 1));
    for (let frame = 0; frame < 30; frame += 1) {
      streams.all[0]?.frame(depthFrame(1, [["101.123456789012345678", 1 + frame / 10]], bids));
      await timers.advance(100);
    }
    const own = (polls.count - before) / 2;
    assert.ok(own >= 0.5, "polling continues");
    assert.ok(changes >= 10 && changes <= 15 + own, `${changes} updates in 3 s`);
    streams.all[0]?.frame(depthFrame(1, [["101.123456789012345678", 3.9]], bids));
    await until("the newest book in both windows", () =>
      [leader, follower].every(({ book }) => book.state?.book?.asks[0]?.size.toFixed() === "3.9"),
    );
    for (const { book } of [leader, follower])
      assert.equal(book.state?.book?.asks[0]?.price.toFixed(), "101.123456789012345678");
    assert.equal(follower.book.state?.book?.asks[0]?.size.toFixed(), "3.9");
    assert.equal(follower.book.fresh("THB_BTC", 10_000)?.asks[0]?.price.toFixed(), "101");
  });

  it("are opened by the next window when the leading one ends", async () => {
    const { desks, streams, until } = await openWindows(2);
    const [leader = assert.fail(), follower = assert.fail()] = desks;
    follower.book.show("THB_BTC");
    await until("the connection", () => streams.all.length > 0);
    leader.dispose();
    await until("the next connection", () => streams.all.length > 1);
    assert.equal(streams.current.length, 1);
    await until("its own market", () => follower.windows.role === "leader");
    streams.current[0]?.open();
    streams.current[0]?.frame(depthFrame(1, [[101.5, 1]], bids));
    assert.equal(follower.book.state?.book?.asks[0]?.price.toFixed(), "101.5");
  });

  it("end with the setting, and with another exchange", async () => {
    const { desks, streams, until, setting, timers } = await openWindows(1);
    const [desk = assert.fail()] = desks;
    desk.book.show("THB_BTC");
    await until("the connection", () => streams.all.length === 1);
    setting.isOn = false;
    desk.bookStream?.update();
    assert.equal(streams.current.length, 0);
    setting.isOn = true;
    desk.bookStream?.update();
    await until("the next connection", () => streams.all.length === 2);
    const changing = desk.venue.select(practiceAccount);
    assert.equal(streams.current.length, 0);
    await changing;
    await timers.advance(10);
  });

  it("start over after a sleep of the computer", async () => {
    const { desks, streams, until, timers } = await openWindows(1);
    desks[0]?.book.show("THB_BTC");
    await until("the connection", () => streams.all.length === 1);
    streams.all[0]?.open();
    timers.sleep(3_600_000);
    streams.all[0]?.frame(depthFrame(1, [[55, 1]], [[54, 1]]));
    await until("the next connection", () => streams.current.length === 1 && streams.all.length === 2);
    assert.notEqual(desks[0]?.book.state?.book?.asks[0]?.price.toFixed(), "55");
  });

  it("connect to the new address when the exchange has moved", async () => {
    const [timers, streams] = [new FakeTimers(), new FakeStreams()];
    const exchange = new MovingExchange(clientOf({ count: 0, symbols: 0 }), { features });
    const desk = await openTestDesk({
      openVenue: byKind({ practice: exchange.open, live: exchange.open }),
      createClient: exchange.createClient,
      timers,
      stream: { open: streams.open, isOn: () => true },
    });
    opened = [desk];
    await desk.tickers.refresh();
    desk.book.show("THB_BTC");
    const portsOf = (): string[] => streams.current.map(({ url }) => url.port);
    await waitFor("the connection", () => portsOf().length === 1);
    assert.deepEqual(portsOf(), ["1"]);
    exchange.move();
    streams.current[0]?.end();
    await desk.tickers.refresh();
    await waitFor("the next connection", () => portsOf().length === 1);
    assert.deepEqual(portsOf(), ["2"]);
  });
});
