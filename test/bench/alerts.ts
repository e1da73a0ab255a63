import { Alerts } from "../../src/desk/alerts/alerts.ts";
import { Notifications } from "../../src/desk/notifications/notifications.ts";
import type { Alert } from "../../src/market/alertRule.ts";
import type { Ticker } from "../../src/market/ticker.ts";
import { NotificationClaims } from "../../src/storage/notificationClaims.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { openVenue } from "../support/fakes/venue.ts";
import { clientOf, tickerBytes } from "./market.ts";
import { compare, durationFigure, type Figure } from "./measure.ts";
import { tickerFeed } from "../support/fakes/feeds.ts";

const ALERTS = 10_000;
const PAIRS = 500;
const ROUNDS = 200;
const MAX_MS = 5;

/** The time that 10,000 alerts on 500 pairs add to a refresh: a third of each kind of rule, and no rule is met. */
export async function alertFigure(): Promise<Figure> {
  const answers = Array.from({ length: 4 }, (_, turn) => Buffer.from(tickerBytes(PAIRS, turn)));
  let turn = 0;
  const venue = await openVenue(clientOf(() => answers[(turn += 1) % answers.length] ?? Buffer.of()));
  const timers = new FakeTimers();
  const feed = tickerFeed(venue, timers);
  await feed.refresh();
  const symbols = [...feed.state.tickers.keys()];
  const stored = Array.from({ length: ALERTS }, (_, index) =>
    alertOn(symbols[index % PAIRS] ?? "", index, timers.now()),
  );
  let before = 0;
  const pairs: [ours: number, floor: number][] = [];
  feed.onDidChange(() => (before = performance.now()));
  const alerts = new Alerts({
    store: {
      list: () => stored,
      read: () => undefined,
      put: () => undefined,
      remove: () => undefined,
      newer: 0,
    },
    tickers: feed,
    venue,
    timers,
    newId: () => "",
    notifications: new Notifications({
      channels: [],
      folder: "unused",
      random: () => 0,
      claims: new NotificationClaims("unused"),
      timers,
      isInFront: () => true,
      onError: fail,
    }),
    onError: fail,
  });
  feed.onDidChange(() => pairs.push([performance.now() - before, timeOfPass(stored, feed.state.tickers)]));
  for (let round = 0; round < ROUNDS; round += 1) {
    await timers.advance(5000);
    await feed.refresh();
  }
  if (alerts.list.length !== ALERTS || !alerts.isArmed) throw new Error("An alert fired or was lost.");
  alerts.dispose();
  const { ours, floor } = compare(pairs);
  return durationFigure(
    `evaluate ${ALERTS.toLocaleString("en")} alerts at a refresh of ${PAIRS} pairs (floor: a look at the price of each)`,
    { ms: ours, floor, most: MAX_MS },
  );
}

function fail(error: unknown): never {
  throw error;
}

/** ms to find the price of each alert's pair, and to compare the price with a number. */
function timeOfPass(alerts: readonly Alert[], tickers: ReadonlyMap<string, Ticker>): number {
  const start = performance.now();
  const above = alerts.filter(({ symbol }) => (tickers.get(symbol)?.last ?? 0) > 1e9);
  if (above.length > 0) throw new Error("A price is too high.");
  return performance.now() - start;
}

function alertOn(symbol: string, index: number, armedAt: number): Alert {
  const rules = [
    { kind: "above", price: "1000000000" },
    { kind: "below", price: "0.000000000001" },
    { kind: "change", percent: "99", minutes: 1 + (index % 60) },
  ] as const;
  return {
    id: String(index),
    venue: "practice",
    origin: "http://127.0.0.1:1",
    symbol,
    rule: rules[index % 3] ?? rules[0],
    repeats: false,
    isOn: true,
    phase: "armed",
    armedAt,
  };
}
