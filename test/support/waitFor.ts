import { startLimit } from "../../tools/test/machineSpeed.ts";

/** The value of a condition that is not met yet. */
type NotYet = false | undefined | null;

/** Shortest and longest pause between checks, in ms. */
const [SHORTEST_MS, LONGEST_MS] = [5, 50];

/**
 * Waits until a condition is met, and returns its value. The pause between checks is a twentieth of the time waited so far,
 * within bounds: checking an editor costs several ms in four processes. Fails with the given name after the limit, in ms of an
 * idle machine, if a last check finds the condition not met.
 */
export async function waitFor<T>(
  what: string,
  condition: () => T | NotYet | Promise<T | NotYet>,
  limitMs = 10_000,
): Promise<Exclude<T, NotYet>> {
  const started = performance.now();
  let isLate = false;
  const cancel = startLimit(limitMs, () => (isLate = true));
  try {
    for (;;) {
      const isLast = isLate;
      const value = await condition();
      if (value !== false && value !== undefined && value !== null) return value as Exclude<T, NotYet>;
      const waitedMs = performance.now() - started;
      if (isLast) throw new Error(`Waited ${Math.round(waitedMs)} ms without success for: ${what}`);
      const pauseMs = Math.min(Math.max(waitedMs / 20, SHORTEST_MS), LONGEST_MS);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  } finally {
    cancel();
  }
}
