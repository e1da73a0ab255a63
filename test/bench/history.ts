import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { foldCandles } from "../../src/market/candle.ts";
import { intervals } from "../../src/market/intervals.ts";
import type { Ticker } from "../../src/market/ticker.ts";
import { openPriceHistory } from "../../src/storage/prices/history.ts";
import { tickerOf } from "../support/fakes/venue.ts";
import { against, durationFigure, type Figure } from "./measure.ts";

const PAIRS = 500;
const INTERVAL_MS = 5000;
const DAY_MS = intervals["1d"].ms;
const HERE = "https://api.example.com";
const START = Date.UTC(2026, 10, 21);
const MAXIMUM = 50 * 1024 * 1024;

/** A market in which every price moves at every poll, which is more than on any exchange. */
function marketAt(refresh: number): Ticker[] {
  return Array.from({ length: PAIRS }, (_, index) =>
    tickerOf(`THB_A${index}`, {
      last: Math.round(1e6 + 1e4 * Math.sin(refresh / 7 + index)) / 100,
      baseVolume: Math.round(1e7 + refresh * 31 + index * 17) / 1e4,
    }),
  );
}

/** A chart's reading of one pair out of a recorded day of 500. */
export async function historyFigure(): Promise<Figure> {
  const directory = mkdtempSync(join(tmpdir(), "bidside-bench-"));
  try {
    const markets = Array.from({ length: 50 }, (_, refresh) => marketAt(refresh));
    const history = openPriceHistory({ directory, maximumBytes: () => MAXIMUM });
    for (let at = START, turn = 0; at < START + DAY_MS; at += INTERVAL_MS, turn += 1)
      history.record(HERE, at, markets[turn % markets.length] ?? []);
    const files = readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".log"))
      .map((name) => join(directory, name));
    const { ours, floor } = await against(
      async () => {
        const minutes = await history.candles(HERE, { quote: "THB", base: "A321" }, START, START + DAY_MS);
        foldCandles(minutes, intervals["5m"].ms);
      },
      () => files.map((file) => readFileSync(file)),
      { rounds: 31, times: 3, collects: true },
    );
    return durationFigure("a chart's day of one pair out of 500 (floor: reading the bare files)", {
      ms: ours,
      floor,
      most: 150,
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
