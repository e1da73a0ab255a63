import type { TickerFeed } from "../../src/desk/feeds/tickerFeed.ts";
import type { ExchangeClient } from "../../src/exchange/client.ts";
import { openTestDesk, unattended } from "../support/desks/testDesk.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { clientOf } from "./decoding.ts";
import { tickerBytes } from "./market.ts";
import { against, durationFigure, median, ratioFigure, type Figure } from "./measure.ts";
import { rowsOn } from "./rows.ts";

const MANY_PAIRS = 50_000;
/** Two successive answers differ in two pairs of this number: 1 %. */
const ONE_IN = 200;
const MOST_RATIO = 1.5;
const PAIRS = 500;
const TICKS = 1000;
const ROUNDS = 15;
const MOST_TICK_MS = 5;

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

/** The cost of a refresh, from the answer to the rows. */
export async function refreshFigures(): Promise<Figure[]> {
  return [await tickFigure(), await treeFigure()];
}

async function treeFigure(): Promise<Figure> {
  const answers = Array.from({ length: 4 }, (_, turn) => Buffer.from(tickerBytes(MANY_PAIRS, turn, ONE_IN)));
  let turn = 0;
  const client = clientOf(() => answers[(turn += 1) % answers.length] ?? Buffer.of());
  let events = 0;
  const feed = await rowsOf(client, () => (events += 1));
  const result = await against(
    () => feed.poll.refresh(),
    () => client.tickers(),
    { rounds: 21, times: 2, collects: true },
  );
  if (events === 0) throw new Error("No row changed.");
  return ratioFigure(
    "refresh rows",
    `a refresh up to the rows, ${MANY_PAIRS.toLocaleString("en")} pairs of which 1 % changed (floor: decoding them)`,
    result,
    MOST_RATIO,
  );
}

async function tickFigure(): Promise<Figure> {
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
    for (let tick = 0; tick < TICKS; tick += 1) await feed.poll.refresh();
    if (spent.length !== TICKS) throw new Error("A tick changed no row.");
    const sorted = spent.sort((a, b) => a - b);
    const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => sorted[share * TICKS]);
    rounds.push({ p50, p99 });
  }
  const [p50, p99] = [median(rounds.map((each) => each.p50)), median(rounds.map((each) => each.p99))];
  return durationFigure(
    "tick to row",
    `tick to row: from the answer's last byte to the change event, ${PAIRS} pairs, p99 (floor: p50)`,
    { ms: p99, floor: p50, most: MOST_TICK_MS, ratio: p99 / p50 },
  );
}
