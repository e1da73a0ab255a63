import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { foldCandles, intervalMs } from "../../src/market/candle.ts";
import type { Ticker } from "../../src/market/ticker.ts";
import { openPriceHistory } from "../../src/storage/prices/history.ts";
import { tickerOf } from "../support/fakes/venue.ts";
import { against, durationFigure, type Figure } from "./measure.ts";

const PAIRS = 500;
const INTERVAL_MS = 5000;
const DAY_MS = intervalMs["1d"];
const HERE = "https://api.example.com";
const START = Date.UTC(2026, 10, 21);
const MAXIMUM = 50 * 1024 * 1024;

/** A market in which every price moves at every reading, which is more than on any exchange. */
function marketAt(refresh: number): Ticker[] {
  return Array.from({ length: PAIRS }, (_, index) =>
    tickerOf(`THB_A${index}`, {
      last: Math.round(1e6 + 1e4 * Math.sin(refresh / 7 + index)) / 100,
      baseVolume: Math.round(1e7 + refresh * 31 + index * 17) / 1e4,
    }),
  );
}

/** The cost of recording for a refresh, over a day of 500 pairs, and then the cost of a chart's reading of one pair. */
export async function historyFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "bidside-bench-"));
  try {
    const history = openPriceHistory({ directory: folder, maximumBytes: () => MAXIMUM });
    const markets = Array.from({ length: 50 }, (_, refresh) => marketAt(refresh));
    const costs: number[] = [];
    for (let at = START; at < START + DAY_MS; at += INTERVAL_MS) {
      const market = markets[costs.length % markets.length] ?? [];
      const start = performance.now();
      history.record(HERE, at, market);
      costs.push(performance.now() - start);
    }
    const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
    const p999 = [...costs].sort((a, b) => a - b)[Math.floor(costs.length * 0.999)] ?? 0;
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".log"))
      .map((name) => join(folder, name));
    const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);

    const read = await against(
      async () => {
        const minutes = await history.candles(HERE, "THB_A321", START, START + DAY_MS);
        foldCandles(minutes, intervalMs["5m"]);
      },
      () => files.map((file) => readFileSync(file)),
      { rounds: 9, times: 3 },
    );
    return [
      durationFigure(
        "record",
        `record a refresh of 500 pairs, worst but 17 of a day's 17,280 (floor: mean; ${megabytes(bytes)})`,
        { ms: p999, floor: mean, most: 10 },
      ),
      durationFigure(
        "chart's day",
        "a chart's day of one pair out of those 500 (floor: reading the bare files)",
        { ms: read.ours, floor: read.floor, most: 150 },
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}
