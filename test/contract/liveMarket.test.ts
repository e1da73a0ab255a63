import type { Desk } from "../../src/desk/desk.ts";
import { openWebSocket } from "../../src/exchange/stream/socket.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { streamKinds } from "../../src/practice/stream/address.ts";
import { testPair } from "../support/builders/practiceRequest.ts";
import { liveAt, openTestDesk, testSettings } from "../support/desks/testDesk.ts";
import { waitFor } from "../support/waitFor.ts";

describe("the desk's stream of prices and the practice exchange", () => {
  let practice: ProxiedPractice;
  let desk: Desk;
  beforeEach(async () => {
    practice = await startProxiedPractice({
      credentials: testPair,
      now: Date.now,
      switches: { streams: streamKinds },
    });
    const features = { tickerStream: { path: "/websocket-api/" } };
    desk = await openTestDesk({
      ...liveAt(practice.baseUrl, undefined, { features }),
      window: { focused: true, active: true },
      settings: { ...testSettings, refreshInterval: () => 1000 },
      stream: { open: openWebSocket, isOn: () => true },
    });
    desk.tickers.demand.add(["THB_BTC", "THB_ETH"]);
  });
  afterEach(async () => {
    desk.dispose();
    await practice.close();
  });

  it("shows newer prices between polls, and leaves the market to polls when it ends", async () => {
    const { tickers } = desk;
    const isStreamed = (): boolean => tickers.streamedPrice("THB_BTC") !== undefined;
    const streamed = new Set<number | undefined>();
    tickers.onDidChange(({ isStreamed: isTick }) => isTick && streamed.add(tickers.ticker("THB_BTC")?.last));
    await waitFor("streamed prices", () => isStreamed() && streamed.size > 3, 15_000);
    const polls = practice.requests.tickers;
    await waitFor("polls to continue", () => practice.requests.tickers >= polls + 2, 15_000);
    await waitFor("the stream beside polls that agree with it", isStreamed, 15_000);
    practice.streams.drop("ticker");
    await waitFor("a poll after the end of the stream", () => !isStreamed(), 15_000);
    await waitFor("the stream again", isStreamed, 15_000);
  });
});
