import assert from "node:assert/strict";
import { systemTimers } from "../../src/desk/time/timers.ts";
import { readProfile } from "../../src/exchange/profile.ts";
import { openWebSocket } from "../../src/exchange/stream/socket.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { pairOf } from "../support/builders/client.ts";
import { testPair } from "../support/builders/practiceRequest.ts";
import { readAll, submit } from "../support/desks/testDesk.ts";
import { DeskWindows, type DeskWindow } from "../support/desks/windows.ts";
import { openingOf } from "../support/fakes/venue.ts";
import { waitFor } from "../support/waitFor.ts";

const LONG_MS = 20_000;

describe("the streamed order books of several windows", function () {
  this.timeout(60_000);
  let practice: ProxiedPractice;
  let windows: DeskWindows;
  beforeEach(async () => {
    windows = new DeskWindows();
    practice = await startProxiedPractice({
      credentials: testPair,
      now: Date.now,
      switches: { streams: ["book"] },
    });
  });
  afterEach(async () => {
    windows.close();
    await practice.close();
  });

  async function openWindow(): Promise<DeskWindow> {
    const profile = readProfile({ paths: {}, ...practice.profile });
    if (Array.isArray(profile)) assert.fail(profile.join());
    const credentials = pairOf(testPair.apiKey, testPair.apiSecret);
    const opening = openingOf(practice.baseUrl, { profile, credentials: () => Promise.resolve(credentials) });
    const open = () => Promise.resolve(opening);
    return await windows.open({
      timers: systemTimers,
      openVenue: { practice: open, live: open },
      stream: { open: openWebSocket, isOn: () => true },
    });
  }
  it("come over one connection, beside readings that go on and alone serve guards", async () => {
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
    assert.deepEqual([practice.streams.opened.book, practice.streams.count("book")], [1, 1]);
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
