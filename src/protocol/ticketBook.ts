import type { Side } from "../market/order.ts";

/** The order book in messages to the order ticket. All numbers are decimal text. */

/** A price at which base is offered or wanted. */
export interface FormLevel {
  /** Quote per one base. */
  readonly price: string;
  /** In base. */
  readonly size: string;
  /** An open order of the person has this rate. */
  readonly isOwn: boolean;
}

export interface FormTrade {
  /** ms since the epoch. */
  readonly at: number;
  readonly rate: string;
  /** In base. */
  readonly size: string;
  /** The side of the order that was not in the book before. */
  readonly side: Side;
}

/** The most levels of a side, and the most trades, that the ticket shows. */
export const SHOWN_LEVELS = 15;

/** The order book of the chosen pair. */
export interface FormBook {
  readonly symbol: string;
  /** The best first; at most `SHOWN_LEVELS`. */
  readonly asks: readonly FormLevel[];
  readonly bids: readonly FormLevel[];
  /** The lowest ask minus the highest bid, and the same in percent of the ask; undefined if a side has no offers. */
  readonly spread: { readonly quote: string; readonly percent: string } | undefined;
  /** The newest first; undefined where the exchange tells no trades, or before it did. */
  readonly trades: readonly FormTrade[] | undefined;
  /** Why the book is not the newest one, or that it is still read; "" if all is well. */
  readonly note: string;
  /** The levels are of an earlier reading. */
  readonly isOld: boolean;
  /** The colours of rising and falling prices are swapped. */
  readonly inverted: boolean;
  readonly hourCycle: "h23" | "h12";
}

/** What a draft takes from the book at once, in words. */
export interface FormTaking {
  /** Which part of the order is filled at once. */
  readonly share: string;
  /** The average rate; "" if nothing is filled. */
  readonly average: string;
  /** How far it is from the best offer; "" if nothing is filled. */
  readonly slippage: string;
}
