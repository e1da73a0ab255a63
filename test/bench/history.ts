import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { foldCandles, intervalMs } from "../../src/market/candle.ts";
import type { Ticker } from "../../src/market/ticker.ts";
import { openPriceHistory } from "../../src/storage/prices/history.ts";
import { tickerOf } from "../support/fakes/venue.ts";
import { against, compare, durationFigure, percentile, type Figure } from "./measure.ts";

const PAIRS = 500;
const DAYS = 5;
/** What a minute of all pairs takes on the disk. */
const MINUTE_BYTES = 25_000;
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

interface RecordedDay {
  /** The worst refresh but a thousandth of all, ms. */
  readonly ms: number;
  /** The same of bare appends of as many bytes, each beside a refresh that ended a minute. */
  readonly floor: number;
}

/** The cost of recording for a refresh, over days of 500 pairs, and then the cost of a chart's reading of one pair. */
export async function historyFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "bidside-bench-"));
  try {
    const markets = Array.from({ length: 50 }, (_, refresh) => marketAt(refresh));
    const directories = Array.from({ length: DAYS }, (_, day) => join(folder, String(day)));
    const days = directories.map((directory) => recordDay(directory, markets));
    const [directory = ""] = directories;
    const history = openPriceHistory({ directory, maximumBytes: () => MAXIMUM });
    const files = readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".log"))
      .map((name) => join(directory, name));
    const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
    const read = await against(
      async () => {
        const minutes = await history.candles(HERE, { quote: "THB", base: "A321" }, START, START + DAY_MS);
        foldCandles(minutes, intervalMs["5m"]);
      },
      () => files.map((file) => readFileSync(file)),
      { rounds: 31, times: 3, collects: true },
    );
    const recorded = compare(days.map(({ ms, floor }) => [ms, floor]));
    return [
      durationFigure(
        "record",
        `record a refresh of 500 pairs, worst but 17 of a day's 17,280 (floor: bare appends; ${megabytes(bytes)})`,
        { ms: recorded.ours, floor: recorded.floor, most: 10 },
      ),
      durationFigure(
        "chart's day",
        "a chart's day of one pair out of those 500 (floor: reading the bare files)",
        { ms: read.ours, floor: read.floor, most: 150, ratio: read.ratio },
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Records a day into a new folder. */
function recordDay(directory: string, markets: readonly (readonly Ticker[])[]): RecordedDay {
  const history = openPriceHistory({ directory, maximumBytes: () => MAXIMUM });
  mkdirSync(directory);
  const bare = Buffer.alloc(MINUTE_BYTES, "x");
  const [costs, floors]: [number[], number[]] = [[], []];
  for (let at = START; at < START + DAY_MS; at += INTERVAL_MS) {
    const market = markets[costs.length % markets.length] ?? [];
    const start = performance.now();
    history.record(HERE, at, market);
    const recorded = performance.now();
    costs.push(recorded - start);
    if (at % intervalMs["1m"] !== 0) continue;
    appendFileSync(join(directory, "floor.txt"), bare);
    floors.push(performance.now() - recorded);
  }
  // As many of each are left out.
  const leftOut = costs.length / 1000;
  return { ms: percentile(costs, 0.999), floor: percentile(floors, 1 - leftOut / floors.length) };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`;
}
