import assert from "node:assert/strict";
import fc from "fast-check";
import { ChartFeed } from "../../../../src/desk/feeds/chartFeed.ts";
import type { ExchangeClient } from "../../../../src/exchange/client.ts";
import { NoResponseError } from "../../../../src/exchange/errors.ts";
import type { Candle } from "../../../../src/market/candle.ts";
import { intervals, type Interval } from "../../../../src/market/intervals.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import type { PriceHistory } from "../../../../src/storage/prices/history.ts";
import { FakeTimers, settle } from "../../../support/fakes/timers.ts";
import {
  FakeClient,
  openVenue,
  snapshotOf,
  tickerOf,
  currentVenue,
  byKind,
  liveAccount,
} from "../../../support/fakes/venue.ts";
import { tickerFeed } from "../../../support/fakes/feeds.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = intervals["1m"].ms;

function flat(minute: number, price: number, volume: number | undefined = 1): Candle {
  return { time: NOON + minute * MINUTE, open: price, high: price, low: price, close: price, volume };
}

type History = NonNullable<ExchangeClient["history"]>;

/** A client whose exchange has a price history: the candles that the test puts into `past`. */
class HistoryClient extends FakeClient {
  past: readonly Candle[] | Error = [];
  readonly asked: { interval: Interval; from: number; to: number }[] = [];
  #between(from: number, to: number): readonly Candle[] {
    return this.past instanceof Error ? [] : this.past.filter(({ time }) => time >= from && time <= to);
  }
  readonly history: History = (_symbol, interval, from, to, orEarlier) => {
    this.asked.push({ interval, from, to });
    if (this.past instanceof Error) return Promise.reject(this.past);
    const found = this.#between(from, to);
    if (found.length > 0 || !orEarlier) return Promise.resolve(found);
    const earlier = this.past.findLast(({ time }) => time < from)?.time ?? from;
    return Promise.resolve(this.#between(earlier - (to - from), earlier));
  };
}

async function start(client: FakeClient, recorded: readonly Candle[] = [], now = NOON + 500) {
  const timers = new FakeTimers(now);
  const venue = await openVenue(client);
  const tickers = tickerFeed(venue, timers);
  const history = { candles: [...recorded], sources: [] as string[] };
  const troubles: unknown[] = [];
  const past: Pick<PriceHistory, "candles"> = {
    candles: (source, _symbol, from, to) => {
      history.sources.push(source);
      return Promise.resolve(history.candles.filter(({ time }) => time >= from && time < to));
    },
  };
  const feed = new ChartFeed({
    symbol: "THB_BTC",
    venue,
    tickers,
    recorded: past,
    now: timers.now,
    onError: (error) => void troubles.push(error),
  });
  const fired: (number | undefined)[] = [];
  feed.onDidChange((candle) => void fired.push(candle && candle.time - NOON));
  feed.setShown(true);
  /** Reads the market `seconds` after noon. */
  async function read(seconds: number, given: Partial<Ticker>): Promise<void> {
    await timers.advance(NOON + seconds * 1000 - timers.now());
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", given)));
    await tickers.refresh();
    await settle();
  }
  return { feed, venue, tickers, client, timers, history, troubles, fired, read };
}

function ready(feed: ChartFeed): Extract<ChartFeed["state"], { kind: "ready" }> {
  return feed.state.kind === "ready" ? feed.state : assert.fail(feed.state.kind);
}

const shown = (feed: ChartFeed): [minute: number, close: number][] =>
  ready(feed).candles.map(({ time, close }) => [(time - NOON) / MINUTE, close]);

const HOUR = intervals["1h"].ms;
/** Every hour of more than a year, up to noon. */
const YEAR: readonly Candle[] = Array.from({ length: 380 * 24 }, (_, back) => ({
  ...flat(0, 100 + (back % 37)),
  time: NOON - back * HOUR,
})).toReversed();

describe("the older candles of a chart", () => {
  it("go back through a year, without a gap and without a double, however the pair was traded", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(YEAR.length), hours: fc.integer({ min: 1, max: 2500 }) }), {
          maxLength: 6,
        }),
        fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
        async (pauses, ticks) => {
          const client = new HistoryClient();
          client.past = YEAR.filter(
            (_, index) => !pauses.some(({ at, hours }) => index >= at && index < at + hours),
          );
          const { feed, read } = await start(client);
          await feed.select("1h");
          for (let round = 0; ready(feed).hasOlder && ready(feed).candles.length < 10_000; round += 1) {
            const added = feed.older();
            // A price arrives while they are read.
            if (ticks[round % ticks.length]) await read(10 + round, { last: 100 });
            await added;
          }
          // The prices that arrived are in the hour that begins at noon.
          const timesOf = (candles: readonly Candle[]): number[] =>
            candles.map(({ time }) => time).filter((time) => time !== NOON);
          assert.deepEqual(timesOf(ready(feed).candles), timesOf(client.past));
        },
      ),
      { numRuns: 20 },
    );
  });

  it("are requested once at a time, up to just before the first one shown", async () => {
    const client = new HistoryClient();
    client.past = YEAR;
    const { feed } = await start(client);
    await feed.select("1h");
    await Promise.all([feed.older(), feed.older()]);
    const [, second, ...others] = client.asked.map(({ from, to }) => [(from - NOON) / HOUR, to - NOON]);
    assert.deepEqual([second, others], [[-1439, -719 * HOUR - 1], []]);
    assert.equal(ready(feed).candles.length, 1440);
  });

  it("end where the exchange has none", async () => {
    const client = new HistoryClient();
    client.past = [flat(-1, 6), flat(0, 7)];
    const { feed } = await start(client);
    await feed.load();
    await feed.older();
    await feed.older();
    assert.deepEqual([ready(feed).hasOlder, client.asked.length], [false, 2]);
    assert.deepEqual(shown(feed), [
      [-1, 6],
      [0, 7],
    ]);
  });

  it("may be requested again after a failure, which is logged and changes nothing", async () => {
    const client = new HistoryClient();
    client.past = YEAR;
    const { feed, fired, troubles } = await start(client);
    await feed.select("1h");
    client.past = new NoResponseError("history", "timeout", "x");
    fired.length = 0;
    await feed.older();
    assert.deepEqual([troubles.length, fired, ready(feed).candles.length], [1, [undefined], 720]);
    client.past = YEAR;
    await feed.older();
    assert.equal(ready(feed).candles.length, 1440);
  });

  it("stay when the newest ones are read again", async () => {
    const client = new HistoryClient();
    client.past = YEAR;
    const { feed, read } = await start(client);
    await feed.select("1h");
    for (let round = 0; round < 3; round += 1) await feed.older();
    await read(3605, { last: 101 });
    assert.equal(ready(feed).candles.length, 4 * 720 + 1);
  });

  it("are dropped if another interval was chosen meanwhile", async () => {
    const client = new HistoryClient();
    client.past = YEAR;
    const { feed } = await start(client);
    await feed.select("1h");
    const older = feed.older();
    await feed.select("4h");
    await older;
    assert.equal(ready(feed).candles[0]?.time, NOON - 539 * 4 * HOUR);
  });

  it("are found beyond the days in which the editor was closed, where Bidside recorded them", async () => {
    const minutes = [flat(-9000, 3), flat(-8999, 4), flat(-1, 6), flat(0, 7)];
    const { feed } = await start(new FakeClient(), minutes);
    await feed.load();
    await feed.older();
    assert.deepEqual(shown(feed), [
      [-9000, 3],
      [-8999, 4],
      [-1, 6],
      [0, 7],
    ]);
    await feed.older();
    assert.equal(ready(feed).hasOlder, false);
  });
});

describe("the candles of a chart", () => {
  it("are the last ones of a quiet pair, however old, and new prices follow them", async () => {
    const client = new HistoryClient();
    client.past = [flat(-10_001, 5), flat(-10_000, 6)];
    const { feed, read } = await start(client);
    await feed.load();
    assert.deepEqual(shown(feed), [
      [-10_001, 5],
      [-10_000, 6],
    ]);
    assert.equal(ready(feed).hasPast, true);
    await read(5, { last: 7 });
    assert.deepEqual(shown(feed).at(-1), [0, 7]);
  });

  it("come from the exchange if it has a price history", async () => {
    const client = new HistoryClient();
    client.past = [flat(-2, 5), flat(-1, 6), flat(0, 7)];
    const { feed, history } = await start(client);
    await feed.load();
    const hasMore = { hasPast: true, hasOlder: true };
    assert.deepEqual(ready(feed), { kind: "ready", candles: client.past, from: "exchange", ...hasMore });
    assert.deepEqual(client.asked, [{ interval: "1m", from: NOON - 1439 * MINUTE, to: NOON + 500 }]);
    assert.deepEqual(history.sources, []);
  });

  it("come from Bidside's records, folded to the interval, if the exchange has no history", async () => {
    const minutes = Array.from({ length: 12 }, (_, index) => flat(index - 12, index + 1));
    const { feed, history } = await start(new FakeClient(), minutes);
    await feed.select("5m");
    assert.deepEqual(history.sources, ["practice"]);
    assert.deepEqual(
      ready(feed).candles.map(({ time, open, close, volume }) => [time - NOON, open, close, volume]),
      [
        [-15 * MINUTE, 1, 2, 2],
        [-10 * MINUTE, 3, 7, 5],
        [-5 * MINUTE, 8, 12, 5],
      ],
    );
    assert.deepEqual([ready(feed).from, ready(feed).hasPast], ["recorded", true]);
  });

  it("begin with the last price if there is no history", async () => {
    const { feed, read } = await start(new FakeClient());
    await read(1, { last: 5 });
    await feed.load();
    assert.deepEqual(shown(feed), [[0, 5]]);
    assert.equal(ready(feed).hasPast, false);
  });

  it("follow every price: the newest candle changes until the next candle begins", async () => {
    const client = new HistoryClient();
    client.past = [flat(-1, 6), flat(0, 7, 3)];
    const { feed, read, fired } = await start(client);
    await feed.load();
    fired.length = 0;
    await read(10, { last: 9, baseVolume: 100 });
    await read(15, { last: 8, baseVolume: 100.5 });
    assert.deepEqual(ready(feed).candles.at(-1), {
      time: NOON,
      open: 7,
      high: 9,
      low: 7,
      close: 8,
      volume: 3.5,
    });
    assert.deepEqual(fired, [0, 0]);
    await read(65, { last: 4, baseVolume: 101 });
    assert.deepEqual(shown(feed), [
      [-1, 6],
      [0, 8],
      [1, 4],
    ]);
  });

  it("are read again when a new candle begins, which fills gaps and corrects earlier prices", async () => {
    const client = new HistoryClient();
    client.past = [flat(-2, 5), flat(-1, 6), flat(0, 7)];
    const { feed, read } = await start(client);
    await feed.load();
    await read(10, { last: 9 });
    client.past = [...client.past.slice(0, 2), flat(0, 8), flat(1, 9), flat(2, 10), flat(3, 11)];
    await read(185, { last: 12 });
    assert.deepEqual(shown(feed), [
      [-2, 5],
      [-1, 6],
      [0, 8],
      [1, 9],
      [2, 10],
      [3, 12],
    ]);
    assert.deepEqual(
      client.asked.map(({ from }) => (from - NOON) / MINUTE),
      [-1439, -1],
    );
    await read(190, { last: 13 });
    assert.equal(client.asked.length, 2, "once a candle");
  });

  it("stay unchanged if that request fails, and the failure is logged", async () => {
    const client = new HistoryClient();
    client.past = [flat(0, 7)];
    const { feed, read, troubles } = await start(client);
    await feed.load();
    client.past = new NoResponseError("history", "timeout", "x");
    await read(61, { last: 8 });
    assert.deepEqual(shown(feed), [
      [0, 7],
      [1, 8],
    ]);
    assert.equal(troubles.length, 1);
  });

  it("never hold a frozen, stale or impossible price", async () => {
    const client = new HistoryClient();
    client.past = [flat(0, 7)];
    const { feed, read, tickers } = await start(client);
    await feed.load();
    await read(5, { last: 99, frozen: true });
    await read(10, { last: 0 });
    await read(15, { last: 8 });
    client.tickersAnswer = () => Promise.reject(new NoResponseError("tickers", "timeout", "x"));
    await tickers.refresh();
    assert.deepEqual(shown(feed), [[0, 8]]);
    const { high, low } = ready(feed).candles[0] ?? assert.fail();
    assert.deepEqual([high, low], [8, 7]);
  });

  it("are neither read nor updated while hidden, and catch up when shown", async () => {
    const client = new HistoryClient();
    client.past = [flat(-1, 6), flat(0, 7)];
    const { feed, read, fired } = await start(client);
    await feed.load();
    feed.setShown(false);
    fired.length = 0;
    for (const seconds of [10, 70, 130]) await read(seconds, { last: 9 });
    assert.deepEqual(fired, []);
    assert.equal(client.asked.length, 1);
    client.past = [...client.past, flat(1, 8), flat(2, 9)];
    feed.setShown(true);
    await settle();
    assert.deepEqual(shown(feed), [
      [-1, 6],
      [0, 7],
      [1, 8],
      [2, 9],
    ]);
  });

  it("are those of the interval chosen last, for every order of the answers", async () => {
    const client = new HistoryClient();
    const answers: ((candles: readonly Candle[]) => void)[] = [];
    Object.assign(client, { history: () => new Promise((resolve) => answers.push(resolve)) });
    const { feed } = await start(client);
    const first = feed.load();
    const second = feed.select("1h");
    await settle();
    answers[1]?.([flat(0, 60)]);
    await second;
    answers[0]?.([flat(0, 1)]);
    await first;
    assert.deepEqual([feed.interval, shown(feed)], ["1h", [[0, 60]]]);
  });

  it("cannot be shown if the history cannot be read, and can be shown after a successful try", async () => {
    const client = new HistoryClient();
    client.past = new NoResponseError("history", "timeout", "x");
    const { feed } = await start(client);
    await feed.load();
    assert.deepEqual(feed.state, { kind: "failed", error: client.past });
    client.past = [flat(0, 7)];
    await feed.select("1m");
    assert.equal(feed.state.kind, "ready");
  });

  it("change with the venue, and the old venue's candles are marked as such", async () => {
    const practice = new HistoryClient();
    practice.past = [flat(0, 1)];
    const { feed, venue, timers } = await start(practice);
    const loading: boolean[] = [];
    feed.onDidChange(() => {
      if (feed.state.kind === "loading") loading.push(feed.state.isOtherVenue);
    });
    await feed.load();
    await feed.select("5m");
    await feed.select("1m");
    assert.deepEqual(loading, [false, false, false]);
    loading.length = 0;
    await venue.select(liveAccount);
    await settle();
    assert.ok(loading.length > 0 && loading.every((isOther) => isOther));
    assert.deepEqual(shown(feed), [[0, 1]]);
    feed.dispose();
    await venue.select(practiceAccount);
    await timers.advance(1000);
    assert.equal(practice.asked.length, 4, "a closed chart asks for nothing");
  });

  it("are missing if the venue cannot be used, and the state has the reason", async () => {
    const error = new Error("no base URL");
    const venue = currentVenue({
      open: byKind({ practice: () => Promise.reject(error), live: () => Promise.reject(error) }),
      createClient: () => new FakeClient(),
    });
    const timers = new FakeTimers(NOON);
    const tickers = tickerFeed(venue, timers);
    const never = (): never => assert.fail("no history may be read");
    const feed = new ChartFeed({
      symbol: "THB_BTC",
      venue,
      tickers,
      recorded: { candles: never },
      now: timers.now,
      onError: never,
    });
    await feed.load();
    assert.equal(feed.state.kind, "loading", "the venue is still opening");
    await venue.select(liveAccount);
    assert.deepEqual(feed.state, { kind: "failed", error });
  });

  it("stay bounded in number while a chart is open", async () => {
    const client = new HistoryClient();
    const { feed, read } = await start(client);
    await feed.load();
    for (let minute = 0; minute < 2900; minute += 1) {
      client.past = [flat(minute, 5)];
      await read(minute * 60 + 1, { last: 5 });
    }
    assert.ok(ready(feed).candles.length <= 2881, `${ready(feed).candles.length} candles`);
  });
});
