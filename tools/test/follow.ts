import { relative } from "node:path";
import { inspect } from "node:util";
import type Mocha from "mocha";
import { report, type TestEvent, type TestName } from "./events.ts";
import { beginStep, endStep, type Step } from "./step.ts";

interface Options {
  /** How long a test or hook may go without progress on an idle machine, in ms. */
  readonly limitMs: number;
  /** Lets the first failure of a top-level suite end that suite. */
  readonly stories?: Stories | undefined;
  /** The folder from which the files are named. */
  readonly from?: string;
  readonly send?: (event: TestEvent) => void;
}

/** Top-level suites of which each ends with its first failure. */
export interface Stories {
  begin(): void;
  /** Ends the suite of a step, and returns the files that it keeps; undefined if it had ended. */
  fail(step: Mocha.Runnable): readonly string[] | undefined;
  hasFailed(): boolean;
}

/**
 * Reports a run of mocha as it happens. A test that was skipped counts as failed, because none is skipped on purpose.
 * Limits tests by their progress, so mocha must have no timeout of its own.
 */
export function follow(
  mocha: Mocha,
  runner: Mocha.Runner,
  { limitMs, stories, from = process.cwd(), send = report }: Options,
): void {
  const seconds: Record<string, number> = {};
  const nameOf = (test: Mocha.Runnable): TestName => ({
    file: relative(from, test.file ?? "").replaceAll("\\", "/"),
    title: test.fullTitle(),
  });
  const fail = (test: Mocha.Runnable, error: string, kept: readonly string[] = []): void =>
    send({ kind: "failed", failure: { ...nameOf(test), error, kept } });

  const { grep } = mocha.options;
  const tests: TestName[] = [];
  mocha.suite.eachTest((test) => {
    const name = nameOf(test);
    if (!(grep instanceof RegExp) || grep.test(name.title)) tests.push(name);
  });
  send({ kind: "planned", tests });

  let begunAt = 0;
  /** The test whose hooks may be running. */
  let current: Mocha.Runnable | undefined;
  const begin = (step: Mocha.Runnable): void => {
    begunAt = performance.now();
    send({ kind: "begun", test: nameOf(step) });
    beginStep(step as Mocha.Runnable & Step, limitMs);
  };
  const end = (step: Mocha.Runnable): void => {
    endStep();
    const { file } = nameOf(step);
    seconds[file] = (seconds[file] ?? 0) + (performance.now() - begunAt) / 1000;
  };
  runner.on("test", (test) => begin((current = test)));
  runner.on("test end", (test) => (end(test), (current = undefined)));
  runner.on("hook", begin);
  // A test begins before the hooks that run before it.
  runner.on("hook end", (hook) => (end(hook), current && begin(current)));
  runner.on("suite", (suite) => {
    if (suite.parent?.root === true) stories?.begin();
  });
  runner.on("pass", (test) => send({ kind: "passed", test: nameOf(test) }));
  runner.on("fail", (test: Mocha.Runnable, error: unknown) => {
    endStep();
    const kept = stories ? stories.fail(test) : [];
    // After its first failure, a story only cleans up.
    if (kept) fail(test, textOf(error), kept);
  });
  runner.on("pending", (test) => {
    // The steps behind a failed one were not run.
    if (stories?.hasFailed() !== true) fail(test, "Skipped");
  });
  runner.on("end", () => send({ kind: "ended", seconds }));
}

/** An error with its stack and its causes. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  const { stack = String(error), cause } = error;
  return cause === undefined ? stack : `${stack}\nCaused by: ${textOf(cause)}`;
}
