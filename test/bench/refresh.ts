import type { TickerFeed } from "../../src/desk/feeds/tickerFeed.ts";
import type { ExchangeClient } from "../../src/exchange/client.ts";
import { openTestDesk, unattended } from "../support/desks/testDesk.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { clientOf, tickerBytes } from "./market.ts";
import { durationFigure, median, type Figure } from "./measure.ts";
import { rowsOn } from "./rows.ts";

const PAIRS = 500;
const TICKS = 1000;
const ROUNDS = 15;
const MAX_TICK_MS = 5;

/** The Markets view's rows on a feed of the client's, sorted by last; `changed` is called with the rows of each event. */
async function rowsOf(
  client: ExchangeClient,
  changed: (rows: readonly unknown[] | undefined) => void,
): Promise<TickerFeed> {
  const { tickers: feed } = await openTestDesk({ client, timers: new FakeTimers(), window: unattended });
  const rows = await rowsOn(feed, { by: "last", down: true });
  rows.onDidChangeTreeData((event) => changed(Array.isArray(event) ? event : undefined));
  return feed;
}

/** From the last byte of an answer to the change event of its rows. */
export async function tickFigure(): Promise<Figure> {
  const answers = Array.from({ length: 10 }, (_, turn) => Buffer.from(tickerBytes(PAIRS, turn)));
  let turn = 0;
  let arrived = 0;
  const client = clientOf(() => {
    const body = answers[(turn += 1) % answers.length] ?? Buffer.of();
    arrived = performance.now();
    return body;
  });
  const spent: number[] = [];
  const feed = await rowsOf(client, () => spent.push(performance.now() - arrived));
  const rounds: { p50: number; p99: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    spent.length = 0;
    for (let tick = 0; tick < TICKS; tick += 1) await feed.refresh();
    if (spent.length !== TICKS) throw new Error("A tick changed no row.");
    const sorted = spent.sort((a, b) => a - b);
    const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => sorted[share * TICKS]);
    rounds.push({ p50, p99 });
  }
  const [p50, p99] = [median(rounds.map((each) => each.p50)), median(rounds.map((each) => each.p99))];
  return durationFigure(
    `tick to row: from the answer's last byte to the change event, ${PAIRS} pairs, p99 (floor: p50)`,
    { ms: p99, floor: p50, most: MAX_TICK_MS },
  );
}
