import type { PreparedBid } from "../exchange/client.ts";
import { ExchangeError } from "../exchange/errors.ts";
import type { BidRecord } from "../journal/foldBids.ts";
import type { Decimal } from "../market/decimal.ts";
import {
  type BidDraft,
  type BidLimits,
  type BidProblem,
  type BidReceipt,
  type BidRules,
  type LimitBid,
  validateBid,
} from "../market/order.ts";
import type { Ticker } from "../market/ticker.ts";
import { draftKey } from "./draftKey.ts";
import { sameService, type CurrentVenue, type Venue } from "./venue.ts";

/** A draft handed in. Of all submissions of one id (a UUID) with the same figures, in whatever window, at most one is sent. */
export interface SubmittedDraft extends BidDraft {
  readonly id: string;
}

/** What became of a draft. `unknown`: it may have been placed, and nothing proves it either way. */
export type BidOutcome =
  | { readonly kind: "invalid"; readonly problems: readonly BidProblem[] }
  | { readonly kind: "cancelled" }
  | { readonly kind: "busy" }
  | { readonly kind: "noVenue" }
  /** The venue, or any part of its profile, changed while the person was confirming: they confirmed something else. */
  | { readonly kind: "venueChanged" }
  /** The journal could not take it, so it was not sent: a bid whose outcome is lost must be on record. */
  | { readonly kind: "notRecorded"; readonly error: unknown }
  /** The draft was submitted before, here or in another window: what became of it then is in the orders. */
  | { readonly kind: "duplicate" }
  /** The service asked for a pause that is not over yet. */
  | { readonly kind: "rateBlocked"; readonly venue: Venue }
  /** It was handed to the client; `order` is the id of its record among the orders. */
  | (SentOutcome & { readonly order: string });

/** Outcomes of a bid that was handed to the client. */
export type SentOutcome =
  | { readonly kind: "accepted"; readonly venue: Venue; readonly bid: LimitBid; readonly receipt: BidReceipt }
  | {
      readonly kind: "rejected" | "notSent" | "unknown";
      readonly venue: Venue;
      readonly bid: LimitBid;
      readonly error: unknown;
    };

/** Whether the draft was used up: what is typed can be submitted again, on purpose, as a new draft only. */
export function endsDraft(outcome: BidOutcome | SentOutcome): boolean {
  return "bid" in outcome || outcome.kind === "duplicate" || outcome.kind === "notRecorded";
}

export interface BidDeskOptions {
  readonly rules: BidRules;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly venue: Pick<CurrentVenue, "venue" | "onDidChange">;
  readonly ticker: (symbol: string) => Ticker | undefined;
  /** Free balance of an asset; undefined while unknown. */
  readonly available: (asset: string) => Decimal | undefined;
  /** Asked anew for every look at a draft, so that a changed setting counts at once. */
  readonly limits: () => BidLimits;
  /** How fresh `ticker` is: the ticker feed. */
  readonly prices: { readonly ageMs: number | undefined; readonly isStale: boolean };
  /** Asks first about a rate above the last price by `bid.aboveLastPercent`. */
  readonly confirmAbove: (bid: LimitBid, venue: Venue) => Promise<boolean>;
  /** Asks the person, who is told first of the orders in `open`; only true sends. */
  readonly confirm: (bid: LimitBid, venue: Venue, open: readonly BidRecord[]) => Promise<boolean>;
  /** Where a bid is recorded before it is sent: `Orders`, which says more of each. */
  readonly orders: {
    waitMs(venue: Venue): number;
    /** Of the venue and pair of `bid`, those that may be placed although nothing proves it, from all windows. */
    openLike(bid: LimitBid, venue: Venue): Promise<readonly BidRecord[]>;
    /** Whether the draft of this key (a UUID) was submitted before. Changes nothing. */
    isClaimed(key: string): Promise<boolean>;
    /** False where it was submitted before. */
    claim(key: string): Promise<boolean>;
    /** Resolves when the record is on the disk. */
    begin(bid: LimitBid, venue: Venue, availableBefore: Decimal | undefined): Promise<string>;
    /** Never rejects. */
    finish(id: string, outcome: SentOutcome): Promise<void>;
  };
  /** Called once after anything was sent, whatever came of it. */
  readonly afterSending: () => void;
}

/** A bid that nothing stands against, and all that is needed to ask about it and to send it. */
interface Question {
  readonly draft: SubmittedDraft;
  readonly bid: LimitBid;
  /** Of the draft, for its claim. */
  readonly key: string;
  readonly venue: Venue;
  readonly open: readonly BidRecord[];
  readonly prepared: PreparedBid;
}

/**
 * From a draft to an outcome: checked, confirmed, sent once. One bid at a time. The bid's connection is opened while the
 * person is asked, so that it leaves as soon as it is confirmed.
 */
export class BidDesk {
  readonly #options: BidDeskOptions;
  #busy = false;
  #prepared: PreparedBid | undefined;

  constructor(options: BidDeskOptions) {
    this.#options = options;
  }

  get rules(): BidRules {
    return this.#options.rules;
  }

  /** What stands against a draft by now, as far as it is typed; none where it could be asked about. */
  problems(draft: BidDraft): readonly BidProblem[] {
    const bid = this.#look(draft);
    return Array.isArray(bid) ? bid : [];
  }

  /** Never rejects for anything between the ticket and the service: every such end is an outcome. */
  async place(draft: SubmittedDraft): Promise<BidOutcome> {
    if (this.#busy) return { kind: "busy" };
    this.#busy = true;
    try {
      return await this.#place(draft);
    } finally {
      this.#busy = false;
    }
  }

  /** Closes what is open for a bid that is being asked about. */
  dispose(): void {
    this.#prepared?.close();
  }

  async #place(draft: SubmittedDraft): Promise<BidOutcome> {
    const { orders } = this.#options;
    const { venue } = this.#options.venue;
    if (!venue) return { kind: "noVenue" };
    if (orders.waitMs(venue) > 0) return { kind: "rateBlocked", venue };
    const bid = this.#look(draft);
    if (Array.isArray(bid)) return { kind: "invalid", problems: bid };
    const key = draftKey(draft.id, bid);
    let open: readonly BidRecord[];
    try {
      if (await orders.isClaimed(key)) return { kind: "duplicate" };
      open = await orders.openLike(bid, venue);
    } catch (error) {
      return { kind: "notRecorded", error };
    }
    const prepared = venue.client.prepareBid();
    this.#prepared = prepared;
    // To another venue, or the same one under other settings, nothing goes on this connection.
    const stopWatching = this.#options.venue.onDidChange(() => prepared.close());
    try {
      return await this.#askAndSend({ draft, bid, key, venue, open, prepared });
    } finally {
      stopWatching();
      prepared.close();
    }
  }

  async #askAndSend({ draft, bid, key, venue, open, prepared }: Question): Promise<BidOutcome> {
    const { available, confirm, confirmAbove, orders, afterSending } = this.#options;
    if (bid.aboveLastPercent && !(await confirmAbove(bid, venue))) return { kind: "cancelled" };
    if (!(await confirm(bid, venue, open))) return { kind: "cancelled" };
    const confirmedAt = this.#options.now();
    const confirmedFor = this.#options.venue.venue;
    if (!confirmedFor || !sameService(venue, confirmedFor)) return { kind: "venueChanged" };
    const problems = this.#problemsSince(bid, draft);
    if (problems.length > 0) return { kind: "invalid", problems };
    if (orders.waitMs(confirmedFor) > 0) return { kind: "rateBlocked", venue: confirmedFor };
    let order: string;
    try {
      if (!(await orders.claim(key))) return { kind: "duplicate" };
      order = await orders.begin(bid, confirmedFor, available(bid.pair.quote));
    } catch (error) {
      return { kind: "notRecorded", error };
    }
    const mayStillGo = (): boolean => this.#mayStillGo(bid, draft, confirmedAt);
    const outcome = await send(bid, confirmedFor, mayStillGo, prepared);
    await orders.finish(order, outcome);
    afterSending();
    return { ...outcome, order };
  }

  /** Looked at right before the first byte leaves: what a keyring, a slow network or a sleeping machine held up stays here. */
  #mayStillGo(bid: LimitBid, draft: BidDraft, confirmedAt: number): boolean {
    const { now, limits } = this.#options;
    const ms = now() - confirmedAt;
    return ms >= 0 && ms <= limits().maximumPriceAgeMs && this.#problemsSince(bid, draft).length === 0;
  }

  #look(draft: BidDraft): LimitBid | BidProblem[] {
    const { rules, limits, ticker: tickerOf, available, prices } = this.#options;
    const ticker = tickerOf(draft.symbol);
    return validateBid(draft, {
      ticker,
      rules,
      limits: limits(),
      available: ticker && available(ticker.pair.quote),
      priceAgeMs: prices.ageMs,
      pricesAreStale: prices.isStale,
    });
  }

  /** What stands against a confirmed bid by now: a question may stay open for an hour, and the market moves on. */
  #problemsSince(confirmed: LimitBid, draft: BidDraft): readonly BidProblem[] {
    const now = this.#look(draft);
    if (Array.isArray(now)) return now;
    return now.aboveLastPercent && !confirmed.aboveLastPercent
      ? [{ field: "rate", code: "aboveLastNow" }]
      : [];
  }
}

/** Once, to the venue it was confirmed for, whatever the current one is by now. */
async function send(
  bid: LimitBid,
  venue: Venue,
  mayStillGo: () => boolean,
  prepared: PreparedBid,
): Promise<SentOutcome> {
  try {
    const receipt = await venue.client.placeBid(bid, mayStillGo, prepared);
    return { kind: "accepted", venue, bid, receipt };
  } catch (error) {
    return { kind: failureKind(error), venue, bid, error };
  }
}

/** Only proof makes a bid rejected or not sent; any other failure, foreseen or not, leaves it unknown. */
function failureKind(error: unknown): "rejected" | "notSent" | "unknown" {
  if (!(error instanceof ExchangeError) || !error.provesNothingHappened) return "unknown";
  return error.kind === "notSent" ? "notSent" : "rejected";
}
