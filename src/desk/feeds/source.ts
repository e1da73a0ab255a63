import type { Watching } from "../venue.ts";

/** A source of exchange data: polls of this window, a stream, or another window. */
export interface Source<Target, Update> {
  /** Whether the exchange offers this source. */
  offers(venue: Watching): boolean;
  /** Reports updates until the returned function is called. One target at a time; errors are updates. */
  follow(target: Target, report: (update: Update) => void): () => void;
}
