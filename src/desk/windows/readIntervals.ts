import type { Need } from "../../hub/protocol.ts";

/** A window that is not in front, or that the person left for a while, reads slower by this factor. */
const SLOWER = 4;

/**
 * The interval of market readings for these windows, in ms; undefined: no readings. The most demanding window
 * decides. It reads at its setting if an alert is on or if prices are visible in front of a person, and slower if the
 * window is not in front or the person is away. Visible prices are always read, hidden prices are not.
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
 * The interval of balance readings, in ms; undefined: no readings. Every window shows the balance in its status bar,
 * so one window with a person at work is enough. A window that is not in front or was left counts only if Bidside is
 * visible in it.
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
