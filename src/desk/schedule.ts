import type { Need } from "../hub/messages.ts";

/** What is on screen in a window that is not in front, or that the person has left for a while, is read so many times slower. */
const SLOWER = 4;

/**
 * How often the market is to be read for these windows, ms; undefined: not at all. The window that wants it most decides:
 * at its setting where an alert waits, or where prices are on screen in front of a person; slower where the window is not
 * in front or the person is away. What can be seen never stops, and what is hidden is not read.
 */
export function marketIntervalMs(needs: readonly Need[]): number | undefined {
  return shortest(
    needs.map((need) => {
      if (need.armed) return need.intervalMs;
      return need.visible ? paced(need, need.intervalMs) : undefined;
    }),
  );
}

/**
 * How often the balance is to be read, ms; undefined: not at all. It is in the status bar of every window, so a person at
 * work in one of them is enough; for a window that is not in front or left, Bidside must be on screen in it.
 */
export function balanceIntervalMs(needs: readonly Need[], intervalMs: number): number | undefined {
  return shortest(
    needs.map((need) => (isAtWork(need) || need.visible ? paced(need, intervalMs) : undefined)),
  );
}

function isAtWork({ focused, active }: Need): boolean {
  return focused && active;
}

function paced(need: Need, intervalMs: number): number {
  return isAtWork(need) ? intervalMs : SLOWER * intervalMs;
}

function shortest(intervals: readonly (number | undefined)[]): number | undefined {
  const wanted = intervals.filter((ms) => ms !== undefined);
  return wanted.length === 0 ? undefined : Math.min(...wanted);
}
