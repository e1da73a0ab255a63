import { errors, type Locator } from "playwright-core";
import { waitFor } from "../../support/waitFor.ts";

/** Time in ms for what an action leads to. Then the editor has lost the action. */
export const TRY_MS = 5000;

/** An editor that loses as many actions in a row has another fault. */
const MAX_TRIES = 6;

/** Actions that the editor lost since the last report, by name. */
const lost = new Map<string, number>();

/**
 * Acts, and again if `act` returns nothing or is late: the editor loses a click on a row that it paints, a key while the focus moves, and
 * a pick that opens while something else takes the focus. A person sees that, and does it again. Each lost action is counted.
 */
export async function until<T>(what: string, act: () => Promise<T | false | undefined>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const result = await unlessLate(act);
    if (result !== undefined && result !== false) return result;
    lost.set(what, (lost.get(what) ?? 0) + 1);
  }
  throw new Error(`Done ${MAX_TRIES} times without effect: ${what}`);
}

/** What an action leads to: something on screen, or a condition. */
export type There = Locator | (() => Promise<boolean>);

/** Acts until `there` is so. An action that was late, for example because its row is gone, may have had its effect before. */
export function untilShown(what: string, act: () => Promise<unknown>, there: There): Promise<true> {
  return until(what, async () => {
    await unlessLate(act);
    return await waitFor(what, () => isSo(there), TRY_MS).catch(() => false as const);
  });
}

export async function isSo(there: There): Promise<boolean> {
  return await (typeof there === "function" ? there() : there.first().isVisible());
}

/** Prints which actions were repeated since the last call, and how often. */
export function reportRepeats(): void {
  const counts = [...lost].map(([what, count]) => `${what} ${count}×`);
  lost.clear();
  console.log(`    Lost by the editor and done again: ${counts.join(", ") || "nothing"}`);
}

async function unlessLate<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof errors.TimeoutError) return undefined;
    throw error;
  }
}
