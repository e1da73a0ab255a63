import type { NamedPair } from "../../exchange/capabilities.ts";
import type { Depth } from "../../market/book/book.ts";
import type { Trade } from "../../market/book/trade.ts";
import type { Venue } from "../venue.ts";

/** The pair whose book is wanted, and its exchange. */
export interface BookTarget {
  readonly venue: Venue;
  readonly named: NamedPair;
}

/** An update of a book. A missing part is as it was. */
export interface BookUpdate {
  /** When it was requested, or arrived from a stream, ms since the epoch: the exchange is not newer. */
  readonly at: number;
  /** The whole book, which replaces the one before; an error if it could not be read. */
  readonly depth?: Depth | { readonly error: unknown };
  /** The newest trades, the newest first. */
  readonly trades?: readonly Trade[];
}

/** One way to the books and trades of an exchange. */
export interface BookSource {
  /** Whether the exchange has this way. */
  offers(venue: Venue): boolean;
  /** Reports updates until the returned function is called. One target at a time; errors are updates. */
  follow(target: BookTarget, report: (update: BookUpdate) => void): () => void;
}
