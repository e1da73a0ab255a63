import type { BalanceFeed } from "../feeds/balanceFeed.ts";
import type { TickerFeed } from "../feeds/tickerFeed.ts";
import type { CurrentVenue } from "../venue.ts";

/** The longest time for which the check of unknown orders runs before prices and balance are read. */
const HEAD_START_MS = 10_000;

/**
 * Call this after the computer slept or its clock was set. At once: all prices count as stale, and nothing is signed
 * before the server's clock is measured again. Then the unknown orders are checked, and last the watched data are read
 * again. Never rejects.
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
  tickers.doubt();
  for (const each of polled) each.pause(HEAD_START_MS);
  // Later, not inside the task or the answer that noticed the sleep.
  await Promise.resolve().then(checkUnknownOrders);
  for (const each of polled) each.resume();
}
