import assert from "node:assert/strict";
import type { ExchangeClient } from "../../../../src/exchange/client.ts";
import { OrderStream } from "../../../../src/desk/tracking/orderStream.ts";
import { Event } from "../../../../src/desk/event.ts";
import type { PrivateStreamEvents } from "../../../../src/exchange/stream/privateStream.ts";
import type { OrderUpdate } from "../../../../src/exchange/wire/orders/orderEvents.ts";
import { testReport } from "../../../support/builders/reports.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";
import { practiceAccount } from "../../../../src/market/account.ts";

const event: OrderUpdate = { report: testReport(), executed: undefined };

describe("the stream of own orders", () => {
  const closers: (() => void)[] = [];
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });

  async function begin({ isOffered = true, isMine = true } = {}) {
    const timers = new FakeTimers();
    const opened: {
      events: PrivateStreamEvents;
      mayStillSend: () => boolean;
      isClosed: boolean;
      hasEnded: boolean;
    }[] = [];
    const client: FakeClient & Pick<ExchangeClient, "privateStream"> = new FakeClient();
    if (isOffered)
      Object.assign(client, {
        privateStream: (events: PrivateStreamEvents, { mayStillSend }: { mayStillSend: () => boolean }) => {
          assert.ok(
            opened.every(({ isClosed, hasEnded }) => isClosed || hasEnded),
            "one connection at a time",
          );
          const each = { events, mayStillSend, isClosed: false, hasEnded: false };
          opened.push(each);
          const ended: PrivateStreamEvents["ended"] = (end) => {
            each.hasEnded = true;
            events.ended(end);
          };
          each.events = { ...events, ended };
          return { close: () => void (each.isClosed = true) };
        },
      });
    const venue = await openVenue(client);
    const state = { isMine };
    const [reader, wake] = [new Event<void>(), new Event<void>()];
    const events: string[] = [];
    const stream = new OrderStream({
      venue,
      timers,
      random: () => 0.5,
      isMine: () => state.isMine,
      onDidChangeReader: reader.add,
      onDidWake: wake.add,
      nameOf: () => undefined,
      orders: {
        started: () => void events.push("started"),
        updated: (_, { report }) => void events.push(report.orderId),
        unclear: ({ symbol }) => void events.push(symbol),
      },
      log: () => undefined,
    });
    closers.push(() => stream.dispose());
    await timers.advance(0);
    return { client, stream, timers, opened, state, reader, wake, events, venue };
  }
  const lost = { reason: "lost", detail: "" } as const;

  it("is opened by the window that reads the account, and by no other", async () => {
    assert.equal((await begin()).opened.length, 1);
    const other = await begin({ isMine: false });
    assert.equal(other.opened.length, 0);
    other.state.isMine = true;
    other.reader.fire();
    assert.equal(other.opened.length, 1);
  });

  it("does nothing at an exchange without one, not even with a timer", async () => {
    const { opened, timers } = await begin({ isOffered: false });
    assert.deepEqual([opened.length, timers.nextIn], [0, undefined]);
  });

  it("is live from start to end, and reports updates in between", async () => {
    const { stream, opened, events } = await begin();
    const [first] = opened;
    assert.equal(stream.isLive, false);
    first?.events.ready();
    assert.equal(stream.isLive, true);
    first?.events.order(event);
    first?.events.ended(lost);
    assert.equal(stream.isLive, false);
    first?.events.order(event);
    assert.deepEqual(events, ["started", "7"]);
  });

  it("is opened again after its end, each time later, up to a minute", async () => {
    const { timers, opened } = await begin();
    const waits: number[] = [];
    for (let failures = 0; failures < 9; failures++) {
      const before = timers.now();
      const count = opened.length;
      opened.at(-1)?.events.ended(lost);
      while (opened.length === count) await timers.advance(250);
      waits.push(timers.now() - before);
    }
    assert.deepEqual(waits, [1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000, 45_000, 45_000]);
  });

  it("is not opened again while the exchange wants no connection", async () => {
    const { timers, opened } = await begin();
    opened[0]?.events.ended({ ...lost, pauseMs: 120_000 });
    await timers.advance(119_000);
    assert.equal(opened.length, 1);
    await timers.advance(1000);
    assert.equal(opened.length, 2);
  });

  it("is reopened soon after a connection that lasted a minute", async () => {
    const { timers, opened } = await begin();
    opened[0]?.events.ended(lost);
    await timers.advance(1500);
    opened[1]?.events.ready();
    await timers.advance(60_000);
    opened[1]?.events.ended(lost);
    await timers.advance(1000);
    assert.equal(opened.length, 3);
  });

  const refused = { reason: "refused", detail: "" } as const;

  it("measures the clock after the first refusal, and is opened again soon", async () => {
    const { client, timers, opened } = await begin();
    opened[0]?.events.ended(refused);
    assert.equal(client.calls.measureClock, 1);
    await timers.advance(1500);
    assert.equal(opened.length, 2);
    opened[1]?.events.ready();
    opened[1]?.events.ended(refused);
    await timers.advance(3000);
    assert.deepEqual([opened.length, client.calls.measureClock], [3, 2]);
  });

  it("waits minutes after the key was refused twice, and not at all if the reader changes meanwhile", async () => {
    const { client, timers, opened, state, reader } = await begin();
    opened[0]?.events.ended(refused);
    await timers.advance(1500);
    opened[1]?.events.ended(refused);
    await timers.advance(150_000);
    assert.deepEqual([opened.length, client.calls.measureClock], [2, 1]);
    state.isMine = false;
    reader.fire();
    state.isMine = true;
    reader.fire();
    assert.equal(opened.length, 3);
  });

  it("is closed when another window takes over, also without a message", async () => {
    const { stream, timers, opened, state, events } = await begin();
    opened[0]?.events.ready();
    state.isMine = false;
    assert.equal(opened[0]?.mayStillSend(), false);
    await timers.advance(5000);
    assert.equal(opened[0]?.isClosed, true);
    assert.deepEqual([stream.isLive, events], [false, ["started"]]);
  });

  it("is reopened at once after a sleep and for another exchange", async () => {
    const { opened, wake, venue } = await begin();
    wake.fire();
    assert.deepEqual([opened.length, opened[0]?.isClosed], [2, true]);
    // Two simultaneous reasons to reconnect leave one connection.
    wake.fire();
    wake.fire();
    await venue.select(practiceAccount);
    assert.deepEqual(
      opened.map(({ isClosed }) => isClosed),
      [true, true, true, true, false],
    );
  });

  it("is closed with the window, also if it opens only then", async () => {
    const { stream, opened, timers } = await begin();
    stream.dispose();
    assert.equal(opened[0]?.isClosed, true);
    assert.equal(timers.nextIn, undefined);
  });
});
