import { MachineTime } from "../../tools/test/machineTime.ts";

/** What a condition gives while it does not hold yet. */
type NotYet = false | undefined | null;

/** How often the time left is looked at, in ms. */
const CHECK_MS = 250;

/**
 * Waits until a condition holds, looking again at short intervals, and returns what it gave; fails by name after the limit, which
 * counts the time that the machine had.
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
      if (time.ms > limitMs) throw new Error(`Waited ${limitMs} ms in vain for: ${what}`);
      nextCheck = performance.now() + CHECK_MS;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
