import type { BidRecord } from "../journal/foldBids.ts";
import type { OrderJournal } from "../journal/orderJournal.ts";
import type { CheckFinding, SendOutcome, Settlement } from "../journal/orderRecords.ts";
import type { SetAside } from "../journal/setAside.ts";
import { type Decimal, plainText } from "../market/decimal.ts";
import type { LimitBid } from "../market/order.ts";
import { RefusedError } from "../exchange/errors.ts";
import { LONGEST_BLOCK_MS } from "../exchange/rateBlock.ts";
import { Listeners } from "./listeners.ts";
import { outcomeReason } from "./outcomeReason.ts";
import type { SentOutcome } from "./placeBid.ts";
import { retryTime } from "./retryTime.ts";
import { isAt, type Venue } from "./venue.ts";

/** The records of one bid are at different times, so the newest may be ahead of the clock by some of them. */
const AHEAD_MS = 1000;

/** Bids that nothing has settled: the person must know of them first. */
export function needsAttention({ state }: BidRecord): boolean {
  return state === "unknown" || state === "unresolved";
}

/** Whether a bid went to the service that `venue` is; the practice exchange has another address each time. */
export function isOf({ intent }: BidRecord, venue: Venue): boolean {
  return isAt(intent, venue);
}

/** Every bid this machine ever meant to send, as the journal tells it. */
export class Orders {
  readonly #open: () => Promise<OrderJournal>;
  readonly #newId: () => string;
  readonly #now: () => number;
  readonly #trouble: (error: unknown) => void;
  readonly #changed = new Listeners<void>();
  readonly #written = new Listeners<void>();
  #journal: Promise<OrderJournal> | undefined;
  #bids: readonly BidRecord[] = [];
  #setAside: readonly SetAside[] = [];

  readonly onDidChange = this.#changed.add;
  /** Fires when this window wrote a record: the others do not know of it. */
  readonly onDidWrite = this.#written.add;

  constructor(options: {
    open: () => Promise<OrderJournal>;
    newId: () => string;
    now: () => number;
    /** Told of a record that could not be written: the bid is then listed by what the journal knew before. */
    trouble: (error: unknown) => void;
  }) {
    this.#open = options.open;
    this.#newId = options.newId;
    this.#now = options.now;
    this.#trouble = options.trouble;
  }

  /** Those that need attention first, then the newest. */
  get bids(): readonly BidRecord[] {
    return this.#bids;
  }

  /** What of the journal is in none of the bids. */
  get setAside(): readonly SetAside[] {
    return this.#setAside;
  }

  get attention(): number {
    return this.#bids.filter(needsAttention).length;
  }

  /** Reads what this and other windows wrote. Rejects when the journal cannot be opened. */
  async reread(): Promise<void> {
    const journal = await this.#ready();
    journal.reread();
    this.#show(journal);
  }

  /**
   * How long the service of `venue` asked not to be sent another bid, in ms from now; 0 where no such block runs. Blocks
   * that other windows met, or this one before it was reloaded, count as well.
   */
  waitMs({ profile }: Venue): number {
    const now = this.#now();
    const ends = this.#bids
      .filter(({ intent }) => intent.origin === profile.baseUrl.origin)
      .flatMap(({ evidence }) => evidence)
      // One from the future was written down by a clock that has been set back since.
      .filter(({ at }) => at - now <= AHEAD_MS)
      .flatMap((event) => ("retryAt" in event && event.retryAt) || []);
    return Math.max(0, ...ends.map((end) => end - now).filter((ms) => ms <= LONGEST_BLOCK_MS));
  }

  /**
   * Bids of the same venue and pair that may be placed although nothing proves it, of all windows, as `bids` orders them.
   * Rejects when the journal cannot be opened.
   */
  async openLike({ pair }: LimitBid, venue: Venue): Promise<readonly BidRecord[]> {
    await this.reread();
    return this.#bids.filter(
      (bid) =>
        (needsAttention(bid) || bid.state === "sending") &&
        isOf(bid, venue) &&
        bid.intent.quote === pair.quote &&
        bid.intent.base === pair.base,
    );
  }

  /** Whether the draft of this key (a UUID) was claimed, here or in another window. Rejects where the disk cannot tell. */
  async isClaimed(key: string): Promise<boolean> {
    return (await this.#ready()).isDraftClaimed(key);
  }

  /**
   * Claims a draft by its key (a UUID) for sending: true for the first to ask, false where it was submitted before, here
   * or in another window. When this rejects nothing may be sent.
   */
  async claim(key: string): Promise<boolean> {
    return (await this.#ready()).claimDraft(key);
  }

  /** Records that a bid is about to be sent. When this resolves the record is on the disk; when it rejects nothing may be sent. */
  async begin(bid: LimitBid, venue: Venue, availableBefore: Decimal | undefined): Promise<string> {
    const journal = await this.#ready();
    const id = this.#newId();
    journal.recordIntent({
      id,
      venue: venue.id,
      origin: venue.profile.baseUrl.origin,
      symbol: bid.symbol,
      quote: bid.pair.quote,
      base: bid.pair.base,
      amount: plainText(bid.amount),
      rate: plainText(bid.rate),
      quantity: plainText(bid.quantity),
      fee: plainText(bid.fee),
      at: this.#now(),
      ...(availableBefore && { availableBefore: plainText(availableBefore) }),
    });
    this.#show(journal);
    this.#written.fire();
    return id;
  }

  /** Records what became of it. An outcome that cannot be recorded leaves the bid unknown: then that is what the disk says. */
  async finish(id: string, outcome: SentOutcome): Promise<void> {
    await this.#write((journal) => journal.recordOutcome(id, recordOf(outcome)));
  }

  /** Records what a look at the balance found. */
  async recordCheck(id: string, finding: CheckFinding): Promise<void> {
    await this.#write((journal) => journal.recordCheck(id, finding));
  }

  /** Ends a bid that nothing proved: by a look at the balance, or by the person's own word. */
  async settle(id: string, settlement: Settlement): Promise<void> {
    await this.#write((journal) => journal.settle(id, settlement));
  }

  /**
   * Records that the practice account is about to be reset: from then on no unsettled order of it is held against a
   * balance. When this rejects, nothing may be reset.
   */
  async recordAccountReset(): Promise<void> {
    const journal = await this.#ready();
    journal.recordAccountReset(this.#newId());
    this.#show(journal);
    this.#written.fire();
  }

  async close(): Promise<void> {
    const journal = this.#journal;
    this.#journal = undefined;
    (await journal?.catch(() => undefined))?.close();
  }

  async #write(record: (journal: OrderJournal) => void): Promise<void> {
    try {
      const journal = await this.#ready();
      record(journal);
      this.#show(journal);
      this.#written.fire();
    } catch (error) {
      this.#trouble(error);
    }
  }

  /** A journal that could not be opened is tried again at the next need. */
  async #ready(): Promise<OrderJournal> {
    const opening = (this.#journal ??= this.#open());
    try {
      return await opening;
    } catch (error) {
      if (this.#journal === opening) this.#journal = undefined;
      throw error;
    }
  }

  #show(journal: OrderJournal): void {
    const bids = journal.bids();
    this.#bids = [...bids.filter(needsAttention), ...bids.filter((bid) => !needsAttention(bid))];
    this.#setAside = journal.setAside;
    this.#changed.fire();
  }
}

function recordOf(outcome: SentOutcome): SendOutcome {
  if (outcome.kind === "accepted") return { state: "accepted", ...outcome.receipt };
  const { kind, error } = outcome;
  const retryAt = retryTime(error);
  if (kind === "rejected" && error instanceof RefusedError) {
    return { state: kind, code: error.code, message: error.serviceMessage, retryAt };
  }
  return { state: kind === "notSent" ? kind : "unknown", reason: outcomeReason(error), retryAt };
}
