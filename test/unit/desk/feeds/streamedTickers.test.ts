import assert from "node:assert/strict";
import type { MarketChange } from "../../../../src/desk/feeds/marketState.ts";
import { NoResponseError } from "../../../../src/exchange/errors.ts";
import { openLiveDesk, openStreamedDesk, type StreamedDesk } from "../../../support/desks/streamedDesk.ts";
import { openTestDesk } from "../../../support/desks/testDesk.ts";
import { FakeStreams, tickerFrame } from "../../../support/fakes/streams.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, MovingExchange, snapshotOf, tickerOf, byKind } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const INTERVAL_MS = 5000;
/** A price that arrives in the same ms as the request of a poll counts as older. */
const NEXT_MS = INTERVAL_MS + 10;

/** Frames with new prices of one pair, 400 a second. */
async function sendFrames({ timers, streams }: StreamedDesk, count: number): Promise<void> {
  for (let frame = 0; frame < count; frame += 1) {
    streams.all[0]?.frame(tickerFrame("THB_ETH", 10 + frame / 1024));
    await timers.advance(2.5);
  }
}

const lastOf = ({ desk }: StreamedDesk, symbol = "THB_BTC"): number | undefined =>
  desk.tickers.ticker(symbol)?.last;

/** The bases of the pairs in the addresses of the open sockets. */
const namesOf = ({ streams }: StreamedDesk): string[] =>
  streams.current.flatMap(({ url }) =>
    Array.from(url.pathname.matchAll(/thb_(\w+)/g), ([, base = ""]) => base.toUpperCase()),
  );

/** A desk whose exchange lists this many pairs, `C0` and so on. */
async function openWideDesk(pairs: number): Promise<StreamedDesk> {
  const bench = await openStreamedDesk();
  for (let pair = 0; pair < pairs; pair += 1) bench.prices.set(`THB_C${pair}`, 1);
  await bench.desk.tickers.refresh();
  return bench;
}

const symbolsFrom = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `THB_C${first + at}`);

describe("The stream of prices", () => {
  let bench: StreamedDesk;
  afterEach(() => bench.desk.dispose());

  it("runs while named prices are visible, and not otherwise", async () => {
    bench = await openStreamedDesk();
    const { desk, streams, timers } = bench;
    desk.tickers.demand.add();
    await timers.advance(60_000);
    assert.equal(streams.all.length, 0);
    const hide = desk.tickers.demand.add(["THB_BTC"]);
    await timers.advance(100);
    assert.deepEqual(namesOf(bench), ["BTC"]);
    hide();
    assert.equal(streams.current.length, 0);
  });

  it("runs while an alert waits and all is hidden, and fires the alert", async () => {
    bench = await openStreamedDesk();
    const { desk, timers, streams, tick } = bench;
    const alerts = await desk.alerts();
    const { id } = alerts.add("THB_BTC", { kind: "above", price: "100.3" }, false);
    await waitFor("the socket", async () => {
      await timers.advance(100);
      return streams.current.length === 1;
    });
    streams.current[0]?.open();
    await tick("THB_BTC", 100.2);
    assert.deepEqual(
      [desk.tickers.demand.areVisible, namesOf(bench), alerts.get(id)?.phase],
      [false, ["BTC"], "armed"],
    );
    await tick("THB_BTC", 100.4);
    assert.deepEqual([alerts.get(id)?.phase, alerts.get(id)?.fired?.price], ["fired", 100.4]);
    assert.equal(streams.current.length, 0);
  });

  it("shows its prices at once, while polling continues at its interval", async () => {
    bench = await openLiveDesk();
    const { desk, timers, client, prices, tick } = bench;
    await timers.advance(NEXT_MS);
    const before = client.calls.tickers;
    await tick("THB_BTC", 100.4);
    assert.deepEqual([lastOf(bench), desk.tickers.readTicker("THB_BTC")?.last], [100.4, 100]);
    prices.set("THB_BTC", 100.3);
    await timers.advance(NEXT_MS);
    assert.deepEqual([lastOf(bench), client.calls.tickers], [100.3, before + 1]);
  });

  it("keeps a price that arrived after the request of a poll, until the next poll", async () => {
    bench = await openLiveDesk();
    const { client, timers, desk } = bench;
    let answer: () => void = () => undefined;
    client.tickersAnswer = (gate) => {
      gate?.mayStillSend?.();
      return new Promise((resolve) => {
        answer = () =>
          resolve(snapshotOf(tickerOf("THB_BTC", { last: 100 }), tickerOf("THB_ETH", { last: 10 })));
      });
    };
    void desk.tickers.refresh();
    await timers.advance(500);
    await bench.tick("THB_BTC", 100.3);
    answer();
    await timers.advance(0);
    assert.equal(lastOf(bench), 100.3);
    void desk.tickers.refresh();
    await timers.advance(0);
    answer();
    await timers.advance(0);
    assert.equal(lastOf(bench), 100);
  });

  it("never serves as the price that an order is checked against", async () => {
    bench = await openLiveDesk();
    const { desk, timers, tick } = bench;
    await timers.advance(NEXT_MS);
    await tick("THB_BTC", 500);
    const { placer } = desk;
    const codes = placer
      .problems({ side: "buy", symbol: "THB_BTC", amount: "1000", rate: "500" })
      .map(({ code }) => code);
    assert.deepEqual([lastOf(bench), codes], [500, ["farAboveLast"]]);
    bench.client.tickersAnswer = () => Promise.reject(new NoResponseError("tickers", "timeout", "nothing"));
    await timers.advance(11_000);
    await tick("THB_BTC", 100);
    const [stale] = placer.problems({ side: "buy", symbol: "THB_BTC", amount: "1000", rate: "100" });
    assert.equal(stale?.code, "priceTooOld");
  });

  it("fires at once for the first price after a pause, then twenty times a second at most, and four times for lists", async () => {
    bench = await openLiveDesk();
    await bench.timers.advance(300);
    const [events, paced]: [MarketChange[], MarketChange[]] = [[], []];
    bench.desk.tickers.onDidChange(({ change }) => change && events.push(change));
    bench.desk.tickers.onDidChangePaced(({ change }) => change && paced.push(change));
    bench.streams.all[0]?.frame(tickerFrame("THB_BTC", 101));
    const first = { changed: ["THB_BTC"], rowsChanged: false, staleChanged: false };
    assert.deepEqual([events, paced], [[first], [first]]);
    await sendFrames(bench, 400);
    assert.ok(events.length >= 18 && events.length <= 22, `${events.length} events`);
    assert.ok(paced.length <= 6, `${paced.length} paced events`);
    await bench.timers.advance(50);
    assert.equal(lastOf(bench, "THB_ETH"), 10 + 399 / 1024);
  });

  it("is closed and logged after two contradicting polls in a row, and tried again after waits that double", async () => {
    bench = await openLiveDesk();
    const { timers, streams, warnings, tick } = bench;
    const open = async (): Promise<void> => {
      await timers.advance(100);
      streams.current[0]?.open();
    };
    for (const waitMs of [15_000, 30_000, 60_000]) {
      await tick("THB_BTC", 130);
      await timers.advance(NEXT_MS);
      assert.deepEqual([streams.current.length, lastOf(bench)], [1, 100]);
      await tick("THB_BTC", 130);
      await timers.advance(NEXT_MS);
      assert.deepEqual([streams.current.length, lastOf(bench)], [0, 100]);
      await timers.advance(waitMs - 2 * INTERVAL_MS);
      assert.equal(streams.current.length, 0);
      await timers.advance(2 * INTERVAL_MS);
      await open();
    }
    assert.deepEqual([warnings.length, streams.current.length], [3, 1]);
  });

  it("stays open if a poll contradicts it once or lacks its prices", async () => {
    bench = await openLiveDesk();
    const { timers, streams, prices, tick } = bench;
    for (const last of [130, 100, 130]) {
      await tick("THB_BTC", last);
      await timers.advance(NEXT_MS);
    }
    prices.set("THB_ETH", 20);
    await timers.advance(3 * NEXT_MS);
    assert.deepEqual([streams.current.length, bench.warnings], [1, []]);
  });

  it("contradicts a poll if only one of them reports a pair as frozen", async () => {
    bench = await openLiveDesk();
    const { client, timers, streams, tick } = bench;
    client.tickersAnswer = (gate) => {
      gate?.mayStillSend?.();
      return Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 100, frozen: true })));
    };
    for (let poll = 0; poll < 3; poll += 1) {
      await tick("THB_BTC", 100);
      await timers.advance(NEXT_MS);
    }
    assert.deepEqual([streams.current.length, bench.warnings.length], [0, 1]);
  });

  it("keeps its pairs fresh while polls fail, and leaves them stale when it ends", async () => {
    bench = await openLiveDesk();
    const { client, desk, timers, streams, tick } = bench;
    client.tickersAnswer = () => Promise.reject(new NoResponseError("tickers", "timeout", "nothing"));
    await tick("THB_BTC", 100.2);
    await timers.advance(NEXT_MS);
    const { tickers } = desk;
    const stale = (): boolean[] => ["THB_BTC", "THB_ETH"].map((symbol) => tickers.isStaleOf(symbol));
    assert.deepEqual([tickers.isStale, stale()], [true, [false, true]]);
    const changes: (MarketChange | undefined)[] = [];
    tickers.onDidChange(({ change }) => changes.push(change));
    streams.current[0]?.end();
    assert.deepEqual([stale(), lastOf(bench)], [[true, true], 100.2]);
    assert.ok(changes.some((change) => change?.staleChanged));
  });

  it("keeps a quiet connection that answers a ping, and counts its prices as no fresher than the poll", async () => {
    bench = await openLiveDesk();
    const { timers, streams, tick, desk } = bench;
    await tick("THB_BTC", 100.2);
    const ofStream: boolean[] = [];
    desk.tickers.onDidChange(({ isStreamOver }) => ofStream.push(isStreamOver === true));
    await timers.advance(16_000);
    streams.current[0]?.pong();
    assert.ok(ofStream.includes(true));
    await timers.advance(20_000);
    assert.deepEqual([streams.all.length, streams.current.length], [1, 1]);
    await tick("THB_BTC", 100.3);
    assert.equal(lastOf(bench), 100.3);
  });

  it("reconnects when its connection ends or answers nothing for 25 s", async () => {
    bench = await openLiveDesk();
    const { timers, streams, tick } = bench;
    streams.current[0]?.end();
    await timers.advance(2000);
    streams.current[0]?.open();
    await tick("THB_BTC", 100.2);
    assert.deepEqual([streams.all.length, lastOf(bench)], [2, 100.2]);
    await timers.advance(30_000);
    assert.deepEqual([streams.all.length, streams.current.length], [3, 1]);
  });

  it("asks for the pages first, then favourites, alerts, open orders and rows: 60 pairs at most", async () => {
    bench = await openWideDesk(100);
    const { desk, timers } = bench;
    desk.tickers.demand.add(symbolsFrom(0, 100), "list");
    desk.tickers.demand.add(["THB_C97"], "order");
    desk.tickers.demand.add(["THB_C98"], "alert");
    desk.tickers.demand.add(["THB_C99", "THB_C98"], "favourite");
    desk.tickers.demand.add(["THB_BTC", "THB_UNLISTED"], "page");
    await timers.advance(INTERVAL_MS);
    const names = namesOf(bench);
    assert.deepEqual(names.slice(0, 5), ["BTC", "C99", "C98", "C97", "C0"]);
    assert.ok(names.length === 59 || names.length === 60, `${names.length} names`);
  });

  it("changes its pairs every 5 s at most, and not for rows that only change places", async () => {
    bench = await openWideDesk(200);
    const { desk, timers, streams } = bench;
    let hide = desk.tickers.demand.add(symbolsFrom(0, 60));
    const show = (symbols: readonly string[]): void => {
      const before = hide;
      hide = desk.tickers.demand.add(symbols);
      before();
    };
    await timers.advance(100);
    show(symbolsFrom(10, 60));
    await timers.advance(INTERVAL_MS);
    assert.equal(streams.all.length, 1, "fifty of these rows are streamed, and the first forty of them");
    show(symbolsFrom(100, 60));
    await timers.advance(100);
    show(["THB_BTC", ...symbolsFrom(100, 59)]);
    await timers.advance(INTERVAL_MS - 1);
    assert.equal(streams.all.length, 2);
    await timers.advance(1);
    assert.deepEqual([streams.all.length, streams.current.length, namesOf(bench)[0]], [3, 1, "BTC"]);
    show(["THB_BTC"]);
    await timers.advance(INTERVAL_MS);
    assert.deepEqual(namesOf(bench), ["BTC"], "most of the pairs are no longer needed");
  });

  it("asks for a new pair when it is listed", async () => {
    bench = await openStreamedDesk();
    const { prices, desk, timers } = bench;
    desk.tickers.demand.add(["THB_BTC", "THB_DOGE"]);
    await timers.advance(INTERVAL_MS);
    assert.deepEqual(namesOf(bench), ["BTC"]);
    prices.set("THB_DOGE", 3);
    await timers.advance(2 * INTERVAL_MS);
    assert.deepEqual(namesOf(bench), ["BTC", "DOGE"]);
  });

  it("starts over after a sleep of the computer, and paints nothing that arrived before", async () => {
    bench = await openLiveDesk();
    const { desk, timers, streams } = bench;
    timers.sleep(3_600_000);
    streams.current[0]?.frame(tickerFrame("THB_BTC", 101));
    assert.deepEqual([lastOf(bench), desk.tickers.isStaleOf("THB_BTC")], [100, true]);
    await timers.advance(110);
    assert.equal(streams.all.length, 2);
  });

  it("gives way to polls after the clock was set back", async () => {
    bench = await openLiveDesk();
    const { timers, prices, tick } = bench;
    await tick("THB_BTC", 101);
    prices.set("THB_BTC", 99);
    timers.sleep(-3_600_000);
    await timers.advance(3 * INTERVAL_MS);
    assert.equal(lastOf(bench), 99);
  });

  it("ends when the setting is turned off, and polling continues", async () => {
    bench = await openLiveDesk();
    const { desk, timers, client, streams } = bench;
    bench.setting.isOn = false;
    desk.stream?.update();
    const before = client.calls.tickers;
    await timers.advance(INTERVAL_MS + 100);
    assert.equal(streams.current.length, 0);
    assert.ok(client.calls.tickers > before);
  });

  it("belongs to one exchange: nothing of it is shown after a switch", async () => {
    bench = await openLiveDesk();
    const { desk, streams, timers } = bench;
    const old = streams.current[0];
    await desk.venue.select(practiceAccount);
    if (old) old.isClosed = false;
    old?.frame(tickerFrame("THB_BTC", 777));
    await timers.advance(100);
    assert.ok([...desk.tickers.state.tickers.values()].every(({ last }) => last !== 777));
  });

  it("leads to the new address of an exchange that moved, after the next poll", async () => {
    const [timers, streams, client] = [new FakeTimers(), new FakeStreams(), new FakeClient()];
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 100 })));
    const exchange = new MovingExchange(client, { features: { tickerStream: { path: "/ws/" } } });
    const desk = await openTestDesk({
      openVenue: byKind({ practice: exchange.open, live: exchange.open }),
      createClient: exchange.createClient,
      timers,
      stream: { open: streams.open, isOn: () => true },
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: assert.fail },
    });
    bench = { ...(await openStreamedDesk()), desk };
    const connectionTo = (port: string): Promise<unknown> =>
      waitFor(`the connection to port ${port}`, async () => {
        await timers.advance(100);
        return streams.current.some(({ url }) => url.port === port);
      });
    desk.tickers.demand.add(["THB_BTC"]);
    await connectionTo("1");
    exchange.move();
    streams.current[0]?.end();
    await connectionTo("2");
    assert.equal(streams.current.length, 1, "nothing more connects to the old address");
  });
});
