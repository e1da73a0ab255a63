import type { Decimal } from "../../market/numbers/decimal.ts";
import type { OrderRules } from "../../market/order.ts";
import { pairKey, type Pair } from "../../market/pair.ts";
import { rulesOfListing, type PairListing } from "../../market/rules/pairListing.ts";
import { Event } from "../event.ts";
import type { CurrentVenue, Watching } from "../venue.ts";

/** Freezes and limits change rarely, and the response is large. */
const RULES_MS = 10 * 60_000;
const AGAIN_AFTER_FAILURE_MS = 60_000;

export interface PairRulesOptions {
  readonly venue: CurrentVenue;
  /** The rules of a pair whose exchange states none. */
  readonly usual: OrderRules;
  /** The fee that the account pays for a pair, as a share of the amount; undefined if unknown. */
  readonly feeShareOf?: (pair: Pair) => Decimal | undefined;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/**
 * Minimum, price step, price band and freezes of each pair, if the exchange offers them. They are read on first use and
 * again when they are old. Until then, and for other exchanges, the default rules apply; the exchange still decides. The fee
 * is that of the account's last fills.
 */
export class PairRules {
  readonly #options: PairRulesOptions;
  readonly #changes = new Event<void>();
  #venue: Watching | undefined;
  #listings: ReadonlyMap<string, PairListing> | undefined;
  /** When the next read is due; undefined before the first one. */
  #dueAt: number | undefined;
  #reading: Promise<void> = Promise.resolve();

  /** Fires when the pairs were read. */
  readonly onDidChange = this.#changes.add;

  constructor(options: PairRulesOptions) {
    this.#options = options;
  }

  /** The order rules of a pair, as far as known. */
  rulesOf(pair: Pair): OrderRules {
    const { usual, feeShareOf } = this.#options;
    const listing = this.#listingOf(pair);
    const rules = listing ? rulesOfListing(listing, usual) : usual;
    const feeShare = feeShareOf?.(pair);
    return feeShare ? { ...rules, feeShare } : rules;
  }

  /** The price step stated by the exchange for a pair, as far as known. Sends no request. */
  stepOf(pair: Pair): Decimal | undefined {
    const isCurrent = this.#venue === this.#options.venue.venue;
    return isCurrent ? this.#listings?.get(pairKey(pair))?.rateStep : undefined;
  }

  /** Resolves once the pairs were read, or could not be. */
  async read(): Promise<void> {
    this.#refresh();
    await this.#reading;
  }

  /** The coin's name as its exchange writes it; undefined until known. */
  nameOf(pair: Pair): string | undefined {
    return this.#listingOf(pair)?.name;
  }

  /** The id of a pair in the URL of its book stream; undefined until known. */
  pairingIdOf(pair: Pair): number | undefined {
    return this.#listingOf(pair)?.pairingId;
  }

  #listingOf(pair: Pair): PairListing | undefined {
    this.#refresh();
    return this.#listings?.get(pairKey(pair));
  }

  #refresh(): void {
    const { venue } = this.#options;
    if (this.#venue !== venue.venue) this.#forget(venue.venue);
    this.#readIfDue();
  }

  #forget(venue: Watching | undefined): void {
    this.#venue = venue;
    this.#listings = undefined;
    this.#dueAt = undefined;
  }

  #readIfDue(): void {
    const now = this.#options.now();
    // After the clock was set back, the next read must not wait for the old time.
    const isSetBack = this.#dueAt !== undefined && this.#dueAt > now + RULES_MS;
    if (this.#dueAt !== undefined && now < this.#dueAt && !isSetBack) return;
    const venue = this.#venue;
    if (!venue?.client.capabilities.symbols) return;
    this.#dueAt = now + RULES_MS;
    this.#reading = this.#read(venue);
  }

  async #read(venue: Watching): Promise<void> {
    const { venue: current, now, onError } = this.#options;
    try {
      const read = await current.read(venue, async ({ capabilities }) => capabilities.symbols?.());
      if (this.#venue !== venue || !read) return;
      this.#listings = read.listings;
      this.#changes.fire();
    } catch (error) {
      // The last known rules stay: a frozen pair stays frozen.
      if (this.#venue === venue) this.#dueAt = now() + AGAIN_AFTER_FAILURE_MS;
      onError(error);
    }
  }
}
