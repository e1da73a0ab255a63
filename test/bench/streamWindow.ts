/**
 * A separate process that gets all tickers of the streaming server: `node streamWindow.ts KIND URL FOLDER HUB`. KIND `window` is a window
 * with the shipped desk and the rows of Markets; `parse` opens the same connections and does nothing but `JSON.parse`. Prints a
 * line of JSON when prices arrive, and one for every line of input. Ends with its input.
 */
import { createInterface } from "node:readline";
import { MAX_STREAMED } from "../../src/desk/feeds/priceDemand.ts";
import { systemTimers } from "../../src/time/timers.ts";
import { openWebSocket } from "../../src/exchange/stream/socket.ts";
import { TickerStream } from "../../src/exchange/stream/tickerStream.ts";
import { testProfile } from "../support/builders/client.ts";
import { hubsIn } from "../support/desks/hubs.ts";
import { openDesk } from "../support/desks/windows.ts";
import { waitFor } from "../support/waitFor.ts";
import { rowsOn } from "./rows.ts";
import { STREAM_PATH, streamingAt } from "./streamed.ts";

/** What a process has done since it started. */
export interface Spent {
  readonly cpuMs: number;
  readonly wallMs: number;
}

const [kind = "", url = "", storage = "", directory = ""] = process.argv.slice(2);
const START_MS = 60_000;
let frames = 0;

function report(): Spent {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() };
}

if (kind === "window") {
  const desk = openDesk(storage, {
    ...streamingAt(url),
    timers: systemTimers,
    openWindows: hubsIn(directory),
  });
  // Events recorded for tests are dropped.
  desk.tickers.onDidChange(() => (desk.events.length = 0));
  const rows = await rowsOn(desk.tickers);
  rows.onDidChangeTreeData((changed) => {
    // The editor asks for each changed row that was shown before.
    for (const row of Array.isArray(changed) ? changed : changed ? [changed] : rows.getChildren())
      rows.getTreeItem(row);
  });
  desk.tickers.demand.add(Array.from({ length: MAX_STREAMED }, (_, index) => `THB_A${index + 1}`));
  await waitFor("prices of the stream", () => desk.tickers.streamedPrice("THB_A1"), START_MS);
} else {
  const pairs = Array.from({ length: MAX_STREAMED }, (_, index) => {
    const pair = { quote: "THB", base: `A${index + 1}` };
    return { symbol: `THB_${pair.base}`, pair };
  });
  void new TickerStream({
    profile: testProfile(url),
    path: STREAM_PATH,
    pairs,
    open: (address, on) =>
      openWebSocket(address, {
        ...on,
        frame: (text) => {
          frames += 1;
          JSON.parse(text);
        },
      }),
    timers: { now: Date.now, after: () => () => undefined },
    random: Math.random,
    received: () => undefined,
    lost: () => undefined,
    log: () => undefined,
  });
  await waitFor("frames", () => frames > 0, START_MS);
}
console.log(JSON.stringify(report()));
for await (const _ of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(report()));
}
process.exit();
