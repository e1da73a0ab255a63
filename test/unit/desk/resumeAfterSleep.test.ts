import assert from "node:assert/strict";
import { resumeAfterSleep } from "../../../src/desk/resumeAfterSleep.ts";
import { aloneWindow, balanceFeed, tickerFeed } from "../../support/fakes/feeds.ts";
import { FakeTimers, settle } from "../../support/fakes/timers.ts";
import { FakeClient, openVenue, liveAccount } from "../../support/fakes/venue.ts";
import { practiceAccount } from "../../../src/market/account.ts";

async function desk() {
  const timers = new FakeTimers();
  const client = new FakeClient();
  const venue = await openVenue(client);
  const window = aloneWindow({ focused: false });
  const tickers = tickerFeed(venue, timers, window);
  const balances = balanceFeed(venue, timers, window);
  let checked: () => void = () => assert.fail("no check began");
  const checkUnknownOrders = (): Promise<void> => new Promise((resolve) => (checked = resolve));
  return { timers, client, venue, window, tickers, balances, checkUnknownOrders, checked: () => checked() };
}

describe("after a sleep", () => {
  it("clock and prices are in doubt at once, and unknown bids are checked before prices", async () => {
    const parts = await desk();
    const { timers, client, tickers } = parts;
    parts.window.setDemand({ ordering: true, visible: true });
    await timers.advance(0);
    timers.sleep(60_000);
    const done = resumeAfterSleep(parts);
    assert.deepEqual([client.calls.forgetClock, tickers.isStale], [1, true]);
    await timers.advance(9_999);
    assert.deepEqual([client.calls.tickers, client.calls.wallet], [1, 1]);
    await settle();
    parts.checked();
    await done;
    await settle();
    assert.deepEqual([client.calls.tickers, client.calls.wallet], [2, 2]);
    assert.equal(tickers.isStale, false);
    assert.deepEqual(timers.nextIn, 5000);
  });

  it("a check that hangs delays prices and balances by at most ten seconds", async () => {
    const parts = await desk();
    const { timers, client, tickers } = parts;
    parts.window.setDemand({ ordering: true });
    await timers.advance(0);
    void resumeAfterSleep(parts);
    await timers.advance(10_000);
    assert.equal(client.calls.tickers, 2);
    assert.equal(tickers.isStale, false);
  });

  it("nothing is read without a watcher or without an open venue", async () => {
    const parts = await desk();
    const done = resumeAfterSleep(parts);
    await settle();
    parts.checked();
    await done;
    await parts.timers.advance(60_000);
    assert.deepEqual([parts.client.calls.tickers, parts.client.calls.wallet], [0, 0]);
    await parts.venue.select(liveAccount);
    void parts.venue.select(practiceAccount);
    assert.equal(parts.venue.venue, undefined);
    void resumeAfterSleep(parts);
    assert.equal(parts.client.calls.forgetClock, 1);
  });
});
