import { killLeaders } from "../support/processes/failover.ts";
import { durationFigure, type Figure } from "./measure.ts";

const INTERVAL_MS = 400;
const TAKEOVERS = 20;
const MAX_MS = 2000;

/** How long no window asks after the one that asked was killed. */
export async function takeoverFigure(): Promise<Figure> {
  const { longestMs, doubles } = await killLeaders(TAKEOVERS, INTERVAL_MS);
  if (doubles.length > 0) throw new Error("An interval was polled twice.");
  return durationFigure(
    `takeover after kill -9 of the window that asks, longest of ${TAKEOVERS} (floor: the interval)`,
    { ms: longestMs, floor: INTERVAL_MS, most: MAX_MS },
  );
}
