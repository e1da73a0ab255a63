import type { BalanceFeed } from "./balanceFeed.ts";
import type { TickerFeed } from "./tickerFeed.ts";
import type { CurrentVenue } from "./venue.ts";

/** What a look at the unknown bids gets ahead of the prices and the balance, at most. */
const HEAD_START_MS = 10_000;

/**
 * The machine slept, or its clock was set. At once: no price passes for fresh, and nothing is signed before the
 * server's clock was measured again. Then the bids that nobody answered are looked after, and last what is watched is
 * read anew. Never rejects.
 */
export async function goOnAfterSleep(parts: {
  readonly venue: CurrentVenue;
  readonly tickers: TickerFeed;
  readonly balances: BalanceFeed;
  /** Looks after the unknown bids whose next look is due. */
  readonly lookAfterBids: () => Promise<void>;
}): Promise<void> {
  const { venue, tickers, balances, lookAfterBids } = parts;
  const polls = [tickers.poll, balances.poll];
  venue.venue?.client.forgetClock();
  tickers.doubt();
  for (const poll of polls) poll.putOff(HEAD_START_MS);
  // Not in the midst of whatever asked for the time.
  await Promise.resolve().then(lookAfterBids);
  for (const poll of polls) if (poll.isRepeating) void poll.restart();
}
