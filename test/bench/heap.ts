import { openTestDesk, unattended } from "../support/desks/testDesk.ts";
import { DeskWindows } from "../support/desks/windows.ts";
import { FakeStreams, tickerFrame, type FakeSocket } from "../support/fakes/streams.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { FakeClient, readingOf, tickerOf } from "../support/fakes/venue.ts";
import { waitFor } from "../support/waitFor.ts";
import { clientOf } from "./decoding.ts";
import { tickerBytes } from "./market.ts";
import { collectGarbage, type Figure } from "./measure.ts";
import { rowsOn } from "./rows.ts";
import { streamingAt } from "./streamed.ts";

const FEW = 100;
const MANY = 10_000;
const MOST_MB = 5;
const HOUR_MS = 3_600_000;
const WEEK_HOURS = 7 * 24;
const MOST_WEEK_MB = 10;
const DAY_HOURS = 24;
const PAIRS = 500;
/** A tenth of a busy market's rate: what is kept of a pair has bounds in time and number. */
const FRAMES_A_SECOND = 42;
const MOST_DAY_MB = 10;

/** MB of the heap after a collection. */
function heapMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

function heapFigure(
  name: string,
  what: string,
  { before, after, mostMb }: { readonly before: number; readonly after: number; readonly mostMb: number },
): Figure {
  return {
    name,
    what,
    measured: `${after.toFixed(1)} MB`,
    floor: `${before.toFixed(1)} MB`,
    result: `${after < before ? "–" : "+"} ${Math.abs(after - before).toFixed(2)} MB`,
    value: after - before,
    ratio: after / before,
    target: `+ ≤ ${mostMb} MB`,
    met: after - before <= mostMb,
  };
}

/** The growth of the memory over time. */
export async function heapFigures(): Promise<Figure[]> {
  return [await refreshesFigure(), await weekFigure(), await dayFigure()];
}

/** The memory after 10,000 refreshes of 500 pairs, compared with the memory after 100. */
async function refreshesFigure(): Promise<Figure> {
  const answers = Array.from({ length: 10 }, (_, turn) => Buffer.from(tickerBytes(500, turn)));
  let turn = 0;
  const client = clientOf(() => answers[(turn += 1) % answers.length] ?? Buffer.of());
  const { tickers } = await openTestDesk({ client, timers: new FakeTimers(), window: unattended });
  const heapAfter = async (rounds: number): Promise<number> => {
    for (let round = turn; round < rounds; round += 1) await tickers.poll.refresh();
    return heapMb();
  };
  const what = "heap after 10,000 refreshes of 500 pairs (floor: after 100)";
  const before = await heapAfter(FEW);
  return heapFigure("heap refreshes", what, { before, after: await heapAfter(MANY), mostMb: MOST_MB });
}

/** The memory after a simulated week, of a window that asks every 5 s and a window that follows over a real socket. */
async function weekFigure(): Promise<Figure> {
  const answers = Array.from({ length: 10 }, (_, turn) => Buffer.from(tickerBytes(20, turn)));
  let turn = 0;
  const client = clientOf(() => answers[(turn += 1) % answers.length] ?? Buffer.of());
  const timers = new FakeTimers();
  const machine = new DeskWindows();
  try {
    const leader = await machine.open({ client, timers });
    const follower = await machine.open({ client, timers });
    const heapAfter = async (hours: number): Promise<number> => {
      for (let hour = 0; hour < hours; hour += 1) {
        await timers.advance(HOUR_MS);
        leader.events.length = follower.events.length = 0;
      }
      await waitFor(
        "the follower to have read everything",
        () => follower.tickers.state.readAt === leader.tickers.state.readAt,
      );
      return heapMb();
    };
    const what = "heap after a simulated week, a leader and a follower (floor: after an hour)";
    const before = await heapAfter(1);
    return heapFigure("heap week", what, {
      before,
      after: await heapAfter(WEEK_HOURS - 1),
      mostMb: MOST_WEEK_MB,
    });
  } finally {
    machine.close();
  }
}

/** The memory after a simulated day of a stream that is proven once a minute, with the rows of Markets. */
async function dayFigure(): Promise<Figure> {
  const [timers, streams, prices] = [new FakeTimers(), new FakeStreams(), new Map<string, number>()];
  for (let id = 1; id <= PAIRS; id += 1) prices.set(`THB_A${id}`, 1000 + id);
  const client = new FakeClient();
  client.tickersAnswer = (gate) => {
    gate?.mayStillGo?.();
    return Promise.resolve(readingOf(...Array.from(prices, ([symbol, last]) => tickerOf(symbol, { last }))));
  };
  const desk = await openTestDesk({
    ...streamingAt("https://api.example.com", streams.open),
    client,
    timers,
  });
  const rows = await rowsOn(desk.tickers);
  desk.tickers.watch();
  const symbols = [...prices.keys()];
  let [sent, second] = [0, 0];
  const liveFor = async (seconds: number): Promise<void> => {
    for (const end = second + seconds; second < end; second += 1) {
      for (const socket of streams.current.filter((each) => !opened.has(each))) {
        opened.add(socket);
        socket.open();
      }
      for (let each = 0; each < FRAMES_A_SECOND; each += 1) {
        const symbol = symbols[sent++ % PAIRS] ?? "";
        const last = 1001 + symbols.indexOf(symbol) + (second % 10) / 10;
        prices.set(symbol, last);
        for (const socket of streams.current) socket.frame(tickerFrame(symbol, last));
      }
      await timers.advance(1000);
    }
  };
  const opened = new WeakSet<FakeSocket>();
  await liveFor(HOUR_MS / 1000);
  if (desk.stream?.phase !== "live") throw new Error("The stream was not believed.");
  const before = heapMb();
  await liveFor(((DAY_HOURS - 1) * HOUR_MS) / 1000);
  if (desk.stream.phase !== "live") throw new Error("The stream is not believed any more.");
  const after = heapMb();
  rows.dispose();
  desk.dispose();
  const what = `heap after a simulated day of streaming, ${PAIRS} pairs, ${(sent / 1e6).toFixed(1)} million frames (floor: after an hour)`;
  return heapFigure("heap stream day", what, { before, after, mostMb: MOST_DAY_MB });
}
