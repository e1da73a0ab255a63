import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MissedAlerts } from "../../../../src/desk/alerts/missedAlerts.ts";
import type { AlertRule } from "../../../../src/market/alertRule.ts";
import { type Candle, foldCandles } from "../../../../src/market/candle.ts";
import { type Interval, intervals } from "../../../../src/market/intervals.ts";
import type { Pair } from "../../../../src/market/pair.ts";
import { AlertFiles } from "../../../../src/storage/alertFiles.ts";
import { WatchedTimes } from "../../../../src/storage/watchedTimes.ts";
import { openAlerts } from "../../../support/builders/openAlerts.ts";
import { tickerFeed } from "../../../support/fakes/feeds.ts";
import { FakeTimers, settle } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue, snapshotOf, tickerOf } from "../../../support/fakes/venue.ts";

const MINUTE_MS = intervals["1m"].ms;
const HOUR_MS = 60 * MINUTE_MS;
const above: AlertRule = { kind: "above", price: "110" };
const below: AlertRule = { kind: "below", price: "90" };

/** An exchange with a price history. */
class Exchange extends FakeClient {
  readonly candles: Candle[] = [];
  readonly requests: [symbol: string, Interval, from: number, to: number][] = [];
  /** How many of the next requests fail. */
  failures = 0;
  /** How many candles an answer has; the newest ones of the request. */
  limit = Number.POSITIVE_INFINITY;

  readonly history = async (
    { quote, base }: Pair,
    interval: Interval,
    from: number,
    to: number,
  ): Promise<Candle[]> => {
    this.requests.push([`${quote}_${base}`, interval, from, to]);
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error("The exchange is busy.");
    }
    const minutes: Candle[] = [];
    const { ms } = intervals[interval];
    for (let time = Math.ceil(from / ms) * ms; time < to; time += MINUTE_MS)
      minutes.push(
        this.candles.find((each) => each.time === time) ??
          // A quiet minute.
          { time, open: 100, high: 100, low: 100, close: 100, volume: 1 },
      );
    const candles = foldCandles(minutes, ms);
    return candles.slice(-Math.min(this.limit, candles.length));
  };

  /** The price was at `price` during the minute of `at`, and at 100 at its start and end. */
  add(at: number, price: number, volume = 1): void {
    const time = at - (at % MINUTE_MS);
    const [low, high] = [Math.min(100, price), Math.max(100, price)];
    this.candles.push({ time, open: 100, high, low, close: 100, volume });
  }
}

describe("alerts that were missed while nothing watched the price", () => {
  let folder: string;
  let timers: FakeTimers;
  let exchange: Exchange;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "missed-"));
    timers = new FakeTimers();
    exchange = new Exchange();
    // On the minute.
    await timers.advance(MINUTE_MS - (timers.now() % MINUTE_MS));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function openWindow({ isMine = true } = {}) {
    const venue = await openVenue(exchange);
    const tickers = tickerFeed(venue, timers);
    const errors: unknown[] = [];
    const onError = (error: unknown): unknown => errors.push(error);
    const { alerts, announced } = openAlerts(folder, { tickers, venue, timers, onError });
    const missed = new MissedAlerts({
      alerts,
      watched: new WatchedTimes(join(folder, "watched.json")),
      tickers,
      venue,
      intervalMs: () => 5000,
      isMine: () => isMine,
      onError,
    });
    return {
      alerts,
      announced,
      errors,
      async show(last: number): Promise<void> {
        exchange.tickersAnswer = async () => snapshotOf(tickerOf("THB_BTC", { last }), tickerOf("THB_ETH"));
        await tickers.refresh();
        await settle();
      },
      close(): void {
        assert.deepEqual(errors.splice(0), []);
        for (const each of [missed, alerts, tickers]) each.dispose();
      },
    };
  }

  /** A window in which alerts were made and prices watched, closed now. */
  async function watchedWindow(...rules: readonly AlertRule[]): Promise<number> {
    const window = await openWindow();
    for (const rule of rules) window.alerts.add("THB_BTC", rule, false);
    await window.show(100);
    window.close();
    return timers.now();
  }

  it("fire at the next start, at the time and price of their candle, and once", async () => {
    const closedAt = await watchedWindow(above, below);
    exchange.add(closedAt + 20 * MINUTE_MS, 112);
    exchange.add(closedAt + 30 * MINUTE_MS, 113);
    await timers.advance(HOUR_MS);
    for (const isFirst of [true, false]) {
      const window = await openWindow();
      await window.show(100);
      assert.deepEqual(
        window.announced.map(({ fired }) => [fired?.at, fired?.price, fired?.isMissed]),
        isFirst ? [[closedAt + 20 * MINUTE_MS, 112, true]] : [],
      );
      assert.deepEqual(
        window.alerts.armed({ venue: "practice", origin: "" }).map(({ rule }) => rule),
        [below],
      );
      window.close();
    }
    assert.deepEqual(exchange.requests, [["THB_BTC", "1m", closedAt - MINUTE_MS, timers.now()]]);
  });

  it("fire once the exchange answers, also if it refused each pair before, and after another restart", async () => {
    const closedAt = await watchedWindow(above);
    exchange.add(closedAt + 20 * MINUTE_MS, 112);
    await timers.advance(HOUR_MS);
    exchange.failures = 3;
    for (const [index, isLast] of [false, true].entries()) {
      const window = await openWindow();
      await window.show(100);
      await timers.advance(MINUTE_MS / 2);
      await window.show(100);
      await timers.advance(MINUTE_MS / 2);
      await window.show(100);
      assert.equal(window.errors.splice(0).length, isLast ? 1 : 2);
      assert.equal(exchange.requests.length, 2 * (index + 1), "once a minute");
      assert.deepEqual(
        window.announced.map(({ fired }) => [fired?.at, fired?.isMissed]),
        isLast ? [[closedAt + 20 * MINUTE_MS, true]] : [],
      );
      window.close();
    }
  });

  it("are given up if the exchange never answers, while the other pairs fire", async () => {
    const window = await openWindow();
    window.alerts.add("THB_BTC", below, false);
    window.alerts.add("THB_ETH", below, false);
    await window.show(100);
    exchange.add(timers.now() + HOUR_MS, 89);
    await timers.advance(2 * HOUR_MS);
    exchange.failures = 1;
    await window.show(100);
    assert.equal(window.announced.length, 1);
    exchange.failures = Number.POSITIVE_INFINITY;
    for (let minute = 0; minute < 10; minute += 1) {
      await timers.advance(MINUTE_MS);
      await window.show(100);
    }
    assert.equal(exchange.requests.length, 2 + 4);
    assert.equal(window.errors.splice(0).length, 5);
  });

  it("fire as usual if the price is still beyond them", async () => {
    exchange.add((await watchedWindow(above)) + 20 * MINUTE_MS, 112);
    await timers.advance(HOUR_MS);
    const window = await openWindow();
    await window.show(111);
    assert.deepEqual(
      window.announced.map(({ fired }) => [fired?.price, fired?.isMissed]),
      [[111, undefined]],
    );
  });

  it("fire after the computer slept or the exchange was unreachable, in an open window", async () => {
    const window = await openWindow();
    window.alerts.add("THB_BTC", below, false);
    await window.show(100);
    exchange.add(timers.now() + HOUR_MS, 89);
    await timers.advance(2 * HOUR_MS);
    await window.show(100);
    assert.deepEqual(
      window.announced.map(({ fired }) => fired?.price),
      [89],
    );
  });

  it("do not fire for a price from before the alert was made, or before the window was closed", async () => {
    exchange.add(timers.now() - 10 * MINUTE_MS, 112);
    const closedAt = await watchedWindow(above);
    const later = await openWindow();
    await timers.advance(HOUR_MS);
    exchange.add(closedAt + 20 * MINUTE_MS, 89);
    later.alerts.add("THB_BTC", below, false);
    await later.show(100);
    assert.deepEqual(later.announced, []);
  });

  it("are not looked for after a short pause, without an alert, or by a window that does not read the market", async () => {
    await watchedWindow(above);
    await timers.advance(2 * MINUTE_MS);
    const reader = await openWindow();
    await reader.show(100);
    reader.close();
    await timers.advance(HOUR_MS);
    await (await openWindow({ isMine: false })).show(100);
    for (const { id } of reader.alerts.list) new AlertFiles(folder).remove(id);
    await (await openWindow()).show(100);
    assert.deepEqual(exchange.requests, []);
  });

  it("are looked for in candles that reach back to the last watched price", async () => {
    const closedAt = await watchedWindow(above);
    await timers.advance(30 * HOUR_MS);
    await (await openWindow()).show(100);
    assert.deepEqual(exchange.requests, [["THB_BTC", "5m", closedAt - 5 * MINUTE_MS, timers.now()]]);
  });

  it("fire in what an exchange answers after the newest candles", async () => {
    const closedAt = await watchedWindow(above);
    exchange.add(closedAt + 20 * MINUTE_MS, 112);
    await timers.advance(20 * HOUR_MS);
    exchange.limit = 500;
    const window = await openWindow();
    await window.show(100);
    assert.deepEqual(
      window.announced.map(({ fired }) => fired?.at),
      [closedAt + 20 * MINUTE_MS],
    );
    assert.equal(exchange.requests.length, 3);
  });

  it("fire for a move or a volume too, and are requested with the time before that these count from", async () => {
    const closedAt = await watchedWindow(
      { kind: "change", percent: "10", minutes: 15 },
      { kind: "volume", volume: "2400", asset: "BTC" },
    );
    exchange.add(closedAt + HOUR_MS, 111);
    exchange.add(closedAt + 2 * HOUR_MS, 100, 1000);
    await timers.advance(5 * HOUR_MS);
    const window = await openWindow();
    await window.show(100);
    assert.deepEqual(window.announced.map(({ rule, fired }) => [rule.kind, fired?.price]).sort(), [
      ["change", 111],
      ["volume", 100],
    ]);
    const dayMs = 24 * HOUR_MS;
    assert.deepEqual(exchange.requests, [["THB_BTC", "5m", closedAt - dayMs - 5 * MINUTE_MS, timers.now()]]);
  });

  it("are not looked for if the record of the last watched price is damaged", async () => {
    await watchedWindow(above);
    writeFileSync(join(folder, "watched.json"), "{");
    await timers.advance(HOUR_MS);
    await (await openWindow()).show(100);
    assert.deepEqual(exchange.requests, []);
  });
});
