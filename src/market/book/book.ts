import type { Decimal } from "../numbers/decimal.ts";
import { isWorse, type Side } from "../order.ts";

/** Price in quote per one base, size in base. */
export interface BookLevel {
  readonly price: Decimal;
  readonly size: Decimal;
}

/** What an exchange told of a book, unchecked. */
export interface Depth {
  readonly asks: readonly BookLevel[];
  readonly bids: readonly BookLevel[];
  /** How many levels were left out. */
  readonly unreadable: number;
}

/** The offers to sell and to buy of a pair, the best first on both sides. Only `readBook` makes one. */
export interface Book extends Pick<Depth, "asks" | "bids"> {
  /** The lowest ask minus the highest bid, in quote; undefined if a side has no offers. */
  readonly spread: Decimal | undefined;
}

/**
 * Why a book is refused: it has no offers, its best bid is not below its best ask, or it is odd. Odd is a level that could
 * not be read, that is not above zero, or that is no worse than the level before it: sums over such a book are wrong.
 */
export type BookFault = "empty" | "crossed" | "odd";

/** The most levels that are asked for and counted on each side. */
export const MOST_LEVELS = 100;

/** A book that sums can be made of, or why there is none. */
export function readBook({ asks, bids, unreadable }: Depth): Book | BookFault {
  if (unreadable > 0 || !isOrdered(asks, "buy") || !isOrdered(bids, "sell")) return "odd";
  const [ask, bid] = [asks[0], bids[0]];
  if (!ask && !bid) return "empty";
  const spread = ask && bid && ask.price.minus(bid.price);
  if (spread?.lte("0")) return "crossed";
  return { asks: asks.slice(0, MOST_LEVELS), bids: bids.slice(0, MOST_LEVELS), spread };
}

/** The offers that an order of a side may be filled with: asks for a bid, bids for an ask. */
export function offersTo(side: Side, { asks, bids }: Pick<Depth, "asks" | "bids">): readonly BookLevel[] {
  return side === "buy" ? asks : bids;
}

function isOrdered(levels: readonly BookLevel[], side: Side): boolean {
  return levels.every(({ price, size }, index) => {
    const before = levels[index - 1];
    return price.gt("0") && size.gt("0") && (!before || isWorse(price, before.price, side));
  });
}
