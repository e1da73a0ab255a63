import assert from "node:assert/strict";
import { openTestDesk, testSettings, unattended } from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { accountOfKind, FakeClient, snapshotOf, tickerOf } from "../../../support/fakes/venue.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const QUARTER_MS = 15 * 60_000;

async function deskOf({ maximumBytes = 0 } = {}) {
  const client = new FakeClient();
  const timers = new FakeTimers();
  const desk = await openTestDesk({
    venue: "live",
    client,
    timers,
    window: unattended,
    storage: temporaryFolder(),
    settings: { ...testSettings, historyMaximumBytes: () => maximumBytes },
  });
  const poll = async (last: number): Promise<void> => {
    client.tickersAnswer = async () => snapshotOf(tickerOf("THB_BTC", { last }));
    await desk.tickers.refresh();
  };
  const seen = (): (number | undefined)[] => desk.dayPrices.of("THB_BTC").slice(-4);
  return { desk, timers, poll, seen, client };
}

const candle = (time: number, close: number) => ({
  time,
  open: close,
  high: close,
  low: close,
  close,
  volume: undefined,
});

describe("the prices of the day", () => {
  it("are the last of each quarter of an hour, with gaps where nothing was polled", async () => {
    const { desk, timers, poll, seen } = await deskOf();
    await poll(1);
    await poll(2);
    await timers.advance(2 * QUARTER_MS);
    await poll(3);
    assert.deepEqual(seen(), [undefined, 2, undefined, 3]);
    assert.equal(desk.dayPrices.of("THB_BTC").length, 96);
    desk.dispose();
  });

  it("are forgotten after a day", async () => {
    const { desk, timers, poll, seen } = await deskOf();
    await poll(1);
    await timers.advance(96 * QUARTER_MS);
    assert.deepEqual(seen(), [undefined, undefined, undefined, undefined]);
    assert.ok(desk.dayPrices.of("THB_BTC").every((price) => price === undefined));
    desk.dispose();
  });

  it("include the candles of a chart, where no price was seen", async () => {
    const { desk, timers, poll, seen } = await deskOf();
    await poll(5);
    const now = timers.now();
    desk.dayPrices.learn("THB_BTC", [
      candle(now - 200 * QUARTER_MS, 9),
      candle(now - 2 * QUARTER_MS, 1),
      candle(now - QUARTER_MS, 2),
      candle(now, 3),
    ]);
    assert.deepEqual(seen(), [undefined, 1, 2, 5]);
    desk.dispose();
  });

  it("include those that Bidside recorded before the window was opened", async () => {
    const { desk, timers, poll, seen } = await deskOf({ maximumBytes: 100_000 });
    const at = timers.now() - 2 * QUARTER_MS;
    const ticker = tickerOf("THB_BTC", { last: 4 });
    desk.history.record(desk.venue.account.id, at, [ticker]);
    desk.history.pause();
    await poll(5);
    await desk.dayPrices.recall("THB_BTC");
    assert.deepEqual(seen(), [undefined, 4, undefined, 5]);
    desk.dispose();
  });

  it("of an exchange are forgotten when another one is opened", async () => {
    const { desk, poll, seen, client } = await deskOf();
    await poll(5);
    client.tickersAnswer = () => Promise.reject(new Error("The other exchange is down."));
    await desk.venue.select(accountOfKind.practice);
    assert.ok(seen().every((price) => price === undefined));
    desk.dispose();
  });
});
