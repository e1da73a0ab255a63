import { retryTime } from "../../exchange/errors.ts";
import { MAX_LEVELS } from "../../market/book/book.ts";
import type { Watching } from "../venue.ts";
import { balanceIntervalMs, bookIntervalMs, marketIntervalMs } from "../windows/readIntervals.ts";
import { isMissingKey, type BalanceUpdate } from "./balanceFeed.ts";
import type { BookTarget, BookUpdate } from "./bookFeed.ts";
import { Polled, type PolledOptions } from "./polled.ts";
import type { MarketUpdate } from "./marketState.ts";

/** The ports of all polled sources. */
export type PolledPorts = Pick<
  PolledOptions<unknown, unknown>,
  "windows" | "venue" | "timers" | "random" | "checkWake"
>;

const BALANCE_INTERVAL_MS = 30_000;
/** Number of trades requested with a book. */
const TRADES = 30;

/** All tickers, at the configured interval while prices are visible or needed in some window. */
export function polledTickers(ports: PolledPorts): Polled<Watching, MarketUpdate> {
  const { venue: current, windows } = ports;
  return new Polled<Watching, MarketUpdate>({
    ...ports,
    subject: "market",
    intervalMs: () => marketIntervalMs(windows.demandsFor("market")),
    // Even if no prices are visible: the status bar shows the main quote asset.
    readsOnce: () => windows.demandsFor("market").some(({ active }) => active),
    read: async (target, round) => {
      // The venue may have been reopened at a new address.
      const venue = current.venue ?? target;
      const { tickers, unreadable } = await current.read(venue, (client) => client.tickers(round.gate));
      const poll = { tickers, unreadable, readAt: round.sentAt, problem: undefined };
      return { update: { kind: "poll", poll, isOwn: true }, ok: true };
    },
    failed: (problem) => ({ update: { kind: "failure", problem }, ok: false, retryAt: retryTime(problem) }),
  });
}

/** The wallet: at long intervals, and at once after an order or on request. */
export function polledBalance(ports: PolledPorts): Polled<Watching, BalanceUpdate> {
  const { venue: current, windows } = ports;
  return new Polled<Watching, BalanceUpdate>({
    ...ports,
    subject: "balance",
    intervalMs: () => balanceIntervalMs(windows.demandsFor("balance"), BALANCE_INTERVAL_MS),
    read: async (_, round) => {
      const signedIn = await current.signIn("wallet");
      const wallet = await current.read(signedIn, (client) => client.wallet(round.gate));
      return { update: { wallet, readAt: round.sentAt, problem: undefined }, ok: true };
    },
    failed: (problem) => ({ update: { problem }, ok: isMissingKey(problem), retryAt: retryTime(problem) }),
  });
}

/** The book and trades of one pair: at most one request each per second, fewer while the window is not in front. */
export function polledBook(ports: PolledPorts): Polled<BookTarget, BookUpdate> {
  const { venue, windows } = ports;
  return new Polled<BookTarget, BookUpdate>({
    ...ports,
    offers: ({ client }) => client.capabilities.depth !== undefined,
    intervalMs: () => bookIntervalMs(windows.demand),
    read: async (target, { gate, sentAt: at }) => {
      const { named } = target;
      const [depth, trades] = await Promise.all([
        settled(
          venue.read(target.venue, async ({ capabilities }) =>
            capabilities.depth?.({ ...named, levels: MAX_LEVELS }, gate),
          ),
        ),
        settled(
          venue.read(target.venue, async ({ capabilities }) =>
            capabilities.trades?.({ ...named, count: TRADES }, gate),
          ),
        ),
      ]);
      const errors = [depth, trades].flatMap((part) => (part && "error" in part ? [part.error] : []));
      const retryAt = errors.map(retryTime).find((time) => time !== undefined);
      // If trades could not be read, the earlier ones stay: they show their times.
      const update = {
        at,
        ...(depth && { depth }),
        ...(trades && !("error" in trades) && { trades }),
      };
      return { update, ok: depth === undefined || !("error" in depth), retryAt };
    },
    failed: (error) => ({ update: { at: ports.timers.now(), depth: { error } }, ok: false }),
  });
}

async function settled<T>(request: Promise<T>): Promise<T | { readonly error: unknown }> {
  try {
    return await request;
  } catch (error) {
    return { error };
  }
}
