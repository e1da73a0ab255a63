import assert from "node:assert/strict";
import type { Desk } from "../../../src/desk/desk.ts";
import { FakeStreams, tickerFrame } from "../fakes/streams.ts";
import { FakeTimers } from "../fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf } from "../fakes/venue.ts";
import { waitFor } from "../waitFor.ts";
import { liveAt, openTestDesk } from "./testDesk.ts";

export interface StreamedDesk {
  readonly desk: Desk;
  readonly timers: FakeTimers;
  readonly client: FakeClient;
  readonly streams: FakeStreams;
  /** Log entries about the stream. */
  readonly warnings: string[];
  /** Prices of the next poll, by symbol. */
  readonly prices: Map<string, number>;
  /** The setting `bidside.markets.live`. */
  readonly setting: { isOn: boolean };
  /** Sends a frame, and advances the clock until it is rendered. */
  tick(symbol: string, last: number): Promise<void>;
}

/** The shipped desk on an exchange with a stream. The test controls the clock, the polls and the sockets. */
export async function openStreamedDesk(): Promise<StreamedDesk> {
  const [timers, client, streams] = [new FakeTimers(), new FakeClient(), new FakeStreams()];
  const warnings: string[] = [];
  const prices = new Map([
    ["THB_BTC", 100],
    ["THB_ETH", 10],
  ]);
  client.tickersAnswer = (gate) => {
    gate?.mayStillSend?.();
    return Promise.resolve(snapshotOf(...Array.from(prices, ([symbol, last]) => tickerOf(symbol, { last }))));
  };
  const setting = { isOn: true };
  const bench: StreamedDesk = {
    timers,
    client,
    streams,
    warnings,
    prices,
    setting,
    desk: await openTestDesk({
      ...liveAt("https://api.example.com", undefined, { features: { tickerStream: { path: "/ws/" } } }),
      client,
      timers,
      stream: { open: streams.open, isOn: () => setting.isOn },
      log: {
        debug: () => undefined,
        info: () => undefined,
        warn: (text) => void (text.includes("stream") && warnings.push(text)),
        error: (text) => assert.fail(text),
      },
    }),
    async tick(symbol, last) {
      streams.all.at(-1)?.frame(tickerFrame(symbol, last));
      await timers.advance(50);
    },
  };
  return bench;
}

/** Shows the prices of all pairs, and waits for the stream's socket. */
async function watchStream({ desk, timers, streams, prices }: StreamedDesk): Promise<void> {
  desk.tickers.demand.add([...prices.keys()], "page");
  await waitFor("the socket", async () => {
    await timers.advance(10);
    return streams.current.length > 0;
  });
}

/** The same desk with an open stream. */
export async function openLiveDesk(): Promise<StreamedDesk> {
  const bench = await openStreamedDesk();
  await watchStream(bench);
  bench.streams.current[0]?.open();
  // A price that arrives in the same ms as a poll's request counts as older.
  await bench.timers.advance(10);
  return bench;
}
