import { report } from "./events.ts";
import { startLimit } from "./machineSpeed.ts";

/** A test or hook that runs: the part of mocha's that is used here. */
export interface Step {
  timedOut?: boolean;
  /** Ends it with an error, as mocha's own timeout does. */
  callback?(error: Error): void;
}

/** How often a step that goes on is reported, in ms. */
const REPORT_MS = 10_000;

let step: Step | undefined;
let limitMs = 0;
let cancel = (): void => undefined;
/** The Playwright action that started last, if it is still running. */
let action: string | undefined;
let reportedAt = 0;

/**
 * Begins a step, which fails if it makes no progress for `ms` on an idle machine. Mocha's own timeout cannot do this,
 * because it covers the whole step, by the wall clock.
 */
export function beginStep(begun: Step, ms: number): void {
  step = begun;
  limitMs = ms;
  restart();
}

export function endStep(): void {
  step = undefined;
  cancel();
}

/** Notes that the running step goes on, such as with its next round. */
export function progress(): void {
  restart();
  if (performance.now() - reportedAt < REPORT_MS) return;
  reportedAt = performance.now();
  report({ kind: "progress" });
}

/** Runs a part of the step that may take longer without progress: `ms` on an idle machine. */
export async function withLimit<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const before = limitMs;
  limitMs = ms;
  progress();
  try {
    return await work();
  } finally {
    limitMs = before;
    progress();
  }
}

function restart(): void {
  cancel();
  if (step) cancel = startLimit(limitMs, hangs(step, performance.now()));
}

function hangs(hung: Step, since: number): () => void {
  return () => {
    const seconds = Math.round((performance.now() - since) / 1000);
    hung.callback?.(new Error(`No progress for ${seconds} s${action === undefined ? "" : ` in ${action}`}`));
    // As mocha does on a timeout, so that a later end of the step is not a second failure.
    hung.timedOut = true;
  };
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
