import assert from "node:assert/strict";
import { HistoryRecorder, recordedSource } from "../../../../src/desk/feeds/historyRecorder.ts";
import { NoResponseError } from "../../../../src/exchange/errors.ts";
import type { Candle } from "../../../../src/market/candle.ts";
import { openPriceHistory, type PriceHistory } from "../../../../src/storage/prices/history.ts";
import { FakeTimers, settle } from "../../../support/fakes/timers.ts";
import {
  FakeClient,
  openVenue,
  snapshotOf,
  tickerOf,
  liveAccount,
  TEST_ACCOUNT,
} from "../../../support/fakes/venue.ts";
import { tickerFeed } from "../../../support/fakes/feeds.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const HERE = TEST_ACCOUNT;
/** A whole minute, so that all polls within it make one candle. */
const NOON = Date.UTC(2026, 10, 21, 12);

describe("recording the market", () => {
  let folder: string;
  beforeEach(() => void (folder = temporaryFolder()));

  async function start(given: { client?: FakeClient; history?: Partial<PriceHistory> } = {}) {
    const client = given.client ?? new FakeClient();
    const timers = new FakeTimers(NOON);
    const venue = await openVenue(client);
    await venue.select(liveAccount);
    const tickers = tickerFeed(venue, timers);
    const history = {
      ...openPriceHistory({ directory: folder, maximumBytes: () => 1e6 }),
      ...given.history,
    };
    const state = { isMine: true, troubles: [] as unknown[] };
    const recorder = new HistoryRecorder({
      tickers,
      venue,
      history,
      isMine: () => state.isMine,
      onError: (error) => void state.troubles.push(error),
    });
    /** One poll of the market, with THB_BTC at a price, `seconds` after noon. */
    async function read(seconds: number, last: number): Promise<void> {
      await timers.advance(NOON + seconds * 1000 - timers.now());
      client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last })));
      await tickers.refresh();
      await settle();
    }
    const candles = (source = HERE): Promise<Candle[]> =>
      history.candles(source, { quote: "THB", base: "BTC" }, 0, Number.MAX_SAFE_INTEGER);
    return { client, venue, tickers, recorder, state, read, candles };
  }

  it("keeps every fresh poll, by the minute", async () => {
    const { read, candles, recorder } = await start();
    await read(1, 10);
    await read(30, 12);
    await read(61, 11);
    assert.deepEqual(
      (await candles()).map(({ time, high }) => [time, high]),
      [[NOON, 12]],
    );
    recorder.dispose();
    assert.equal((await candles()).length, 2, "the unfinished minute is written at the end");
  });

  it("never keeps a price again because of a failed poll, also after several tries", async () => {
    const { client, tickers, read, candles, recorder } = await start();
    await read(1, 10);
    client.tickersAnswer = () => Promise.reject(new NoResponseError("tickers", "timeout", "x"));
    for (let round = 0; round < 30; round += 1) await tickers.refresh();
    await read(300, 11);
    recorder.dispose();
    assert.deepEqual(
      (await candles()).map(({ time, open }) => [time - NOON, open]),
      [
        [0, 10],
        [300_000, 11],
      ],
    );
  });

  it("keeps nothing while another window records, and writes its polls at the handover", async () => {
    const { read, candles, state } = await start();
    state.isMine = false;
    await read(1, 10);
    assert.deepEqual(await candles(), []);
    state.isMine = true;
    await read(10, 11);
    state.isMine = false;
    await read(20, 99);
    assert.deepEqual(
      (await candles()).map(({ open, high }) => [open, high]),
      [[11, 11]],
    );
  });

  it("records nothing for a venue with its own price history", async () => {
    const client = new FakeClient();
    const { read, candles, recorder } = await start({
      client: Object.assign(client, { history: () => Promise.resolve([]) }),
    });
    await read(1, 10);
    await read(61, 11);
    recorder.dispose();
    assert.deepEqual(await candles(), []);
  });

  it("keeps each account's prices apart", async () => {
    const { venue, read, candles, recorder } = await start();
    await read(1, 10);
    await venue.select(practiceAccount);
    await read(2, 20);
    recorder.dispose();
    assert.deepEqual([(await candles())[0]?.open, (await candles("practice"))[0]?.open], [10, 20]);
    assert.equal(recordedSource(undefined), undefined);
  });

  it("reports a disk failure once, and reports the next failure only after a successful write", async () => {
    let isFull = true;
    const record = (): void => {
      if (isFull) throw new Error("ENOSPC");
    };
    const { read, state } = await start({ history: { record } });
    for (let second = 1; second < 10; second += 1) await read(second, 10);
    assert.equal(state.troubles.length, 1);
    isFull = false;
    await read(20, 10);
    isFull = true;
    await read(30, 10);
    await read(40, 10);
    assert.equal(state.troubles.length, 2);
  });
});
