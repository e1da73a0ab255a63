import assert from "node:assert/strict";
import type { MarketChange } from "../../../../src/desk/feeds/tickerFeed.ts";
import { NoAnswerError } from "../../../../src/exchange/errors.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import {
  openLiveDesk,
  openStreamedDesk,
  watchStream,
  type StreamedDesk,
} from "../../../support/desks/streamedDesk.ts";
import { tickerFrame } from "../../../support/fakes/streams.ts";
import { readingOf, tickerOf } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";

const INTERVAL_MS = 5000;

/** Keeps the stream alive with the same prices for some time, without a change. */
async function keepAlive({ timers, streams, prices }: StreamedDesk, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1000) {
    const current = streams.current.at(-1);
    for (const [symbol, last] of prices) current?.frame(tickerFrame(symbol, last));
    await timers.advance(1000);
  }
}

/** Frames with new prices of one pair, 400 a second. */
async function sendFrames({ timers, streams }: StreamedDesk, count: number): Promise<void> {
  for (let frame = 0; frame < count; frame += 1) {
    streams.all[0]?.frame(tickerFrame("THB_ETH", 10 + frame / 1024));
    await timers.advance(2.5);
  }
}

const lastOf = ({ desk }: StreamedDesk, symbol = "THB_BTC"): number | undefined =>
  desk.tickers.ticker(symbol)?.last;

describe("The stream of prices", () => {
  let bench: StreamedDesk;
  afterEach(() => bench.desk.dispose());

  it("runs while prices are visible, and not otherwise", async () => {
    bench = await openLiveDesk();
    const { desk, streams, timers } = bench;
    desk.dispose();
    bench = await openStreamedDesk();
    await bench.timers.advance(60_000);
    assert.equal(bench.streams.all.length, 0);
    const hide = bench.desk.tickers.watch();
    await waitFor("the socket", async () => {
      await bench.timers.advance(100);
      return bench.streams.current.length === 1;
    });
    hide();
    assert.deepEqual([bench.streams.current.length, bench.desk.stream?.phase], [0, "off"]);
    assert.equal(streams.current.length, 0);
    await timers.advance(0);
  });

  it("runs while an alert waits and all is hidden, serves the alert, and ends when the alert has fired", async () => {
    bench = await openStreamedDesk();
    const { desk, timers, streams, tick } = bench;
    const alerts = await desk.alerts();
    const { id } = alerts.add("THB_BTC", { kind: "above", price: "100.3" }, false);
    await waitFor("the socket", async () => {
      await timers.advance(100);
      return streams.current.length === 1;
    });
    streams.current[0]?.open();
    await tick("THB_BTC", 100);
    await tick("THB_ETH", 10);
    await timers.advance(1000);
    assert.deepEqual([desk.tickers.isWatched, desk.stream?.phase], [false, "live"]);
    await keepAlive(bench, 5 * 60_000);
    assert.deepEqual([streams.current.length, alerts.get(id)?.phase], [1, "armed"]);
    await tick("THB_BTC", 100.4);
    assert.deepEqual([alerts.get(id)?.phase, alerts.get(id)?.fired?.price], ["fired", 100.4]);
    assert.deepEqual([streams.current.length, desk.stream?.phase], [0, "off"]);
  });

  it("shows no price before a reading has agreed with it", async () => {
    bench = await openStreamedDesk();
    const { desk, timers, streams, tick } = bench;
    await watchStream(bench);
    streams.all[0]?.open();
    await tick("THB_BTC", 100.2);
    assert.deepEqual([desk.stream?.phase, lastOf(bench)], ["proving", 100]);
    const before = bench.client.calls.tickers;
    await timers.advance(1000);
    assert.deepEqual([desk.stream?.phase, bench.client.calls.tickers - before], ["live", 1]);
    await tick("THB_BTC", 100.4);
    assert.equal(lastOf(bench), 100.4);
  });

  it("shows readings at the usual interval while a connection sends no price for five seconds", async () => {
    bench = await openLiveDesk();
    const { desk, timers, prices, client } = bench;
    await keepAlive(bench, 10_000);
    const readings = client.calls.tickers;
    prices.set("THB_BTC", 100.3);
    await timers.advance(4000);
    assert.deepEqual([client.calls.tickers - readings, lastOf(bench)], [0, 100]);
    await timers.advance(2000);
    assert.deepEqual([client.calls.tickers - readings, lastOf(bench)], [1, 100.3]);
    assert.deepEqual([desk.tickers.isStaleOf("THB_BTC"), desk.stream?.phase], [false, "live"]);
    assert.equal(desk.stream?.paced(INTERVAL_MS), INTERVAL_MS);
    await keepAlive(bench, 2000);
    assert.equal(desk.stream.paced(INTERVAL_MS), 60_000);
  });

  it("is not believed after five quiet seconds until a reading agrees, and no wrong price is shown", async () => {
    bench = await openLiveDesk();
    const { desk, timers, streams } = bench;
    await keepAlive(bench, 10_000);
    await timers.advance(6000);
    const shown = new Set<number | undefined>();
    desk.tickers.onDidChange(() => shown.add(lastOf(bench)));
    for (let second = 0; second < 8 && desk.stream?.phase === "live"; second += 1) {
      streams.current.at(-1)?.frame(tickerFrame("THB_BTC", 120));
      await timers.advance(1000);
    }
    assert.equal(desk.stream?.phase, "dropped");
    assert.deepEqual([...shown], [100]);
  });

  it("keeps its newest prices while a reading is awaited after quiet seconds, and shows no older reading again", async () => {
    bench = await openLiveDesk();
    const { desk, timers, client, tick } = bench;
    await keepAlive(bench, 10_000);
    await tick("THB_BTC", 100.3);
    client.tickersAnswer = () => Promise.reject(new Error("no answer"));
    await timers.advance(6000);
    const shown = new Set<number | undefined>();
    desk.tickers.onDidChange(() => shown.add(lastOf(bench)));
    await tick("THB_BTC", 100.4);
    await timers.advance(3000);
    assert.deepEqual([...shown, lastOf(bench)], [100.3]);
  });

  it("fires at once for the first price after a pause, and names the changed rows", async () => {
    bench = await openLiveDesk();
    await bench.timers.advance(300);
    const [events, paced]: [MarketChange[], MarketChange[]] = [[], []];
    bench.desk.tickers.onDidChange(({ change }) => change && events.push(change));
    bench.desk.tickers.onDidChangePaced(({ change }) => change && paced.push(change));
    bench.streams.all[0]?.frame(tickerFrame("THB_BTC", 101));
    assert.deepEqual(events, [{ changed: ["THB_BTC"], rowsChanged: false, staleChanged: false }]);
    await sendFrames(bench, 400);
    assert.ok(events.length <= 22, `${events.length} events`);
    assert.ok(paced.length <= 6, `${paced.length} paced events`);
    assert.equal(lastOf(bench, "THB_ETH"), 10 + 399 / 1024);
  });

  it("fires twenty times a second while a page shows prices or an alert waits, and not for lists alone", async () => {
    bench = await openLiveDesk("list");
    const { desk, timers } = bench;
    let events = 0;
    desk.tickers.onDidChange(({ change }) => (events += change ? 1 : 0));
    const eventsOfASecond = async (): Promise<number> => {
      await timers.advance(300);
      events = 0;
      await sendFrames(bench, 400);
      return events;
    };
    const hide = desk.tickers.watch(true);
    const ofPage = await eventsOfASecond();
    hide();
    hide();
    const ofLists = await eventsOfASecond();
    (await desk.alerts()).add("THB_BTC", { kind: "above", price: "500" }, false);
    const ofAlert = await eventsOfASecond();
    const isClose = (count: number): boolean => count >= 18 && count <= 22;
    assert.deepEqual([isClose(ofPage), isClose(ofAlert), ofLists <= 6], [true, true, true]);
  });

  it("tells lists of each price within 250 ms, also while the times of the prices go on once a second", async () => {
    bench = await openLiveDesk("list");
    const { desk, timers, streams } = bench;
    const told: number[] = [];
    desk.tickers.onDidChangePaced(({ change }) => {
      if (change?.changed.includes("THB_ETH")) told.push(timers.now());
    });
    const waits: number[] = [];
    for (let frame = 0; frame < 100; frame += 1) {
      const sent = timers.now();
      streams.all[0]?.frame(tickerFrame("THB_ETH", 10 + frame / 1024));
      await timers.advance(297);
      waits.push((told.find((at) => at >= sent) ?? Number.POSITIVE_INFINITY) - sent);
    }
    assert.ok(Math.max(...waits) <= 250, `${Math.max(...waits)} ms`);
  });

  it("tells lists of a first price at once, right after the times of the prices went on", async () => {
    bench = await openLiveDesk();
    await bench.timers.advance(300);
    const paced: (MarketChange | undefined)[] = [];
    bench.desk.tickers.onDidChangePaced(({ change }) => paced.push(change));
    for (let ms = 0; ms < 1000 && paced.length === 0; ms += 1) await bench.timers.advance(1);
    bench.streams.all[0]?.frame(tickerFrame("THB_BTC", 101));
    assert.deepEqual(paced, [undefined, { changed: ["THB_BTC"], rowsChanged: false, staleChanged: false }]);
  });

  it("needs one reading a minute, and none in between", async () => {
    bench = await openLiveDesk();
    const before = bench.client.calls.tickers;
    await keepAlive(bench, 58_000);
    assert.equal(bench.client.calls.tickers, before);
    await keepAlive(bench, 3000);
    assert.deepEqual([bench.client.calls.tickers, bench.desk.stream?.phase], [before + 1, "live"]);
  });

  it("keeps a price that arrived after the request of a reading", async () => {
    bench = await openLiveDesk();
    await keepAlive(bench, 58_000);
    let answer: () => void = () => undefined;
    const { client, timers } = bench;
    client.tickersAnswer = (gate) => {
      gate?.mayStillGo?.();
      return new Promise((resolve) => {
        answer = () =>
          resolve(readingOf(tickerOf("THB_BTC", { last: 100 }), tickerOf("THB_ETH", { last: 10 })));
      });
    };
    void bench.desk.tickers.poll.refresh();
    await timers.advance(500);
    await bench.tick("THB_BTC", 100.3);
    answer();
    await timers.advance(0);
    assert.deepEqual([lastOf(bench), bench.desk.stream?.phase], [100.3, "live"]);
  });

  it("is dropped and said once if a reading disagrees, and comes back by proof", async () => {
    bench = await openLiveDesk();
    const { prices, timers, desk, streams } = bench;
    await bench.tick("THB_BTC", 130);
    assert.equal(lastOf(bench), 130);
    await timers.advance(10);
    prices.set("THB_BTC", 104);
    await desk.tickers.poll.refresh();
    assert.deepEqual([desk.stream?.phase, lastOf(bench), streams.current.length], ["dropped", 104, 0]);
    assert.equal(bench.warnings.length, 1);
    const before = bench.client.calls.tickers;
    await timers.advance(10_000);
    assert.ok(bench.client.calls.tickers >= before + 2, "prices are read at the interval");
    // It lies again after the first wait, and tells the truth after the second.
    for (const [waitMs, last, phase] of [
      [5000, 130, "dropped"],
      [30_000, 104, "live"],
    ] as const) {
      await timers.advance(waitMs);
      await waitFor("the socket", async () => {
        await timers.advance(0);
        return streams.current.length > 0;
      });
      streams.current[0]?.open();
      await bench.tick("THB_BTC", last);
      await timers.advance(1000);
      assert.deepEqual([desk.stream?.phase, lastOf(bench)], [phase, 104]);
    }
    assert.deepEqual(
      bench.warnings.map((text) => /disagrees|agrees again/.exec(text)?.[0]),
      ["disagrees", "agrees again"],
    );
  });

  it("shows a pair as readings show it while a reading has an earlier price, and is dropped if the next one has too", async () => {
    for (const [next, phase, shown] of [
      [100, "dropped", 100],
      [130, "live", 130],
    ] as const) {
      bench = await openLiveDesk();
      const { prices, timers, desk, streams } = bench;
      await bench.tick("THB_BTC", 130);
      await timers.advance(100);
      await desk.tickers.poll.refresh();
      assert.deepEqual([desk.stream?.phase, lastOf(bench)], ["live", 100]);
      streams.current[0]?.frame(tickerFrame("THB_BTC", 130.01));
      await timers.advance(100);
      assert.equal(lastOf(bench), 100);
      prices.set("THB_BTC", next);
      await timers.advance(3000);
      await timers.advance(100);
      assert.equal(desk.stream?.phase, phase);
      assert.ok(Math.abs((lastOf(bench) ?? 0) - shown) < 0.1);
      if (phase === "dropped") desk.dispose();
    }
  });

  it("disagrees if only one side says that a pair is frozen", async () => {
    bench = await openLiveDesk();
    const { client, desk } = bench;
    client.tickersAnswer = () =>
      Promise.resolve(readingOf(tickerOf("THB_BTC", { frozen: true }), tickerOf("THB_ETH", { last: 10 })));
    await desk.tickers.poll.refresh();
    assert.deepEqual([desk.stream?.phase, desk.tickers.ticker("THB_BTC")?.frozen], ["dropped", true]);
  });

  it("gives way to readings within the interval when its connection ends, and is proven anew", async () => {
    bench = await openLiveDesk();
    const { client, desk, timers, streams, prices } = bench;
    await keepAlive(bench, 30_000);
    prices.set("THB_BTC", 150);
    const before = client.calls.tickers;
    streams.current[0]?.end();
    assert.equal(desk.stream?.phase, "proving");
    await timers.advance(0);
    assert.deepEqual([client.calls.tickers, lastOf(bench)], [before + 1, 150]);
    await timers.advance(2000);
    const after = client.calls.tickers;
    streams.current[0]?.open();
    await bench.tick("THB_BTC", 150.1);
    await bench.tick("THB_ETH", 10);
    assert.equal(lastOf(bench), 150);
    await timers.advance(1000);
    assert.deepEqual([desk.stream?.phase, client.calls.tickers], ["live", after + 1]);
    await bench.tick("THB_BTC", 150.2);
    assert.equal(lastOf(bench), 150.2);
  });

  it("keeps the time of each pair: a silent pair becomes stale alone, and no guard takes its price", async () => {
    bench = await openLiveDesk();
    const { desk, timers, streams } = bench;
    for (let second = 0; second < 25; second += 1) {
      streams.current[0]?.frame(tickerFrame("THB_BTC", 100 + second / 100));
      await timers.advance(1000);
    }
    const { tickers } = desk;
    assert.deepEqual(
      [tickers.isStale, tickers.isStaleOf("THB_BTC"), tickers.isStaleOf("THB_ETH")],
      [false, false, true],
    );
    assert.ok((tickers.ageOf("THB_BTC") ?? Infinity) < 5000);
    assert.ok((tickers.ageOf("THB_ETH") ?? 0) > 20_000);
    const changed: string[] = [];
    tickers.onDidChange(({ change }) => changed.push(...(change?.changed ?? [])));
    await bench.tick("THB_ETH", 10);
    assert.deepEqual([changed.includes("THB_ETH"), tickers.isStaleOf("THB_ETH")], [true, false]);
  });

  it("is believed for 90 s without a reading that succeeds, and not longer", async () => {
    bench = await openLiveDesk();
    const { client, desk } = bench;
    client.tickersAnswer = () => Promise.reject(new NoAnswerError("tickers", "timeout", "nothing"));
    await keepAlive(bench, 85_000);
    assert.deepEqual([desk.stream?.phase, desk.tickers.isStale], ["live", false]);
    await keepAlive(bench, 10_000);
    assert.deepEqual([desk.stream?.phase, desk.tickers.isStale], ["proving", true]);
  });

  it("asks for the names of new pairs", async () => {
    bench = await openLiveDesk();
    const { prices, desk, streams, timers } = bench;
    prices.set("THB_DOGE", 3);
    await desk.tickers.poll.refresh();
    await waitFor("the new address", async () => {
      await timers.advance(10);
      return streams.current.length === 1 && streams.all.length === 2;
    });
    assert.match(streams.current[0]?.url.pathname ?? "", /thb_doge/);
    assert.equal(lastOf(bench, "THB_DOGE"), 3);
  });

  it("begins anew after a sleep of the computer, and shows nothing that arrived before", async () => {
    bench = await openLiveDesk();
    const { desk, timers, streams } = bench;
    timers.sleep(3_600_000);
    streams.current[0]?.frame(tickerFrame("THB_BTC", 101));
    assert.deepEqual([lastOf(bench), desk.tickers.isStale, desk.stream?.phase], [100, true, "proving"]);
    await timers.advance(100);
    assert.equal(streams.all.length, 2);
  });

  it("ends when the setting is turned off, and readings go on", async () => {
    bench = await openLiveDesk();
    const { desk, timers, client, streams } = bench;
    bench.setting.isOn = false;
    desk.stream?.follow();
    const before = client.calls.tickers;
    await timers.advance(INTERVAL_MS + 100);
    assert.deepEqual([desk.stream?.phase, streams.current.length], ["off", 0]);
    assert.ok(client.calls.tickers > before);
  });

  it("belongs to one exchange: nothing of it is shown after a switch", async () => {
    bench = await openLiveDesk();
    const { desk, streams, timers } = bench;
    const old = streams.current[0];
    await desk.venue.select("practice");
    if (old) old.isClosed = false;
    old?.frame(tickerFrame("THB_BTC", 777));
    await timers.advance(100);
    const shown: (Ticker | undefined)[] = [...desk.tickers.state.tickers.values()];
    assert.ok(shown.every((ticker) => ticker?.last !== 777));
  });
});
