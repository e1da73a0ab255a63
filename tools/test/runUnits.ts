import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { VSIX, vsixPath } from "../packageExtension.ts";
import { toolsFolder } from "../paths.ts";
import type { Failure } from "./events.ts";
import { runTasks } from "./schedule.ts";
import { recordSeconds } from "./seconds.ts";
import type { Report } from "./testProcess.ts";
import { stages, type Unit } from "./units.ts";

interface Options {
  readonly print: (text: string) => void;
  /** Printed before the last line. */
  readonly footer: () => string;
  /** Whether to print the log of a unit that passed too. */
  readonly isDetailed?: boolean;
  /** Whether the seconds of the units are those of a usual run, which order the next one. */
  readonly isUsual?: boolean;
  /** How long nothing may be heard of a unit, in ms of an idle machine: longer than any step of a journey. */
  readonly silenceMs?: number;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs units side by side, one more than there are cores, of which at most as many with an editor. Prints each failure
 * when it happens, the log of a unit that failed when it ends, one line for each unit, what did not run, every failure
 * once more, and as the last line "N passed, N failed". Returns the exit code. Ctrl-C ends the run.
 */
export async function runUnits(units: readonly Unit[], options: Options): Promise<number> {
  const { print, footer, isDetailed = false, isUsual = false, silenceMs = 240_000 } = options;
  // The tests use the package that this run builds.
  if (units.some(({ stage }) => stage === "package")) process.env[VSIX] = vsixPath();
  // A run starts hundreds of Node processes that load the same modules. Cached code makes coverage less exact.
  if (process.env["NODE_V8_COVERAGE"] === undefined)
    process.env["NODE_COMPILE_CACHE"] ??= join(toolsFolder, "compile-cache");
  const interruption = new AbortController();
  const { signal } = interruption;
  for (const name of SIGNALS) process.on(name, () => interruption.abort());
  const onFailure = (failure: Failure): void => print(`\n${textOf(failure, failure.kept)}\n`);
  const cores = availableParallelism();
  const ended = new Map<Unit, { readonly report: Report; readonly seconds: number }>();

  const left = await runTasks(units, { workers: cores + 1, editors: cores, signal }, async (unit) => {
    const started = performance.now();
    const report = await unit.run({ signal, onFailure, silenceMs });
    const seconds = (performance.now() - started) / 1000;
    ended.set(unit, { report, seconds });
    const { failures, notRun, output } = report;
    const isGood = failures.length === 0;
    if (isUsual && isGood && notRun.length === 0) recordSeconds({ ...report.seconds, [unit.name]: seconds });
    if ((!isGood || isDetailed) && output.trim() !== "") print(output.trimEnd());
    if (!isGood || unit.stage !== "install")
      print(line(nameOf(unit), report.passed, failures.length, seconds, notRun.length));
    return isGood;
  });

  print("");
  for (const stage of ["install", ...stages]) {
    const own = [...ended].filter(([unit]) => unit.stage === stage).map(([, each]) => each);
    const sum = (of: (each: (typeof own)[number]) => number): number =>
      own.reduce((all, each) => all + of(each), 0);
    const [passed, failed] = [
      sum(({ report }) => report.passed),
      sum(({ report }) => report.failures.length),
    ];
    if (passed + failed > 0)
      print(
        line(
          stage,
          passed,
          failed,
          sum(({ seconds }) => seconds),
        ),
      );
  }
  const reports = [...ended.values()].map(({ report }) => report);
  const failures = reports.flatMap((report) => report.failures);
  const notRun = [...reports.flatMap((report) => report.notRun), ...left.map(nameOf)];
  const passed = reports.reduce((all, report) => all + report.passed, 0);
  if (notRun.length > 0) print(`\nNot run: ${notRun.length}\n  ${notRun.join("\n  ")}`);
  if (failures.length > 0) print("\nFailed:");
  for (const failure of failures) print(`${textOf(failure, failure.kept.filter(existsSync))}\n`);
  print(`\n${footer()}`);
  if (signal.aborted) print("Interrupted.");
  const isEmpty = passed + failures.length === 0 && !signal.aborted;
  if (isEmpty) print("No test ran at all.");
  print(`${passed} passed, ${isEmpty ? 1 : failures.length} failed`);
  return signal.aborted ? 130 : isEmpty || failures.length > 0 ? 1 : 0;
}

function nameOf({ stage, name }: Unit): string {
  return name === stage ? name : `${stage}: ${name}`;
}

function line(name: string, passed: number, failed: number, seconds: number, notRun = 0): string {
  const rest = notRun === 0 ? "" : `, ${notRun} not run`;
  return `${failed === 0 ? "✔" : "✘"} ${name}: ${passed} passed, ${failed} failed${rest} (${seconds.toFixed(1)} s)`;
}

/** A failure with its whole error, indented. */
function textOf({ file, title, error }: Failure, kept: readonly string[]): string {
  const lines = [...error.split("\n"), ...kept.map((path) => `More: ${path}`)];
  return [`✘ ${file}: ${title}`, ...lines.map((text) => `    ${text}`.trimEnd())].join("\n");
}
