import { existsSync } from "node:fs";
import { join } from "node:path";
import { toolsFolder } from "../paths.ts";
import { firstLine, type Outcome } from "./outcome.ts";

/**
 * A story is one top-level `describe` of a journey. Its steps build on each other, so the first failure skips all later
 * steps, and is reported in one line.
 */

/** Maximum time without progress in a step, in ms. `within` allows more for the named actions below. */
const STEP_MS = 20_000;

/** Timeout of one Playwright action, in ms. The action's step ends first. */
export const LONGEST_ACTION_MS = 60_000;

/** Timeout for the workbench to offer a standard entry, in ms. Less than that of a step. */
export const ACTION_MS = 12_000;

/** Actions that may take longer than a step may go without progress, each with its limit in ms. */
const budgets = {
  /** Installs the extension, starts a server and a browser, and loads the first window. */
  "open an editor": 90_000,
  /** Starts another extension host. */
  "load a window": 45_000,
  "restart the server": 60_000,
  /** A rate limit of an exchange, which the ticket counts down. */
  "sit out a pause": 60_000,
  /** Bidside looks up an order that has left all lists for a minute. */
  "see an order vanish": 90_000,
  /** Bidside considers the user inactive after a minute without input. */
  "be away": 150_000,
  /** axe checks every element of a page, of which a table of 720 rows is the largest. */
  "look with axe": 45_000,
  /** Builds the extension, then opens an editor. */
  "start from the command line": 120_000,
} as const;

export type Budget = keyof typeof budgets;

/** The part of mocha's tests and hooks that is used here. */
interface Step {
  readonly parent?: Suite | undefined;
  pending?: boolean;
  timedOut?: boolean;
  readonly state?: string | undefined;
  /** Ends the step with an error, as mocha's own timeout does. */
  callback?(error: Error): void;
  fullTitle(): string;
}

interface Suite {
  readonly root: boolean;
  readonly parent?: Suite | undefined;
  readonly tests: readonly Step[];
  readonly suites: Suite[];
}

interface Runner {
  on(
    event: "test" | "test end" | "hook" | "hook end" | "pass" | "pending",
    listener: (step: Step) => void,
  ): unknown;
  on(event: "fail", listener: (step: Step, error: Error) => void): unknown;
  on(event: "suite", listener: (suite: Suite) => void): unknown;
}

let step: Step | undefined;
let longestMs: number = STEP_MS;
let allowedMs: number = STEP_MS;
let hang: NodeJS.Timeout | undefined;
/** The Playwright action that started last, if it is still running. */
let action: string | undefined;
let picture: string | undefined;

/** Path for a screenshot of the story's failure; undefined while nothing has failed. */
export function pictureOfFailure(): string | undefined {
  return picture;
}

/** Restarts the step's timeout. */
function progress(): void {
  clearTimeout(hang);
  const [hung, ms] = [step, allowedMs];
  // Mocha's own timeout cannot do this, because it covers the step's whole duration.
  const end = (): void => {
    hung?.callback?.(
      new Error(`Nothing happened for ${ms} ms${action === undefined ? "" : ` in ${action}`}`),
    );
    // As mocha does on a timeout, so that a later end of the step is not a second failure.
    if (hung) hung.timedOut = true;
  };
  if (hung) hang = setTimeout(end, ms);
}

/** Runs an action with its longer limit from `budgets`, then restores the step's usual one. */
export async function within<T>(budget: Budget, work: () => Promise<T>): Promise<T> {
  const before = allowedMs;
  allowedMs = budgets[budget];
  progress();
  try {
    return await work();
  } finally {
    allowedMs = before;
    progress();
  }
}

/**
 * Makes each completed action of a Playwright class count as progress of its step. `example` is any object of the
 * class.
 */
export function countActions(example: object): void {
  const prototype = Object.getPrototypeOf(example) as Record<string, unknown>;
  if (counted.has(prototype)) return;
  counted.add(prototype);
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
    if (typeof method !== "function" || name === "constructor") continue;
    prototype[name] = function (this: unknown, ...given: unknown[]): unknown {
      const result = (method as (...all: unknown[]) => unknown).apply(this, given);
      if (!(result instanceof Promise)) return result;
      const begun = `${String(this)} ${name}(${typeof given[0] === "string" ? given[0] : ""})`;
      action = begun;
      const end = (): void => {
        if (action === begun) action = undefined;
      };
      void result.then(() => (end(), progress()), end);
      return result;
    };
  }
}
const counted = new WeakSet<object>();

/**
 * Counts the results of a mocha run of stories. The returned function returns the outcome so far. `stepMs`: maximum
 * time without progress in a step.
 */
export function followStories(runner: Runner, stepMs: number = STEP_MS): () => Outcome {
  longestMs = stepMs;
  let passed = 0;
  const failures: (() => string)[] = [];
  for (const event of ["test", "hook"] as const) {
    runner.on(event, (begun) => {
      step = begun;
      allowedMs = longestMs;
      progress();
    });
    runner.on(`${event} end`, () => {
      step = undefined;
      clearTimeout(hang);
    });
  }
  runner.on("suite", ({ parent }) => {
    if (parent?.root === true) picture = undefined;
  });
  runner.on("pass", () => {
    passed += 1;
  });
  runner.on("pending", (skipped) => {
    if (picture === undefined) failures.push(() => `${skipped.fullTitle()}: skipped`);
  });
  runner.on("fail", (failed, error) => {
    // After its first failure, a story only cleans up.
    if (picture !== undefined) return;
    const story = storyOf(failed);
    const left = stepsOf(story).filter((other) => other !== failed && other.state === undefined);
    for (const other of left) other.pending = true;
    if (story) dropParts(story, new Set(left));
    const file = pictureFile(failed.fullTitle());
    picture = file;
    const notRun = left.length === 0 ? "" : ` Later steps not run: ${left.length}.`;
    failures.push(
      () =>
        `${failed.fullTitle()}: ${firstLine(error).replace(/\.$/, "")}.${notRun}` +
        (existsSync(file) ? ` Picture: ${file}` : ""),
    );
  });
  return () => ({ passed, failed: failures.length, failures: failures.map((failure) => failure()) });
}

function storyOf(of: Step): Suite | undefined {
  let suite = of.parent;
  while (suite?.parent !== undefined && !suite.parent.root) suite = suite.parent;
  return suite;
}

function stepsOf(suite: Suite | undefined): Step[] {
  return suite === undefined ? [] : [...suite.tests, ...suite.suites.flatMap(stepsOf)];
}

/**
 * Removes the parts of a story whose steps are all skipped, because their hooks would still run, and change what the
 * screenshot shows.
 */
function dropParts(suite: Suite, left: ReadonlySet<Step>): void {
  const begun = suite.suites.filter((part) => stepsOf(part).some((step) => !left.has(step)));
  suite.suites.splice(0, suite.suites.length, ...begun);
  for (const part of begun) dropParts(part, left);
}

function pictureFile(title: string): string {
  return join(toolsFolder, "screenshots", `failed-${title.replace(/\W+/g, "-").slice(0, 100)}.png`);
}
