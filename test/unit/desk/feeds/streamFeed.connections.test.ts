import assert from "node:assert/strict";
import { openLiveDesk, openStreamedDesk, watchStream } from "../../../support/desks/streamedDesk.ts";
import { openTestDesk } from "../../../support/desks/testDesk.ts";
import { type FakeSocket, FakeStreams, tickerFrame } from "../../../support/fakes/streams.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, MovingExchange, readingOf, tickerOf } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";

/** A desk whose two pairs have a connection each, because an address with both was refused as too long. */
async function openTwoConnections() {
  const bench = await openStreamedDesk();
  await watchStream(bench);
  const { streams } = bench;
  streams.current[0]?.end({ reason: "refused", status: 414 });
  const [bitcoin] = streams.current;
  // Opened again later, it is another socket.
  const ether = (): FakeSocket | undefined => streams.current.find(({ url }) => url.href.endsWith("thb_eth"));
  return { ...bench, bitcoin, ether };
}

describe("The connections of the stream of prices", () => {
  it("lead to the new address of an exchange that moved after the next reading, and are believed again", async () => {
    const [timers, streams, client] = [new FakeTimers(), new FakeStreams(), new FakeClient()];
    client.tickersAnswer = () => Promise.resolve(readingOf(tickerOf("THB_BTC", { last: 100 })));
    const exchange = new MovingExchange(client, { features: { tickerStream: { path: "/ws/" } } });
    const desk = await openTestDesk({
      openVenue: { practice: exchange.open, live: exchange.open },
      createClient: exchange.createClient,
      timers,
      stream: { open: streams.open, isOn: () => true },
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: assert.fail },
    });
    const goLive = async (): Promise<void> => {
      streams.current[0]?.open();
      streams.current[0]?.frame(tickerFrame("THB_BTC", 100));
      await timers.advance(1000);
      assert.equal(desk.stream?.phase, "live");
    };
    const connectionTo = (port: string): Promise<unknown> =>
      waitFor(`the connection to port ${port}`, async () => {
        await timers.advance(100);
        return streams.current.some(({ url }) => url.port === port);
      });
    try {
      desk.tickers.watch();
      await connectionTo("1");
      await goLive();
      exchange.move();
      streams.current[0]?.end();
      await connectionTo("2");
      assert.equal(streams.current.length, 1, "nothing more connects to the old address");
      await goLive();
    } finally {
      desk.dispose();
    }
  });

  it("are believed by a reading that is made at once when every pair has sent a price", async () => {
    const bench = await openStreamedDesk();
    await watchStream(bench);
    const { desk, client, streams, tick, timers } = bench;
    streams.all[0]?.open();
    const before = client.calls.tickers;
    await tick("THB_BTC", 100.2);
    assert.deepEqual([desk.stream?.phase, client.calls.tickers - before], ["proving", 0]);
    await tick("THB_ETH", 10);
    await timers.advance(10);
    assert.deepEqual([desk.stream?.phase, client.calls.tickers - before], ["live", 1]);
    desk.dispose();
  });

  it("show no price where one speaks late, before a reading has agreed with it", async () => {
    const { desk, timers, bitcoin, ether } = await openTwoConnections();
    const lastOfEther = (): number | undefined => desk.tickers.ticker("THB_ETH")?.last;
    bitcoin?.open();
    ether()?.open();
    for (let second = 0; second < 20; second += 1) {
      bitcoin?.frame(tickerFrame("THB_BTC", 100));
      await timers.advance(1000);
    }
    assert.equal(desk.stream?.phase, "live");
    ether()?.open();
    ether()?.frame(tickerFrame("THB_ETH", 10.02));
    await timers.advance(300);
    assert.equal(lastOfEther(), 10);
    await timers.advance(1000);
    ether()?.frame(tickerFrame("THB_ETH", 10.04));
    await timers.advance(300);
    assert.equal(lastOfEther(), 10.04);
    desk.dispose();
  });

  it("show no price of one that was quiet before a reading has agreed with it, also while another one is still quiet", async () => {
    const { desk, timers, bitcoin, ether } = await openTwoConnections();
    bitcoin?.open();
    ether()?.open();
    bitcoin?.frame(tickerFrame("THB_BTC", 100));
    ether()?.frame(tickerFrame("THB_ETH", 10));
    await timers.advance(6500);
    assert.equal(desk.stream?.phase, "live");
    bitcoin?.frame(tickerFrame("THB_BTC", 120));
    await timers.advance(300);
    assert.equal(desk.tickers.ticker("THB_BTC")?.last, 100);
    await timers.advance(1000);
    assert.deepEqual([desk.tickers.ticker("THB_BTC")?.last, desk.stream.phase], [100, "dropped"]);
    desk.dispose();
  });

  it("are not believed by a reading that was requested before one spoke again, because only older prices agree with it", async () => {
    const bench = await openLiveDesk();
    const { desk, client, streams, timers } = bench;
    await timers.advance(6000);
    const shown = new Set<number | undefined>();
    desk.tickers.onDidChange(() => shown.add(desk.tickers.ticker("THB_BTC")?.last));
    const answer = client.tickersAnswer;
    client.tickersAnswer = async (gate) => {
      gate?.mayStillGo?.();
      await new Promise<void>((resolve) => timers.after(300, resolve));
      return await answer();
    };
    void desk.tickers.poll.refresh();
    await timers.advance(100);
    streams.current[0]?.frame(tickerFrame("THB_BTC", 120));
    await timers.advance(3000);
    assert.deepEqual([...shown], [100]);
    assert.equal(desk.stream?.phase, "dropped");
    desk.dispose();
  });

  it("rest between two paintings of a list, which shows the newest prices at its usual interval", async () => {
    const { desk, timers, streams } = await openLiveDesk("list");
    const [socket] = streams.current;
    const shown: (number | undefined)[] = [];
    desk.tickers.onDidChangePaced(() => shown.push(desk.tickers.ticker("THB_BTC")?.last));
    await timers.advance(300);
    shown.length = 0;
    socket?.frame(tickerFrame("THB_BTC", 100.1));
    assert.deepEqual([shown, socket?.isPaused], [[100.1], true], "the first price is shown at once");
    await timers.advance(100);
    socket?.frame(tickerFrame("THB_BTC", 100.2));
    await timers.advance(89);
    assert.equal(socket?.isPaused, true);
    socket.frame(tickerFrame("THB_BTC", 100.3));
    await timers.advance(1);
    assert.equal(socket.isPaused, false);
    await timers.advance(59);
    assert.deepEqual(shown, [100.1]);
    await timers.advance(1);
    assert.deepEqual([shown, socket.isPaused], [[100.1, 100.3], true]);
    await timers.advance(500);
    assert.equal(socket.isPaused, false, "a stream that sends nothing is heard at once when it sends again");
    desk.dispose();
  });

  it("never rest while a page or an alert follows the prices", async () => {
    const { desk, streams, tick } = await openLiveDesk("page");
    await tick("THB_BTC", 100.1);
    await tick("THB_BTC", 100.2);
    assert.equal(streams.current[0]?.isPaused, false);
    desk.dispose();
  });

  it("are read before a reading is compared with them, so that a price that waits is no disagreement", async () => {
    const { desk, timers, client, streams, prices } = await openLiveDesk("list");
    const [socket] = streams.current;
    await timers.advance(300);
    socket?.frame(tickerFrame("THB_BTC", 100.1));
    socket?.frame(tickerFrame("THB_BTC", 120));
    assert.equal(socket?.isPaused, true);
    prices.set("THB_BTC", 120);
    const answer = client.tickersAnswer;
    client.tickersAnswer = async (gate) => {
      gate?.mayStillGo?.();
      await new Promise<void>((resolve) => timers.after(100, resolve));
      return await answer();
    };
    const reading = desk.tickers.poll.refresh();
    await timers.advance(50);
    socket.frame(tickerFrame("THB_BTC", 120.1));
    assert.equal(socket.isPaused, false, "nothing waits during a reading");
    await timers.advance(50);
    await reading;
    assert.deepEqual([desk.stream?.phase, desk.tickers.ticker("THB_BTC")?.last], ["live", 120.1]);
    desk.dispose();
  });
});
