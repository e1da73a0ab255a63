import { join } from "node:path";
import { toolsFolder } from "../paths.ts";
import type { Stories } from "./follow.ts";
import { withLimit } from "./step.ts";

/**
 * A story is one top-level `describe` of a journey. Its steps build on each other, so none is run behind the first
 * that fails.
 */

/** Timeout of a Playwright action, in ms. The step of the action ends before. */
export const LONGEST_ACTION_MS = 30 * 60_000;

/** Actions that may take longer than a step may go without progress, each with its limit in ms. */
const budgets = {
  /** Installs the extension, starts a server and a browser, and loads the first window. */
  "open an editor": 90_000,
  /** Starts another extension host. */
  "load a window": 45_000,
  "restart the server": 60_000,
  /** Bidside considers the user inactive after a minute without input. */
  "be away": 150_000,
  /** Builds the extension, then opens an editor. */
  "start from the command line": 120_000,
} as const;

export type Budget = keyof typeof budgets;

/** Runs an action with its longer limit from `budgets`, then restores the step's usual one. */
export function within<T>(budget: Budget, work: () => Promise<T>): Promise<T> {
  return withLimit(budgets[budget], work);
}

/** The part of mocha's tests and hooks that is used here. */
interface Step {
  readonly parent?: Suite | undefined;
  pending?: boolean;
  readonly state?: string | undefined;
  fullTitle(): string;
}

interface Suite {
  readonly root: boolean;
  readonly parent?: Suite | undefined;
  readonly tests: readonly Step[];
  suites: Suite[];
}

let picture: string | undefined;

/** Path for a screenshot of the story's failure; undefined while nothing has failed. */
export function pictureOfFailure(): string | undefined {
  return picture;
}

/** Folder for the editor's logs, beside the screenshot. */
export function logsBeside(file: string): string {
  return file.replace(/\.png$/, "-logs");
}

/** What ends a story at its first failure. */
export const stories: Stories = {
  begin: () => (picture = undefined),
  fail,
  hasFailed: () => picture !== undefined,
};

/**
 * Ends the story of a failed step, and returns what the story keeps: the picture and the editor's logs. Undefined if
 * the story had failed before.
 */
function fail(failed: Step): readonly string[] | undefined {
  if (picture !== undefined) return undefined;
  const story = storyOf(failed);
  const left = stepsOf(story).filter((other) => other !== failed && other.state === undefined);
  for (const other of left) other.pending = true;
  if (story) dropParts(story, new Set(left));
  picture = join(
    toolsFolder,
    "screenshots",
    `failed-${failed.fullTitle().replace(/\W+/g, "-").slice(0, 100)}.png`,
  );
  return [picture, logsBeside(picture)];
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
