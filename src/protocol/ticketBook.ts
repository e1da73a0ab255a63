import type { Side } from "../market/order.ts";

/** The order book in messages to the order ticket. All numbers are decimal text. */

export interface FormLevel {
  /** Quote per base. */
  readonly price: string;
  /** In base. */
  readonly size: string;
  /** The user has an open order at this rate. */
  readonly isOwn: boolean;
}

export interface FormTrade {
  /** Ms since the epoch. */
  readonly at: number;
  readonly rate: string;
  /** In base. */
  readonly size: string;
  /** Side of the taker. */
  readonly side: Side;
}

/** Maximum levels per side, and maximum trades, that the ticket shows. */
export const SHOWN_LEVELS = 15;

export interface FormBook {
  readonly symbol: string;
  /** Best first; at most `SHOWN_LEVELS`. */
  readonly asks: readonly FormLevel[];
  readonly bids: readonly FormLevel[];
  /** Lowest ask minus highest bid, also in percent of the ask; undefined if a side is empty. */
  readonly spread: { readonly quote: string; readonly percent: string } | undefined;
  /** Newest first; undefined if the exchange reports no trades, or has not yet. */
  readonly trades: readonly FormTrade[] | undefined;
  /** Why the book is out of date or still loading; "" if all is well. */
  readonly note: string;
  readonly isOld: boolean;
  readonly hourCycle: "h23" | "h12";
}

/** What the draft would take from the book immediately, as text. */
export interface FormBookFill {
  /** Share of the order that is filled. */
  readonly share: string;
  /** Average rate; "" if nothing is filled. */
  readonly average: string;
  /** Distance from the best offer; "" if nothing is filled. */
  readonly slippage: string;
}
