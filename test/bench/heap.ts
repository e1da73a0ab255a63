import { TickerFeed } from "../../src/desk/tickerFeed.ts";
import { FakeTimers } from "../support/fakeTimers.ts";
import { openVenue } from "../support/fakeVenue.ts";
import { clientOf } from "./decoding.ts";
import { tickerBytes } from "./market.ts";
import type { Figure } from "./measure.ts";

const FEW = 100;
const MANY = 10_000;
const MOST_MB = 5;

/** What 10,000 refreshes of 500 pairs leave in memory beyond 100. Needs `--expose-gc`. */
export async function heapFigures(): Promise<Figure[]> {
  const collect = globalThis.gc;
  if (!collect) throw new Error("Run with --expose-gc.");
  const answers = Array.from({ length: 10 }, (_, turn) => Buffer.from(tickerBytes(500, turn)));
  let turn = 0;
  const venue = await openVenue(clientOf(() => answers[(turn += 1) % answers.length] ?? Buffer.of()));
  const feed = new TickerFeed({ venue, timers: new FakeTimers(), random: () => 1, intervalMs: 5000 });
  const heapAfter = async (rounds: number): Promise<number> => {
    for (let round = turn; round < rounds; round += 1) await feed.poll.refresh();
    collect();
    return process.memoryUsage().heapUsed / 1024 / 1024;
  };
  const few = await heapAfter(FEW);
  const many = await heapAfter(MANY);
  return [
    {
      what: "heap after 10,000 refreshes of 500 pairs (floor: after 100)",
      measured: `${many.toFixed(1)} MB`,
      floor: `${few.toFixed(1)} MB`,
      result: `+ ${(many - few).toFixed(2)} MB`,
      target: `+ ≤ ${MOST_MB} MB`,
      met: many - few <= MOST_MB,
    },
  ];
}
