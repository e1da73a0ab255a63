import assert from "node:assert/strict";
import type { Desk } from "../../src/desk/desk.ts";
import { systemTimers } from "../../src/time/timers.ts";
import { readProfile } from "../../src/exchange/profile.ts";
import { openWebSocket } from "../../src/exchange/stream/socket.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import type { StreamKind } from "../../src/practice/stream/address.ts";
import { pairOf } from "../support/builders/client.ts";
import { testPair } from "../support/builders/practiceRequest.ts";
import { readAll, submit } from "../support/desks/testDesk.ts";
import { DeskWindows, type DeskWindow } from "../support/desks/windows.ts";
import { openingOf, byKind } from "../support/fakes/venue.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { waitFor } from "../support/waitFor.ts";

const LONG_MS = 20_000;

let practice: ProxiedPractice;
let windows: DeskWindows;

/** Gives each test of a suite a practice exchange with one kind of stream, and the windows of one computer. */
function eachTestStreams(kind: StreamKind): void {
  beforeEach(async () => {
    windows = new DeskWindows();
    practice = await startProxiedPractice({
      credentials: testPair,
      now: Date.now,
      switches: { streams: [kind] },
    });
  });
  afterEach(async () => {
    windows.close();
    await practice.close();
  });
}

async function openWindow(): Promise<DeskWindow> {
  const profile = readProfile({ paths: {}, ...practice.profile });
  if (Array.isArray(profile)) assert.fail(profile.join());
  const credentials = pairOf(testPair.apiKey, testPair.apiSecret);
  const opening = openingOf(practice.baseUrl, {
    profile,
    credentials: () => Promise.resolve(credentials),
    addressMayChange: true,
  });
  const open = () => Promise.resolve(opening);
  const desk = await windows.open({
    timers: systemTimers,
    openVenue: byKind({ practice: open, live: open }),
    stream: { open: openWebSocket, isOn: () => true },
  });
  await desk.orders.reread();
  return desk;
}

describe("the streamed order books of several windows", () => {
  eachTestStreams("book");

  it("share one connection, while polling continues and alone serves guards", async () => {
    const [leader, follower] = [await openWindow(), await openWindow()];
    await readAll(leader);
    const { last = 0 } = leader.tickers.ticker("THB_BTC") ?? {};
    const rate = String(Math.floor(last * 0.999));
    assert.equal((await submit(leader, { symbol: "THB_BTC", amount: "100000", rate })).kind, "accepted");
    await waitFor("the market in both windows", () => follower.tickers.ticker("THB_BTC") !== undefined);
    const windowsSeen = [leader, follower].map(({ book }) => {
      const seen = { times: new Set<number>(), streamed: 0 };
      book.onDidChange(() => {
        const { state } = book;
        if (state?.readAt === undefined || seen.times.has(state.readAt)) return;
        seen.times.add(state.readAt);
        if (book.fresh("THB_BTC", 10_000) !== state.book) seen.streamed += 1;
      });
      return seen;
    });
    for (const { book } of [leader, follower]) book.show("THB_BTC");
    await waitFor(
      "streamed books in both windows",
      () => windowsSeen.every(({ streamed }) => streamed >= 3),
      LONG_MS,
    );
    assert.ok(practice.requests.depth >= 2);
    assert.equal(practice.streams.count("book"), 1);
    for (const { book } of [leader, follower]) {
      const found = book.fresh("THB_BTC", 10_000) ?? assert.fail("a book for guards");
      assert.ok(
        found.bids.some(({ price }) => price.eq(rate)),
        "the own order is in the book",
      );
      assert.equal(book.state?.trades?.length, 30);
    }
    for (const { book } of [leader, follower]) book.show(undefined);
    await waitFor("the end of the connection", () => practice.streams.count("book") === 0);
  });
});

describe("the streamed orders of several windows", () => {
  eachTestStreams("private");

  const isOneOpen = (): boolean => practice.streams.count("private") === 1;
  /** The fills known to a window, of all orders. */
  const fillsIn = ({ orders }: Desk): number =>
    [...orders.own, ...orders.elsewhere].reduce((sum, { known }) => sum + (known?.fills.length ?? 0), 0);

  it("reach the leading window over one connection, and the others through the records", async () => {
    const [leader, follower] = [await openWindow(), await openWindow()];
    await waitFor("the stream", isOneOpen);
    await readAll(leader);
    const { last = 0 } = leader.tickers.ticker("THB_BTC") ?? {};
    const draft = { symbol: "THB_BTC", amount: "1000", rate: String(Math.floor(last * 0.9)) };
    assert.equal((await submit(leader, draft)).kind, "accepted");
    // Responses no longer report orders: only the stream does.
    practice.switches.unsupportedPairs = ["THB_BTC"];
    assert.ok(practice.fillOrder("1", new Decimal("400")));
    for (const desk of [leader, follower]) await waitFor("the fill", () => fillsIn(desk) === 1);
    assert.ok(isOneOpen());
  });

  it("resume within seconds after the exchange's clock was set", async () => {
    const leader = await openWindow();
    await waitFor("the stream", isOneOpen);
    await readAll(leader);
    practice.faults.clockSkewMs = 120_000;
    practice.streams.drop("private");
    await waitFor("the stream to be proven again", () => practice.streams.opened.private >= 3 && isOneOpen());
    await waitFor(
      "the measurement",
      () => Math.abs((leader.venue.venue?.client.clock?.offset ?? 0) - 120_000) < 5000,
    );
  });
});
