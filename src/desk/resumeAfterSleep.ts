import type { BalanceFeed } from "./feeds/balanceFeed.ts";
import type { TickerFeed } from "./feeds/tickerFeed.ts";
import type { CurrentVenue } from "./venue.ts";

/** How long prices and balance wait for the check of unknown orders. */
const HEAD_START_MS = 10_000;

/**
 * Call after the computer slept or its clock was set. Prices become stale at once, and nothing is signed before the
 * server's clock is measured again. Then unknown orders are checked, and finally visible data are polled. Never
 * rejects.
 */
export async function resumeAfterSleep(parts: {
  readonly venue: CurrentVenue;
  readonly tickers: TickerFeed;
  readonly balances: BalanceFeed;
  /** Checks the unknown orders whose next check is due. */
  readonly checkUnknownOrders: () => Promise<void>;
}): Promise<void> {
  const { venue, tickers, balances, checkUnknownOrders } = parts;
  const polled = [tickers.polled, balances.polled];
  venue.venue?.client.forgetClock();
  tickers.markStale();
  for (const each of polled) each.pause(HEAD_START_MS);
  // Deferred, because the caller is the task or response that noticed the sleep.
  await Promise.resolve().then(checkUnknownOrders);
  for (const each of polled) each.resume();
}
