import assert from "node:assert/strict";
import type { Desk } from "../../src/desk/desk.ts";
import { openWebSocket } from "../../src/exchange/stream/socket.ts";
import { startPractice, type PracticeExchange } from "../../src/practice/http/server.ts";
import { streamKinds } from "../../src/practice/stream/faults.ts";
import { testPair } from "../support/builders/practiceRequest.ts";
import { liveAt, openTestDesk } from "../support/desks/testDesk.ts";
import { waitFor } from "../support/waitFor.ts";

describe("the desk's stream of prices and the practice exchange", function () {
  this.timeout(40_000);
  let practice: PracticeExchange;
  let desk: Desk;
  beforeEach(async () => {
    practice = await startPractice({
      credentials: testPair,
      now: Date.now,
      switches: { streams: streamKinds },
    });
    const features = { tickerStream: { path: "/websocket-api/" } };
    desk = await openTestDesk({
      ...liveAt(practice.baseUrl, undefined, { features }),
      window: { focused: true, active: true },
      stream: { open: openWebSocket, isOn: () => true },
    });
    desk.tickers.watch();
  });
  afterEach(async () => {
    desk.dispose();
    await practice.close();
  });

  it("is proven by a reading, shows every pair as it changes, and gives way to readings when it ends", async () => {
    await waitFor("the proof", () => desk.stream?.phase === "live", 15_000);
    const { readAt } = desk.tickers.state;
    const changed = new Set<string>();
    desk.tickers.onDidChange(({ change }) => change?.changed.forEach((symbol) => changed.add(symbol)));
    await waitFor("changes of several pairs", () => changed.size > 3, 15_000);
    await waitFor("newer prices without a reading", () => (desk.tickers.state.readAt ?? 0) > (readAt ?? 0));
    assert.ok((desk.tickers.ageMs ?? Infinity) < 5000);
    assert.equal(desk.stream?.paced(5000), 60_000);
    const stops: string[] = [];
    desk.stream?.onDidChange(() => stops.push(desk.stream?.phase ?? ""));
    await practice.close();
    await waitFor("the end of the stream", () => stops.includes("proving"), 15_000);
    assert.equal(desk.stream?.paced(5000), 5000);
    assert.equal(desk.tickers.isStale, true);
  });
});
