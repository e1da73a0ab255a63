import { spawn } from "node:child_process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { alertFigures } from "./alerts.ts";
import { BenchOptionsError, benchUsage, readBenchOptions, type BenchOptions } from "./benchOptions.ts";
import { bundleFigures } from "./bundles.ts";
import { chartFigures } from "./chart.ts";
import { clickFigures } from "./click.ts";
import { decodingFigures } from "./decoding.ts";
import { heapFigures } from "./heap.ts";
import { historyFigures } from "./history.ts";
import { ladderFigures } from "./ladder.ts";
import { listingFigures } from "./listing.ts";
import type { Figure } from "./measure.ts";
import { orderFigures } from "./orders.ts";
import { placingFigures, practiceFigures } from "./placing.ts";
import { refreshFigures } from "./refresh.ts";
import { compareRuns, type RowOfRuns } from "./runs.ts";
import { seenRowFigures } from "./seenRows.ts";
import { signingFigures } from "./signing.ts";
import { connectionFigures, streamCostFigures, streamFigures } from "./streams.ts";
import { windowFigures } from "./windows.ts";

/** Prints every figure beside a floor measured in the same run. A missed target is shown and is no failure. */

setFlagsFromString("--expose-gc");
globalThis.gc = runInNewContext("gc") as NonNullable<typeof globalThis.gc>;

type Measure = () => Figure[] | Promise<Figure[]>;

/** By the name that the command line knows, in the table's order. */
const measures: ReadonlyMap<string, Measure> = new Map<string, Measure>([
  ["bundles", bundleFigures],
  ["signing", signingFigures],
  ["decoding", decodingFigures],
  ["refresh", refreshFigures],
  ["alerts", alertFigures],
  ["placing", placingFigures],
  ["click", clickFigures],
  ["practice", practiceFigures],
  ["listing", listingFigures],
  ["heap", heapFigures],
  ["history", historyFigures],
  ["orders", orderFigures],
  ["chart", chartFigures],
  ["ladder", ladderFigures],
  ["seenRows", seenRowFigures],
  ["streams", streamFigures],
  ["streamCosts", streamCostFigures],
  ["connections", connectionFigures],
  ["windows", windowFigures],
]);

const WIDTHS = [102, 10, 10, 10, 13, 6];
const NAME_WIDTH = 18;
const RESULT_WIDTH = 11;

function line(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join("  ")
    .trimEnd();
}

async function measureAll(rows: readonly string[]): Promise<Figure[]> {
  console.log(line(["what", "measured", "floor", "result", "target", ""], WIDTHS));
  const all: Figure[] = [];
  for (const row of rows) {
    const figures = (await measures.get(row)?.()) ?? [];
    for (const { what, measured, floor, result, target, met } of figures)
      console.log(line([what, measured, floor, result, target, met ? "met" : "missed"], WIDTHS));
    all.push(...figures);
  }
  return all;
}

/** The same, while a separate process keeps one core busy. */
async function measureBeside(rows: readonly string[]): Promise<Figure[]> {
  const busy = spawn(process.execPath, ["test/bench/busyCore.mjs"], { stdio: "ignore" });
  try {
    return await measureAll(rows);
  } finally {
    busy.kill();
  }
}

function printRuns(rows: readonly RowOfRuns[], { runs, busy }: BenchOptions): void {
  const widths = [NAME_WIDTH, ...Array.from({ length: runs }, () => RESULT_WIDTH), RESULT_WIDTH, 11, 13, 6];
  const heads = Array.from({ length: runs }, (_, run) =>
    run < runs - busy ? `run ${run + 1}` : `busy ${run + 1}`,
  );
  console.log(`\n${line(["row", ...heads, "spread", "within 15 %", "target", "met in"], widths)}`);
  for (const { name, results, spread, agree, target, met } of rows) {
    const spreadText = spread === undefined ? "–" : `${spread.toFixed(2)} ×`;
    console.log(line([name, ...results, spreadText, agree ? "yes" : "no", target, `${met}/${runs}`], widths));
  }
}

async function main(): Promise<void> {
  const names = [...measures.keys()];
  const options = readBenchOptions(process.argv.slice(2), names);
  if (options === "help") {
    console.log(benchUsage(names));
    return;
  }
  const done: Figure[][] = [];
  for (let run = 1; run <= options.runs; run += 1) {
    const isBusy = run > options.runs - options.busy;
    if (options.runs > 1) console.log(`\nRun ${run} of ${options.runs}${isBusy ? ", one core busy" : ""}`);
    done.push(await (isBusy ? measureBeside : measureAll)(options.rows));
  }
  if (options.runs > 1) printRuns(compareRuns(done), options);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof BenchOptionsError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
