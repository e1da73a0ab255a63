import assert from "node:assert/strict";
import { openTestDesk } from "../../../support/desks/testDesk.ts";
import { FakeStreams, tickerFrame } from "../../../support/fakes/streams.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, MovingExchange, readingOf, tickerOf } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";

describe("The stream of prices, when the exchange has moved", () => {
  it("connects to the new address after the next reading, and is believed again", async () => {
    const [timers, streams, client] = [new FakeTimers(), new FakeStreams(), new FakeClient()];
    client.tickersAnswer = () => Promise.resolve(readingOf(tickerOf("THB_BTC", { last: 100 })));
    const exchange = new MovingExchange(client, { features: { tickerStream: { path: "/ws/" } } });
    const desk = await openTestDesk({
      openVenue: { practice: exchange.open, live: exchange.open },
      createClient: exchange.createClient,
      timers,
      stream: { load: () => Promise.resolve(streams.open), isOn: () => true },
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
});
