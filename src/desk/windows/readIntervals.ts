import type { WindowDemand } from "../../hub/protocol.ts";

/** A book changes many times a second, but these exchanges allow ten book requests per second. */
const BOOK_MS = 1000;
/** Factor by which a window polls less often while it is not in front or the user is inactive. */
const SLOWER = 4;
/** Maximum interval while an order is being placed, so that the check after the confirmation needs no request. */
const ORDERING_MS = 5000;

/**
 * The market poll interval for these windows, in ms; undefined if none needs prices. The most demanding window decides:
 * at its setting if an alert is on or prices are visible in front of an active user, and less often if the window is
 * not in front or the user is inactive. While an order is being placed, at least every 5 s.
 */
export function marketIntervalMs(demands: readonly WindowDemand[]): number | undefined {
  return shortest(
    demands.map((demand) => {
      if (demand.ordering) return Math.min(demand.intervalMs, ORDERING_MS);
      if (demand.armed) return demand.intervalMs;
      return demand.visible ? paced(demand, demand.intervalMs) : undefined;
    }),
  );
}

/**
 * The balance poll interval, in ms; undefined if no window needs it. Every window shows the balance in its status bar,
 * so one window with an active user is enough. Other windows count only if Bidside is visible in them.
 */
export function balanceIntervalMs(demands: readonly WindowDemand[], intervalMs: number): number | undefined {
  return shortest(
    demands.map((demand) => (isAtWork(demand) || demand.visible ? paced(demand, intervalMs) : undefined)),
  );
}

/** The poll interval of the book that is visible in this window, in ms. */
export function bookIntervalMs(demand: WindowDemand): number {
  return paced(demand, BOOK_MS);
}

function isAtWork({ focused, active }: WindowDemand): boolean {
  return focused && active;
}

function paced(demand: WindowDemand, intervalMs: number): number {
  return isAtWork(demand) ? intervalMs : SLOWER * intervalMs;
}

function shortest(intervals: readonly (number | undefined)[]): number | undefined {
  const wanted = intervals.filter((ms) => ms !== undefined);
  return wanted.length === 0 ? undefined : Math.min(...wanted);
}
