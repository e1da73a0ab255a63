import { MachineTime } from "../../tools/test/machineTime.ts";

/** The result of a condition that does not hold yet. */
type NotYet = false | undefined | null;

/** The interval of checks, in ms. */
const CHECK_MS = 250;

/**
 * Waits until a condition holds, with checks at short intervals, and returns its result. Fails by name after the limit,
 * which counts the time that the computer had.
 */
export async function waitFor<T>(
  what: string,
  condition: () => T | NotYet | Promise<T | NotYet>,
  limitMs = 10_000,
): Promise<Exclude<T, NotYet>> {
  const time = new MachineTime();
  let nextCheck = performance.now() + Math.min(CHECK_MS, limitMs);
  for (;;) {
    const value = await condition();
    if (value !== false && value !== undefined && value !== null) return value as Exclude<T, NotYet>;
    if (performance.now() > nextCheck) {
      if (time.ms > limitMs) throw new Error(`Waited ${limitMs} ms without success for: ${what}`);
      nextCheck = performance.now() + CHECK_MS;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
