import { openTestDesk, unattended } from "../support/desks/testDesk.ts";
import { DeskWindows } from "../support/desks/windows.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { waitFor } from "../support/waitFor.ts";
import { clientOf } from "./decoding.ts";
import { tickerBytes } from "./market.ts";
import type { Figure } from "./measure.ts";

const FEW = 100;
const MANY = 10_000;
const MOST_MB = 5;
const HOUR_MS = 3_600_000;
const WEEK_HOURS = 7 * 24;
const MOST_WEEK_MB = 10;

/** MB of the heap after a collection. Needs `--expose-gc`. */
function heapMb(): number {
  if (!globalThis.gc) throw new Error("Run with --expose-gc.");
  globalThis.gc();
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
    result: `+ ${(after - before).toFixed(2)} MB`,
    value: after - before,
    target: `+ ≤ ${mostMb} MB`,
    met: after - before <= mostMb,
  };
}

/** The growth of the memory over time. */
export async function heapFigures(): Promise<Figure[]> {
  return [await refreshesFigure(), await weekFigure()];
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
