import type { LeaderUpdate } from "../../hub/protocol.ts";
import { MAX_LEVELS, type BookLevel, type Depth } from "../../market/book/book.ts";
import type { PublicTrade } from "../../market/book/publicTrade.ts";
import { Decimal, plainText } from "../../market/numbers/decimal.ts";

/** An update from a stream. A missing part is unchanged. */
export interface StreamedUpdate {
  /** When the newest part arrived, ms since the epoch. */
  readonly at: number;
  readonly depth?: Depth;
  readonly trades?: readonly PublicTrade[];
}

type BookMessage = Extract<LeaderUpdate, { type: "book" }>;

/** An update of a book as a message to other windows. */
export function bookMessage(
  target: Pick<BookMessage, "venue" | "symbol">,
  { at, depth, trades }: StreamedUpdate,
): BookMessage {
  return {
    type: "book",
    ...target,
    at,
    ...(depth && { depth: { ...depth, asks: writeLevels(depth.asks), bids: writeLevels(depth.bids) } }),
    ...(trades && {
      trades: trades
        .slice(0, MAX_LEVELS)
        .map(({ at: time, rate, size, side }) => [time, plainText(rate), plainText(size), side]),
    }),
  };
}

/** The update in such a message. */
export function updateOf({ at, depth, trades }: BookMessage): StreamedUpdate {
  return {
    at,
    ...(depth && { depth: { ...depth, asks: readLevels(depth.asks), bids: readLevels(depth.bids) } }),
    ...(trades && {
      trades: trades.map(([time, rate, size, side]) => ({
        at: time,
        rate: new Decimal(rate),
        size: new Decimal(size),
        side,
      })),
    }),
  };
}

function writeLevels(side: readonly BookLevel[]): [string, string][] {
  return side.slice(0, MAX_LEVELS).map(({ price, size }) => [plainText(price), plainText(size)]);
}

function readLevels(side: readonly [string, string][]): BookLevel[] {
  return side.map(([price, size]) => ({ price: new Decimal(price), size: new Decimal(size) }));
}
