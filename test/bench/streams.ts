import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Desk } from "../../src/desk/desk.ts";
import { openWebSocket, type OpenSocket } from "../../src/exchange/stream/socket.ts";
import { openTestDesk } from "../support/desks/testDesk.ts";
import { waitFor } from "../support/waitFor.ts";
import { duration, durationFigure, median, percentile, type Figure } from "./measure.ts";
import { rowsOn } from "./rows.ts";
import { startServer, type BenchServer } from "./servers.ts";
import { stamp, streamingAt } from "./streamed.ts";
import type { Spent } from "./streamWindow.ts";

const SERVER = "test/bench/streamServer.ts";
const WINDOW = "test/bench/streamWindow.ts";
/** The first bursts may follow the even flow without a pause, and meet paths of the code that are new. They are not measured. */
const WARM_UP = 10;
/** Within this time the code is compiled, by threads that take the core from the window for some ms each. A window streams for hours. */
const WARM_UP_MS = 60_000;
const BURSTS = 100;
const MOST_TICK_MS = 5;
const CPU_MS = 60_000;
const HIDDEN_MS = 10_000;
const MOST_RATIO = 3;
const MOST_SHARE = 2;
const MOST_EVENTS = 4;
const INTERVAL_MS = 5000;
const DEATHS = 5;
const MOST_LATER_MS = 5000;
const LONG_MS = 60_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How soon a row follows an exchange that streams 500 pairs, 420 tickers a second, from a server in a separate process. */
export async function streamFigures(): Promise<Figure[]> {
  return await withServer(async (url) => [await burstFigure(url)]);
}

/** What the same stream costs a window. */
export async function streamCostFigures(): Promise<Figure[]> {
  return await withServer(costFigures);
}

/** The end of a stream, and the connections of several windows. */
export async function connectionFigures(): Promise<Figure[]> {
  return await withServer(async (url) => [
    await deathFigure(url, "ended"),
    await deathFigure(url, "stalled"),
    ...(await socketFigures(url)),
  ]);
}

async function withServer<T>(task: (baseUrl: string) => Promise<T>): Promise<T> {
  const server = await startServer(SERVER);
  try {
    return await task(server.hello["baseUrl"] ?? "");
  } finally {
    await server.stop();
  }
}

/** Changes how the server streams. */
async function flow(baseUrl: string, name: "even" | "bursts" | "stalled" | "ended"): Promise<void> {
  await (await fetch(`${baseUrl}/flow/${name}`)).text();
}

async function openLive(baseUrl: string, open?: OpenSocket): Promise<Desk> {
  const desk = await openTestDesk(streamingAt(baseUrl, open));
  desk.tickers.watch();
  await becomesLive(desk);
  return desk;
}

async function becomesLive(desk: Desk): Promise<void> {
  await waitFor("prices of the stream", () => desk.stream?.phase === "live", LONG_MS);
}

/**
 * From the moment at which the server writes the first frame of a burst, in its process, to the change event of that row. The floor
 * is the arrival of the same frames in this process.
 */
async function burstFigure(baseUrl: string): Promise<Figure> {
  await flow(baseUrl, "even");
  let waiting: { readonly symbol: string; readonly sentAt: number } | undefined;
  let newest = WARM_UP;
  const [arrived, spent]: [number[], number[]] = [[], []];
  const since = (sentAt: number): number => (stamp() - sentAt) / 1000;
  const desk = await openLive(baseUrl, (url, events, headers) =>
    openWebSocket(
      url,
      {
        ...events,
        frame: (text) => {
          const [, name, burst, sentAt] = /_(a\d+)".*"burst":(\d+),"sentAt":(\d+)/.exec(text) ?? [];
          // The first frame of any connection.
          if (name && Number(burst) > newest) {
            newest = Number(burst);
            arrived.push(since(Number(sentAt)));
            waiting = { symbol: `THB_${name.toUpperCase()}`, sentAt: Number(sentAt) };
          }
          events.frame(text);
        },
      },
      headers,
    ),
  );
  const rows = await rowsOn(desk.tickers);
  rows.onDidChangeTreeData((changed) => {
    const has = !changed || [changed].flat().some(({ symbol }) => symbol === waiting?.symbol);
    if (!waiting || !has) return;
    spent.push(since(waiting.sentAt));
    waiting = undefined;
  });
  await pause(WARM_UP_MS);
  await flow(baseUrl, "bursts");
  await waitFor("the bursts", () => spent.length >= BURSTS, 3 * LONG_MS);
  rows.dispose();
  desk.dispose();
  const [ms, floor] = [percentile(spent, 0.99), percentile(arrived, 0.99)];
  return durationFigure(
    "burst to row",
    `first frame of a burst to its row's change event, 420 frames a second, 500 pairs, p99 (median ${duration(median(spent))}; floor: its arrival)`,
    { ms, floor, most: MOST_TICK_MS, ratio: ms / floor },
  );
}

type Process = BenchServer<Spent>;

/** Runs processes that get the stream, with one folder for all. */
async function withProcesses<T>(
  baseUrl: string,
  task: (start: (kind: "window" | "parse") => Promise<Process>) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bidside-bench-"));
  const started: Promise<Process>[] = [];
  try {
    return await task((kind) => {
      const process = startServer<Spent>(WINDOW, kind, baseUrl, join(folder, "data"), join(folder, "hub"));
      started.push(process);
      return process;
    });
  } finally {
    for (const each of await Promise.allSettled(started))
      if (each.status === "fulfilled") await each.value.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * CPU and row events of a window, beside a process that receives and parses each of the same frames at its arrival, in the same minute. The
 * window may be below: it reads several frames together.
 */
async function costFigures(baseUrl: string): Promise<Figure[]> {
  await flow(baseUrl, "even");
  return await withProcesses(baseUrl, async (start) => {
    const [window, parse] = await Promise.all([start("window"), start("parse")]);
    const both = (): Promise<[Spent, Spent]> => Promise.all([window.ask("report"), parse.ask("report")]);
    // What runs often is compiled by then.
    await pause(HIDDEN_MS);
    const [windowBefore, parseBefore] = await both();
    await pause(CPU_MS);
    const [windowAfter, parseAfter] = await both();
    const hidden = await window.ask("hide");
    await pause(HIDDEN_MS);
    const unseen = (await window.ask("report")).events - hidden.events;
    const seconds = (windowAfter.wallMs - windowBefore.wallMs) / 1000;
    const ours = windowAfter.cpuMs - windowBefore.cpuMs;
    const floor = parseAfter.cpuMs - parseBefore.cpuMs;
    // A span of time has one event more than it has intervals between events.
    const perSecond = Math.max(0, windowAfter.events - windowBefore.events - 1) / seconds;
    const share = (ms: number): string => `${(ms / seconds / 10).toFixed(2)} %`;
    const [frames, bare] = [parseAfter.frames - parseBefore.frames, parseAfter.bareMs.toFixed(0)];
    return [
      {
        name: "stream CPU ratio",
        what: `CPU of a window, ${frames} frames in 60 s (floor: JSON.parse of each at its arrival; without the receiving ${bare} ms)`,
        measured: `${ours.toFixed(0)} ms`,
        floor: `${floor.toFixed(0)} ms`,
        result: `${(ours / floor).toFixed(2)} ×`,
        value: ours / floor,
        target: `≤ ${MOST_RATIO} ×`,
        met: ours / floor <= MOST_RATIO,
      },
      {
        name: "stream CPU share",
        what: "the same, of one core",
        measured: share(ours),
        floor: share(floor),
        result: share(ours),
        value: ours / seconds / 10,
        ratio: ours / floor,
        target: `≤ ${MOST_SHARE} %`,
        met: ours / seconds / 10 <= MOST_SHARE,
      },
      {
        name: "stream row events",
        what: "change events of visible rows in the same minute, a second",
        measured: String(windowAfter.events - windowBefore.events),
        floor: "–",
        result: perSecond.toFixed(2),
        value: perSecond,
        target: `≤ ${MOST_EVENTS}`,
        met: perSecond <= MOST_EVENTS,
      },
      {
        name: "stream hidden events",
        what: "change events of hidden rows in the next 10 s, other prices visible",
        measured: String(unseen),
        floor: "–",
        result: String(unseen),
        value: unseen,
        target: "0",
        met: unseen === 0,
      },
    ];
  });
}

/** From the death of the stream to a newer price by reading, which is not stale; the longest of several. */
async function deathFigure(baseUrl: string, death: "ended" | "stalled"): Promise<Figure> {
  await flow(baseUrl, "even");
  const desk = await openLive(baseUrl);
  const symbol = "THB_A1";
  const times: number[] = [];
  for (let round = 0; round < DEATHS; round += 1) {
    // Moments that are spread evenly between two readings.
    await pause(1000 + (round * INTERVAL_MS) / DEATHS);
    const since = performance.now();
    await flow(baseUrl, death);
    const diedAt = Date.now();
    await waitFor(
      "a fresh price by reading",
      () => (desk.tickers.state.readAt ?? 0) > diedAt && !desk.tickers.isStaleOf(symbol),
      LONG_MS,
    );
    times.push(performance.now() - since);
    await flow(baseUrl, "even");
    await waitFor("the stream again", () => desk.stream?.phase === "live", 2 * LONG_MS);
  }
  desk.dispose();
  const longest = Math.max(...times);
  const later = longest - INTERVAL_MS;
  const how = death === "ended" ? "its connections broke" : "no frame came any more";
  return {
    name: `stream ${death}`,
    what: `stream dead (${how}) to a fresh price by reading, longest of ${DEATHS} (floor: the interval)`,
    measured: `${(longest / 1000).toFixed(2)} s`,
    floor: `${INTERVAL_MS / 1000} s`,
    result: `${later < 0 ? "–" : "+"} ${(Math.abs(later) / 1000).toFixed(2)} s`,
    value: later,
    ratio: longest / INTERVAL_MS,
    target: `≤ + ${MOST_LATER_MS / 1000} s`,
    met: later <= MOST_LATER_MS,
  };
}

async function socketFigures(baseUrl: string): Promise<Figure[]> {
  await flow(baseUrl, "even");
  const figures: Figure[] = [];
  let one = 0;
  for (const count of [1, 4, 16]) {
    const { now, most } = await socketsOf(baseUrl, count);
    if (count === 1) one = most;
    figures.push({
      name: `sockets ${count}`,
      what: `connections of the stream at most, ${count} ${count === 1 ? "window" : "windows"} (processes; floor: one window)`,
      measured: `${now} at last`,
      floor: String(one),
      result: String(most),
      value: most,
      target: "as for one",
      met: most === one && now === one,
    });
  }
  return figures;
}

interface Sockets {
  readonly now: number;
  readonly most: number;
}

/** The connections that are open when all windows show prices of the stream, and the most at any time before. */
async function socketsOf(baseUrl: string, count: number): Promise<Sockets> {
  const read = async (): Promise<Sockets> => (await (await fetch(`${baseUrl}/sockets`)).json()) as Sockets;
  await waitFor("no connection", async () => (await read()).now === 0);
  return await withProcesses(baseUrl, async (start) => {
    await Promise.all(Array.from({ length: count }, () => start("window")));
    return await read();
  });
}
