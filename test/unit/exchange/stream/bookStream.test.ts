import assert from "node:assert/strict";
import { BookStream } from "../../../../src/exchange/stream/bookStream.ts";
import type { BookNews } from "../../../../src/exchange/wire/bookFrames.ts";
import { testProfile } from "../../../support/builders/client.ts";
import { depthFrame, FakeStreams, tradesFrame } from "../../../support/fakes/streams.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";

function openStream() {
  const [timers, streams] = [new FakeTimers(), new FakeStreams()];
  const updates: { news: BookNews; at: number }[] = [];
  const logged: string[] = [];
  const stream = new BookStream({
    profile: testProfile("https://api.example.com"),
    path: "/ws/orderbook/",
    pairingId: 7,
    open: streams.open,
    timers,
    random: () => 0,
    received: (news, at) => updates.push({ news, at }),
    log: (message) => logged.push(message),
  });
  const prices = (): (string | undefined)[] =>
    updates.map(({ news }) => ("depth" in news ? news.depth.asks[0]?.price.toFixed() : "trades"));
  return { stream, timers, streams, updates, logged, prices };
}

describe("a book stream", () => {
  it("connects with the pairing id, and reports books and trades with their time", async () => {
    const { streams, timers, updates, prices } = openStream();
    const [socket = assert.fail()] = streams.all;
    assert.equal(socket.url.href, "wss://api.example.com/ws/orderbook/7");
    socket.open();
    const start = timers.now();
    socket.frame(depthFrame(7, [[101, 1]], []));
    await timers.advance(100);
    socket.frame(tradesFrame(7, [1_700_000_000, 1, 1, "BUY"]), depthFrame(8, [[55, 1]], []));
    await timers.advance(100);
    assert.deepEqual(prices(), ["101", "trades"]);
    assert.deepEqual(
      updates.map(({ at }) => at - start),
      [0, 100],
    );
  });

  it("parses the newest book of a burst only, twenty times a second at most", async () => {
    const { streams, timers, updates, prices } = openStream();
    streams.all[0]?.open();
    for (let frame = 0; frame < 2500; frame += 1) {
      streams.all[0]?.frame(depthFrame(7, [[frame + 1, 1]], []));
      if (frame % 25 === 24) await timers.advance(10);
    }
    await timers.advance(100);
    assert.ok(updates.length <= 22, `${updates.length} books in a second`);
    assert.deepEqual([prices()[0], prices().at(-1)], ["1", "2500"]);
  });

  it("drops pending updates when the connection is lost, and reconnects", async () => {
    const { streams, timers, logged, prices } = openStream();
    streams.all[0]?.open();
    streams.all[0]?.frame(depthFrame(7, [[101, 1]], []), depthFrame(7, [[102, 1]], []));
    streams.all[0]?.end({ detail: "closed (1006)" });
    await timers.advance(2000);
    assert.deepEqual([prices(), streams.all.length], [["101"], 2]);
    assert.deepEqual(logged, ["Book stream ended (lost): closed (1006)"]);
    streams.all[1]?.open();
    streams.all[1]?.frame(depthFrame(7, [[103, 1]], []));
    assert.deepEqual(prices(), ["101", "103"]);
  });

  it("reports nothing after its end", async () => {
    const { stream, streams, timers, prices } = openStream();
    streams.all[0]?.open();
    streams.all[0]?.frame(depthFrame(7, [[101, 1]], []), depthFrame(7, [[102, 1]], []));
    stream.dispose();
    await timers.advance(60_000);
    assert.deepEqual([prices(), streams.current.length], [["101"], 0]);
  });
});
