import { DeskWindows } from "../support/desks/windows.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { waitFor } from "../support/waitFor.ts";
import { clientOf, tickerBytes } from "./market.ts";
import { collectGarbage, type Figure } from "./measure.ts";

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 7 * 24;
const MAX_MB = 10;

/** MB of the heap after a collection. */
function heapMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** The memory after a simulated week, of a window that asks every 5 s and a window that follows over a real socket. */
export async function heapFigure(): Promise<Figure> {
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
    const after = await heapAfter(WEEK_HOURS - 1);
    return {
      what,
      measured: `${after.toFixed(1)} MB`,
      floor: `${before.toFixed(1)} MB`,
      result: `${after < before ? "–" : "+"} ${Math.abs(after - before).toFixed(2)} MB`,
      target: `+ ≤ ${MAX_MB} MB`,
      met: after - before <= MAX_MB,
    };
  } finally {
    machine.close();
  }
}
