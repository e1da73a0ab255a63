import type { Ticker, TickerChange } from "../../market/ticker.ts";

/** The last known market. A failure keeps the data and sets `problem`. */
export interface MarketState {
  /** Keyed by pair key. */
  readonly tickers: ReadonlyMap<string, Ticker>;
  /** When the newest poll was requested, ms since the epoch. Undefined before the first response. */
  readonly readAt: number | undefined;
  /** Number of unreadable entries in the newest response. */
  readonly unreadable: number;
  /** The error of the newest poll; undefined if it succeeded. */
  readonly problem: unknown;
}

/** A streamed price, and when it arrived, ms since the epoch. */
export interface StreamedPrice {
  readonly ticker: Ticker;
  readonly at: number;
}

/** The changes of the market. */
export interface MarketChange extends TickerChange {
  /** The market became stale or fresh. */
  readonly staleChanged: boolean;
}

/** A poll of the market, newer streamed prices, or the market became stale. */
export interface MarketEvent {
  /** What is shown. */
  readonly state: MarketState;
  /** Only streamed prices changed since the last event. */
  readonly isStreamed: boolean;
  /** Undefined if neither rows nor staleness changed. */
  readonly change: MarketChange | undefined;
  /** The changes of a new poll since the previous one. */
  readonly poll?: PollChange | undefined;
  /** The stream that sent prices has ended. */
  readonly isStreamOver?: boolean;
}

/** The changes of a poll since another one. */
export interface PollChange extends TickerChange {
  readonly since: MarketState["tickers"];
}

/** An update from a source of market data. */
export type MarketUpdate =
  | {
      readonly kind: "poll";
      readonly poll: MarketState;
      /** Polled by this window. */
      readonly isOwn?: boolean;
      readonly change?: PollChange | undefined;
    }
  | { readonly kind: "failure"; readonly problem: unknown }
  | { readonly kind: "prices"; readonly prices: readonly StreamedPrice[] }
  | { readonly kind: "streamOver" };

/**
 * Whether data are older than the shown ones, by the times of their requests. A shown time in the future counts as
 * unknown. Data from the future were requested before the clock was set back, so they count as older.
 */
export function isOlderThan(shownAt: number | undefined, readAt: number | undefined, now: number): boolean {
  if (shownAt === undefined || shownAt > now) return false;
  return readAt === undefined || readAt < shownAt || readAt > now;
}
