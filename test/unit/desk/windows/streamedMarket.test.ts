import assert from "node:assert/strict";
import { liveAt } from "../../../support/desks/testDesk.ts";
import { type DeskWindow, DeskWindows } from "../../../support/desks/windows.ts";
import { FakeStreams, tickerFrame } from "../../../support/fakes/streams.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";

describe("the streamed market of several windows", () => {
  let machine: DeskWindows;
  let timers: FakeTimers;
  let client: FakeClient;
  let price: number;
  beforeEach(() => {
    [machine, timers, client, price] = [new DeskWindows(), new FakeTimers(), new FakeClient(), 100];
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: price })));
  });
  afterEach(() => machine.close());

  const open = (streams: FakeStreams): Promise<DeskWindow> =>
    machine.open({
      client,
      timers,
      ...liveAt("https://api.example.com", undefined, { features: { tickerStream: { path: "/ws/" } } }),
      stream: { open: streams.open, isOn: () => true },
    });
  const shows = (window: DeskWindow, last: number): Promise<true> =>
    waitFor(`${last} to be shown`, () => window.tickers.ticker("THB_BTC")?.last === last);

  /** Opens the socket of the window that leads. */
  async function openSocket(streams: FakeStreams): Promise<void> {
    await waitFor("the socket", async () => {
      await timers.advance(10);
      return streams.current.length > 0;
    });
    streams.current[0]?.open();
    // No change is on its way any more, and half a second has no poll.
    await timers.advance(500);
  }

  function tick(streams: FakeStreams, last: number): void {
    streams.current[0]?.frame(tickerFrame("THB_BTC", last));
  }

  it("reaches a follower in batches: the first change at once, the next ones after 250 ms", async () => {
    const [own, others] = [new FakeStreams(), new FakeStreams()];
    const [leader, follower] = [await open(own), await open(others)];
    await openSocket(own);
    await shows(follower, 100);
    const shown: (number | undefined)[] = [];
    follower.tickers.onDidChange(({ change }) => {
      if (change?.changed.includes("THB_BTC")) shown.push(follower.tickers.ticker("THB_BTC")?.last);
    });
    tick(own, 101);
    await shows(follower, 101);
    for (const last of [102, 103, 104]) {
      tick(own, last);
      await timers.advance(50);
      await shows(leader, last);
    }
    await timers.advance(100);
    await shows(follower, 104);
    assert.deepEqual(shown, [101, 104]);
    assert.equal(follower.tickers.isStale, false);
    assert.equal(others.all.length, 0);
  });

  it("does not replace the newest poll, against which a follower checks orders", async () => {
    const [own, others] = [new FakeStreams(), new FakeStreams()];
    const [leader, follower] = [await open(own), await open(others)];
    await openSocket(own);
    tick(own, 130);
    await shows(follower, 130);
    for (const { tickers } of [leader, follower]) assert.equal(tickers.readTicker("THB_BTC")?.last, 100);
    price = 101;
    await timers.advance(5000);
    await shows(follower, 101);
    assert.equal(follower.tickers.readTicker("THB_BTC")?.last, 101);
  });

  it("is streamed with the pairs that can be seen in any window", async () => {
    const [own, others] = [new FakeStreams(), new FakeStreams()];
    const [, follower] = [await open(own), await open(others)];
    client.tickersAnswer = () =>
      Promise.resolve(snapshotOf(...["THB_BTC", "THB_ADA"].map((symbol) => tickerOf(symbol))));
    follower.tickers.demand.add(["THB_ADA"], "page");
    await waitFor("the pair of the other window", async () => {
      await timers.advance(1000);
      return own.current[0]?.url.pathname.includes("thb_ada") === true;
    });
    assert.deepEqual([own.current.length, others.all.length], [1, 0]);
  });

  it("is as stale as its polls in every window when the stream ends", async () => {
    const [own, others] = [new FakeStreams(), new FakeStreams()];
    const [leader, follower] = [await open(own), await open(others)];
    await openSocket(own);
    client.tickersAnswer = () => Promise.reject(new Error("no answer"));
    tick(own, 101);
    await shows(follower, 101);
    await waitFor("stale markets", async () => {
      await timers.advance(1000);
      own.current[0]?.frame(tickerFrame("THB_BTC", 101));
      return leader.tickers.isStale && follower.tickers.isStale;
    });
    const stale = (): boolean[] => [leader, follower].map(({ tickers }) => tickers.isStaleOf("THB_BTC"));
    assert.deepEqual(stale(), [false, false]);
    own.current[0]?.end();
    await waitFor("the end in both windows", () => stale().every(Boolean));
  });

  it("continues in the window that takes over, over its own socket", async () => {
    const [own, others] = [new FakeStreams(), new FakeStreams()];
    const [leader, follower] = [await open(own), await open(others)];
    await openSocket(own);
    await shows(follower, 100);
    leader.dispose();
    await waitFor("the takeover", () => follower.windows.role === "leader");
    assert.equal(own.current.length, 0);
    await openSocket(others);
    tick(others, 105);
    await timers.advance(250);
    await shows(follower, 105);
    assert.equal(others.current.length, 1);
  });
});
