import type { Decimal } from "../numbers/decimal.ts";
import { isWorse, type Side } from "../order.ts";

/** Price in quote per base, size in base. */
export interface BookLevel {
  readonly price: Decimal;
  readonly size: Decimal;
}

/** An order book as reported by the exchange, unvalidated. */
export interface Depth {
  readonly asks: readonly BookLevel[];
  readonly bids: readonly BookLevel[];
  /** Number of skipped levels. */
  readonly unreadable: number;
}

/** A validated order book, best levels first on both sides. Created only by `readBook`. */
export interface Book extends Pick<Depth, "asks" | "bids"> {
  /** Lowest ask minus highest bid, in quote; undefined if a side is empty. */
  readonly spread: Decimal | undefined;
}

/**
 * Why a book is rejected: it is empty, its best bid is not below its best ask, or a level is `odd`: unreadable, not
 * above zero, or not worse than the previous one. Sums over such a book would be wrong.
 */
export type BookFault = "empty" | "crossed" | "odd";

/** Maximum levels requested and summed per side. */
export const MAX_LEVELS = 100;

/** Validates a book. Returns the reason if it cannot be summed. */
export function readBook({ asks, bids, unreadable }: Depth): Book | BookFault {
  if (unreadable > 0 || !isOrdered(asks, "buy") || !isOrdered(bids, "sell")) return "odd";
  const [ask, bid] = [asks[0], bids[0]];
  if (!ask && !bid) return "empty";
  const spread = ask && bid && ask.price.minus(bid.price);
  if (spread?.lte("0")) return "crossed";
  return { asks: asks.slice(0, MAX_LEVELS), bids: bids.slice(0, MAX_LEVELS), spread };
}

/** The levels that can fill an order of this side: asks for a bid, bids for an ask. */
export function offersTo(side: Side, { asks, bids }: Pick<Depth, "asks" | "bids">): readonly BookLevel[] {
  return side === "buy" ? asks : bids;
}

function isOrdered(levels: readonly BookLevel[], side: Side): boolean {
  return levels.every(({ price, size }, index) => {
    const before = levels[index - 1];
    return price.gt("0") && size.gt("0") && (!before || isWorse(price, before.price, side));
  });
}
