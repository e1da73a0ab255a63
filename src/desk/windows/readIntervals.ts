import type { WindowDemand } from "../../hub/protocol.ts";

/** A book changes many times a second, but exchanges of this family answer ten requests for one at most. */
const BOOK_MS = 1000;
/** A window that is not in front, or that the person left for a while, reads slower by this factor. */
const SLOWER = 4;
/** While a person places an order, prices are never older than this, so that the check after the confirmation needs no request. */
const ORDERING_MS = 5000;

/**
 * The interval of market readings for these windows, in ms; undefined: no readings. The most demanding window
 * decides. It reads at its setting if an alert is on or if prices are visible in front of a person, and slower if the
 * window is not in front or the person is away. Visible prices are always read, hidden prices are not. While a person
 * places an order, it reads at least every 5 s.
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
 * The interval of balance readings, in ms; undefined: no readings. Every window shows the balance in its status bar,
 * so one window with a person at work is enough. A window that is not in front or was left counts only if Bidside is
 * visible in it.
 */
export function balanceIntervalMs(demands: readonly WindowDemand[], intervalMs: number): number | undefined {
  return shortest(
    demands.map((demand) => (isAtWork(demand) || demand.visible ? paced(demand, intervalMs) : undefined)),
  );
}

/** The interval of readings of the book that is visible in this window, in ms. */
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
