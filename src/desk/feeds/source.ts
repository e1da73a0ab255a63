import type { Venue } from "../venue.ts";

/** One way to a kind of data of an exchange: requests of this window, a stream, or another window. */
export interface Source<Target, Update> {
  /** Whether the exchange has this way. */
  offers(venue: Venue): boolean;
  /** Reports updates until the returned function is called. One target at a time; errors are updates. */
  follow(target: Target, report: (update: Update) => void): () => void;
}
