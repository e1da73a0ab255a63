import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { VSIX, vsixPath } from "../packageExtension.ts";
import { toolsFolder } from "../paths.ts";
import { runTasks } from "./schedule.ts";
import { recordSeconds } from "./seconds.ts";
import type { Failure, Report } from "./tally.ts";
import type { Run, Unit } from "./units.ts";

interface Options {
  readonly print: (text: string) => void;
  /** Whether to print the titles of tests that pass. */
  readonly isDetailed?: boolean;
  /** Whether the units are whole, so that their seconds are kept for the next run. */
  readonly isWhole?: boolean;
  readonly silenceMs?: Run["silenceMs"];
}

/** A unit that ran, with its report. */
interface Ran {
  readonly unit: Unit;
  readonly report: Report;
  readonly seconds: number;
}

/** The result of a run. */
export interface Result {
  readonly ran: readonly Ran[];
  readonly failures: readonly Failure[];
  /** Units, files and tests that did not run. */
  readonly notRun: readonly string[];
  readonly isInterrupted: boolean;
}

/**
 * Runs units side by side, one more than there are cores, of which at most as many with an editor. Prints each failure
 * when it happens, the log of a unit that failed when it ends, and one line for each unit. Ctrl-C ends the run.
 */
export async function runUnits(
  units: readonly Unit[],
  { print, isDetailed = false, isWhole = false, silenceMs }: Options,
): Promise<Result> {
  // The tests use the package that this run builds.
  if (units.some(({ stage }) => stage === "package")) process.env[VSIX] = vsixPath();
  // A run starts hundreds of Node processes that load the same modules. Cached code makes coverage less exact.
  if (process.env["NODE_V8_COVERAGE"] === undefined)
    process.env["NODE_COMPILE_CACHE"] ??= join(toolsFolder, "compile-cache");
  const interruption = new AbortController();
  const { signal } = interruption;
  const interrupt = (): void => interruption.abort();
  for (const name of SIGNALS) process.on(name, interrupt);
  const ran: Ran[] = [];
  const cores = availableParallelism();
  const left = await runTasks(units, { workers: cores + 1, editors: cores, signal }, async (unit) => {
    const started = performance.now();
    const report = await unit.run({
      signal,
      onFailure: (failure) => {
        print(`\n✘ ${failureText(failure)}\n`);
      },
      ...(silenceMs !== undefined && { silenceMs }),
    });
    const seconds = (performance.now() - started) / 1000;
    ran.push({ unit, report, seconds });
    if (isWhole && !signal.aborted && report.notRun.length === 0)
      recordSeconds(unit.name, seconds, report.seconds);
    const isFailed = report.failures.length > 0;
    if ((isFailed || isDetailed) && report.output.trim() !== "") print(report.output.trimEnd());
    if (isFailed || unit.stage !== "install")
      print(`${isFailed ? "✘" : "✔"} ${labelOf(unit)}: ${counts(report)} (${seconds.toFixed(1)} s)`);
    return !isFailed;
  });
  for (const name of SIGNALS) process.off(name, interrupt);
  return {
    ran,
    failures: ran.flatMap(({ report }) => report.failures),
    notRun: [...ran.flatMap(({ report }) => report.notRun), ...left.map(labelOf)],
    isInterrupted: signal.aborted,
  };
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function labelOf({ stage, name }: Unit): string {
  return name === stage ? name : `${stage}: ${name}`;
}

function counts({ passed, failures, notRun }: Report): string {
  const parts = [`${passed} passed`];
  if (failures.length > 0) parts.push(`${failures.length} failed`);
  if (notRun.length > 0) parts.push(`${notRun.length} not run`);
  return parts.join(", ");
}

function failureText({ file, title, error, kept }: Failure): string {
  const lines = [...error.split("\n"), ...kept.map((path) => `Shows more: ${path}`)];
  return [`${file}: ${title}`, ...lines.map((line) => (line === "" ? "" : `    ${line}`))].join("\n");
}

/** Prints what did not run, every failure once more, and as the last line "N passed, N failed". Returns the exit code. */
export function printSummary(
  { ran, failures, notRun, isInterrupted }: Result,
  given: {
    readonly stages: readonly string[];
    readonly footer: string;
    readonly print: (text: string) => void;
  },
): number {
  const { stages, footer, print } = given;
  print("");
  for (const stage of stages) {
    const own = ran.filter(({ unit }) => unit.stage === stage);
    if (own.length === 0) continue;
    const sum = (of: (each: Ran) => number): number => own.reduce((total, each) => total + of(each), 0);
    const failed = sum(({ report }) => report.failures.length);
    const passed = sum(({ report }) => report.passed);
    const seconds = sum((each) => each.seconds).toFixed(1);
    print(`${failed === 0 ? "✔" : "✘"} ${stage}: ${passed} passed, ${failed} failed (${seconds} s)`);
  }
  const passed = ran.reduce((total, { report }) => total + report.passed, 0);
  if (notRun.length > 0)
    print(`\nNot run: ${notRun.length}\n${notRun.map((name) => `  ${name}`).join("\n")}`);
  if (failures.length > 0) print("\nFailed:");
  for (const failure of failures)
    print(`✘ ${failureText({ ...failure, kept: failure.kept.filter((path) => existsSync(path)) })}\n`);
  const isEmpty = passed + failures.length === 0;
  print(`\n${footer}`);
  if (isInterrupted) print("Interrupted.");
  else if (isEmpty) print("No test ran at all.");
  print(`${passed} passed, ${isEmpty && !isInterrupted ? 1 : failures.length} failed`);
  if (isInterrupted) return 130;
  return isEmpty || failures.length > 0 ? 1 : 0;
}
