import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testAlert } from "../builders/testAlert.ts";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import { startProxiedPractice, type ProxiedPractice } from "../servers/proxiedPractice.ts";
import { marketOf } from "../../../src/practice/market/market.ts";
import { streamKinds } from "../../../src/practice/stream/address.ts";
import { AlertFiles } from "../../../src/storage/alertFiles.ts";
import { testPair } from "../builders/practiceRequest.ts";
import { waitFor } from "../waitFor.ts";
import { HubProcesses } from "./hubProcesses.ts";
import { TEST_ACCOUNT } from "../fakes/venue.ts";

const SYMBOL = "THB_BTC";
const FIRST_PRICE = 100_000;
/** Small, so that a stream and a poll of two moments agree. */
const PRICE_STEP = 10;
const INTERVAL_MS = 1000;
const WINDOWS = 3;

/** What windows lost when their leaders were killed. Times in ms. */
export interface StreamTakeovers {
  /** From each kill to a newer streamed price in every other window. */
  readonly liveAgainMs: readonly number[];
  /** Connections of each kind that were opened. */
  readonly opened: Readonly<Record<"ticker" | "private", number>>;
  /** How often a window began to lead: after each kill, and also if a busy machine stalled a leader. */
  readonly leads: number;
  readonly alertsLost: number;
  readonly alertsRepeated: number;
  /** Fills that each window knows at the end, and those that happened. */
  readonly fillsKnown: readonly number[];
  readonly fills: number;
}

/** A market of one pair, whose price the test sets. It moves a little all the time: equal prices are not painted again. */
function marketAt(base: () => number): ReturnType<typeof marketOf> {
  let turn = 0;
  const price = (): number => base() + (turn = (turn + 1) % 7) / 10;
  const quoteAt = () => ({ last: price(), ask: price() + 1, bid: price() - 1 });
  const [day, volume] = [{ open: FIRST_PRICE, low: FIRST_PRICE }, 1];
  const pair = {
    id: 1,
    symbol: SYMBOL,
    base: "BTC",
    frozen: false,
    quoteAt,
    tickerAt: () => ({
      ...quoteAt(),
      ...day,
      id: 1,
      symbol: SYMBOL,
      frozen: false,
      high: price(),
      percentChange: 0,
      baseVolume: volume,
      quoteVolume: volume * price(),
    }),
    candle: () => ({ ...day, high: price(), close: price(), volume }),
  };
  return marketOf(new Map([[SYMBOL, pair]]));
}

/**
 * Kills the leading window of a computer `kills` times while prices and fills are streamed. In the gap, before another window
 * is connected, an order is filled and the price of an alert is reached. Ends by itself after a minute.
 */
export async function killStreamingLeaders(kills: number, random: () => number): Promise<StreamTakeovers> {
  let price = FIRST_PRICE;
  const folder = mkdtempSync(join(tmpdir(), "bidside-machine-"));
  const exchange = await startProxiedPractice({
    credentials: testPair,
    now: Date.now,
    switches: { streams: streamKinds },
    market: marketAt(() => price),
  });
  const windows = new HubProcesses(INTERVAL_MS, exchange.baseUrl, folder, "streamingDesk");
  const alerts = armAlerts(new AlertFiles(join(folder, "alerts")), exchange, kills);
  const liveAgainMs: number[] = [];
  try {
    await windows.start(WINDOWS);
    for (let round = 1; round <= kills; round += 1) {
      const leader = await windows.settled();
      await becomeLive(windows, exchange, 0);
      await bidIn(windows, leader);
      assert.ok(exchange.fillOrder(String(round), new Decimal("400")));
      await allKnow(windows, 2 * round - 1);
      await new Promise((resolve) => setTimeout(resolve, random() * INTERVAL_MS));
      const since = await windows.kill(leader);
      assert.ok(exchange.fillOrder(String(round), new Decimal("600")));
      price += PRICE_STEP;
      liveAgainMs.push((await becomeLive(windows, exchange, since)) - since);
      await allKnow(windows, 2 * round);
      if (round < kills) await windows.start(1);
    }
    const announced = (): string[] => windows.events.flatMap(({ fired }) => fired ?? []);
    await waitFor("the alerts", () => new Set(announced()).size >= kills).catch(() => undefined);
    const { ticker, private: orders } = exchange.streams.opened;
    return {
      liveAgainMs,
      opened: { ticker, private: orders },
      leads: windows.events.filter(({ role }) => role === "leader").length,
      alertsLost: alerts.filter((id) => !announced().includes(id)).length,
      alertsRepeated: announced().length - new Set(announced()).size,
      fillsKnown: [...windows.windows.keys()].map((pid) => fillsIn(windows, pid)),
      fills: 2 * kills,
    };
  } finally {
    windows.close();
    await exchange.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One alert for each step of the price. */
function armAlerts(files: AlertFiles, { baseUrl }: ProxiedPractice, count: number): string[] {
  return Array.from({ length: count }, (_, step) => {
    const id = randomUUID();
    const rule = { kind: "above", price: String(FIRST_PRICE + (step + 1) * PRICE_STEP) } as const;
    files.put(
      testAlert({
        id,
        venue: "live",
        account: TEST_ACCOUNT,
        origin: new URL(baseUrl).origin,
        symbol: SYMBOL,
        rule,
      }),
    );
    return id;
  });
}

/** When every window showed a streamed price that arrived after `since`, over one connection. ms since the epoch. */
async function becomeLive(
  windows: HubProcesses,
  { streams }: ProxiedPractice,
  since: number,
): Promise<number> {
  const times = await waitFor("streamed prices in every window", () => {
    const { events } = windows;
    const first = [...windows.windows.keys()].map(
      (pid) => events.find((event) => event.pid === pid && (event.live ?? 0) > since)?.at,
    );
    return first.every((at) => at !== undefined) && first;
  });
  await waitFor("the stream of orders", () => streams.count("private") === 1);
  assert.equal(streams.count("ticker"), 1);
  return Math.max(...times);
}

/**
 * A window bids far below the price. A process that stalls on a busy computer treats its prices as stale, as after a
 * sleep, and does not send the order. Then the user submits again.
 */
async function bidIn(windows: HubProcesses, pid: number): Promise<void> {
  const placed = (): (string | undefined)[] =>
    windows.events.filter((event) => event.pid === pid && event.placed).map((event) => event.placed);
  const submit = async (): Promise<string | undefined> => {
    const before = placed().length;
    windows.windows.get(pid)?.stdin?.write(`${FIRST_PRICE * 0.9}\n`);
    await waitFor("the answer to the order", () => placed().length > before);
    return placed().at(-1);
  };
  const outcome = await waitFor("fresh prices for the order", async () => {
    const placed = await submit();
    return placed !== "priceTooOld" && placed !== "tooLate" && placed;
  });
  assert.equal(outcome, "accepted");
}

function fillsIn({ events }: HubProcesses, pid: number): number {
  return events.findLast((event) => event.pid === pid && event.fills !== undefined)?.fills ?? 0;
}

async function allKnow(windows: HubProcesses, fills: number): Promise<void> {
  await waitFor(`${fills} fills in every window`, () =>
    [...windows.windows.keys()].every((pid) => fillsIn(windows, pid) === fills),
  );
}
