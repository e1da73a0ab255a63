import { fork, spawn } from "node:child_process";
import { join } from "node:path";
import { BenchOptionsError, benchUsage, readBenchOptions, type BenchOptions } from "./benchOptions.ts";
import { groups } from "./groups.ts";
import type { Figure } from "./measure.ts";
import { compareRuns, type RowOfRuns } from "./runs.ts";

/** Prints every figure beside a floor measured in the same run. A missed target is shown and is no failure. */

const WIDTHS = [102, 10, 10, 10, 13, 6];
const NAME_WIDTH = 18;
const RESULT_WIDTH = 16;

function line(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join("  ")
    .trimEnd();
}

/**
 * Measures a group in a process of its own. In one process for all, later rows were up to a sixth slower, because of the memory and
 * the compiled code of earlier ones. The heap's rows need the collector.
 */
function figuresOf(group: string): Promise<Figure[]> {
  const child = fork(join(import.meta.dirname, "groupProcess.ts"), [group], {
    execArgv: ["--expose-gc", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"],
  });
  return new Promise((resolve, reject) => {
    let figures: Figure[] | undefined;
    child.once("message", (sent: Figure[]) => {
      figures = sent;
      child.disconnect();
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (figures) resolve(figures);
      else reject(new Error(`The rows of ${group} ended with ${code} before their figures.`));
    });
  });
}

async function measureAll(rows: readonly string[]): Promise<Figure[]> {
  console.log(line(["what", "measured", "floor", "result", "target", ""], WIDTHS));
  const all: Figure[] = [];
  for (const row of rows) {
    const figures = await figuresOf(row);
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
  const widths = [NAME_WIDTH, ...Array.from({ length: runs }, () => RESULT_WIDTH), 7, 11, 13, 6];
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
  const names = [...groups.keys()];
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
