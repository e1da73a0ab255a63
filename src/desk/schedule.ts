import type { Need } from "../hub/messages.ts";

/** Prices in a window that is not in front are a background matter: so many times slower. */
const UNFOCUSED = 4;

/**
 * How often the market is to be read for these windows, ms; undefined: not at all. By the window that wants it most: at
 * its setting where an alert waits or prices are on screen in front of a person, slower where the window is not in
 * front, and never where nobody looks: prices hidden, or the person gone from the window for a while.
 */
export function marketIntervalMs(needs: readonly Need[]): number | undefined {
  return shortest(
    needs.map(({ armed, visible, active, focused, intervalMs }) => {
      if (armed) return intervalMs;
      if (!visible || !active) return undefined;
      return focused ? intervalMs : UNFOCUSED * intervalMs;
    }),
  );
}

/** How often the balance is to be read, ms: at its interval while a person is at work in one of these windows, else not at all. */
export function balanceIntervalMs(needs: readonly Need[], intervalMs: number): number | undefined {
  return needs.some(({ focused, active }) => focused && active) ? intervalMs : undefined;
}

function shortest(intervals: readonly (number | undefined)[]): number | undefined {
  const wanted = intervals.filter((ms) => ms !== undefined);
  return wanted.length === 0 ? undefined : Math.min(...wanted);
}
