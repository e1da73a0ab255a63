import assert from "node:assert/strict";
import { liveAt } from "../../../support/desks/testDesk.ts";
import { type DeskWindow, DeskWindows } from "../../../support/desks/windows.ts";
import { FakeStreams, tickerFrame } from "../../../support/fakes/streams.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, readingOf, tickerOf } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";

describe("the streamed market of several windows", () => {
  let machine: DeskWindows;
  let timers: FakeTimers;
  let client: FakeClient;
  let price: number;
  beforeEach(() => {
    [machine, timers, client, price] = [new DeskWindows(), new FakeTimers(), new FakeClient(), 100];
    client.tickersAnswer = () => Promise.resolve(readingOf(tickerOf("THB_BTC", { last: price })));
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

  /** Opens the socket of the window that leads, and lets a reading prove the stream. */
  async function prove(leader: DeskWindow, streams: FakeStreams): Promise<void> {
    await waitFor("the socket", async () => {
      await timers.advance(0);
      return streams.current.length > 0;
    });
    streams.current[0]?.open();
    tick(streams, price);
    await waitFor("the proof", async () => {
      await timers.advance(1000);
      return leader.stream?.phase === "live";
    });
    // No change is on its way any more, and half a second has no other event.
    await timers.advance(500);
  }

  function tick(streams: FakeStreams, last: number): void {
    price = last;
    streams.current[0]?.frame(tickerFrame("THB_BTC", last));
  }

  it("reaches a follower in batches: the first change at once, the next ones after 250 ms", async () => {
    const [own, others] = [new FakeStreams(), new FakeStreams()];
    const [leader, follower] = [await open(own), await open(others)];
    // A page in the leading window shows the prices between two batches.
    leader.tickers.watch(true);
    await prove(leader, own);
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

  it("reaches a follower whole, also a change right before the times of the prices went on", async () => {
    const [own, others] = [new FakeStreams(), new FakeStreams()];
    const [leader, follower] = [await open(own), await open(others)];
    await prove(leader, own);
    // The times go on once a second, so the changes meet them at all distances.
    for (let round = 0; round < 30; round += 1) {
      tick(own, 100 + round / 100);
      await timers.advance(40);
      tick(own, 100 + round / 100 + 0.005);
      await timers.advance(290);
      await shows(leader, price);
      await shows(follower, price);
    }
  });

  it("goes on in the window that takes over, over one socket of its own", async () => {
    const [own, others] = [new FakeStreams(), new FakeStreams()];
    const [leader, follower] = [await open(own), await open(others)];
    await prove(leader, own);
    await shows(follower, 100);
    leader.dispose();
    await waitFor("the takeover", () => follower.windows.role === "leader");
    assert.equal(own.current.length, 0);
    await prove(follower, others);
    tick(others, 105);
    await timers.advance(250);
    await shows(follower, 105);
    assert.equal(others.current.length, 1);
  });
});
