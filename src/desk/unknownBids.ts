import type { Wallet } from "../market/balance.ts";
import { Decimal, parseDecimal } from "../market/decimal.ts";
import type { BidRecord } from "../journal/foldBids.ts";
import { needsAttention, type Orders } from "./orders.ts";
import {
  LATEST_EFFECT_MS,
  Reconciler,
  weigh,
  type Evidence,
  type ReconcileCheck,
  type UnknownBid,
} from "./reconcile.ts";
import type { Timers } from "./timers.ts";
import { sameVenue, type CurrentVenue, type Venue } from "./venue.ts";

export interface UnknownBidsOptions {
  readonly orders: Orders;
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  readonly random: () => number;
  /** Whether this window looks after them now, and can: of several, at most one. */
  readonly isMine: () => boolean;
}

/** Looks after the bids of the current venue whose outcome nothing proves, and writes down what it finds. */
export class UnknownBids {
  readonly #options: UnknownBidsOptions;
  readonly #reconciler: Reconciler;
  readonly #stop: (() => void)[];

  constructor(options: UnknownBidsOptions) {
    this.#options = options;
    const { orders, venue, timers, random, isMine } = options;
    this.#reconciler = new Reconciler({
      timers,
      random,
      isMine,
      readWallet: () => this.#readWallet(),
      others: (bid) => this.#others(bid),
      record: (id, check) => this.#record(id, check),
      settle: (id, as, evidence) =>
        void orders.settle(id, { by: "check", as, evidence: evidenceText(evidence) }),
    });
    const watch = (): void => this.#watch();
    this.#stop = [orders.onDidChange(watch), venue.onDidChange(watch)];
    watch();
  }

  /** Looks at the balance now, for one bid: the person asked. Rejects when the wallet cannot be read, or is another venue's. */
  async check({ intent }: BidRecord): Promise<void> {
    const venue = this.#options.venue.venue;
    if (!venue || !belongs(intent, venue))
      throw new Error("The bid went to another venue than the current one.");
    const bid = unknownBid(intent);
    const found = weigh({
      quote: bid.quote,
      base: bid.base,
      amount: new Decimal(bid.amount),
      quantity: new Decimal(bid.quantity),
      availableBefore: parseDecimal(bid.availableBefore ?? ""),
      now: await this.#readWallet(),
      others: this.#options.orders.bids
        .filter((other) => needsAttention(other) && other.intent.id !== bid.id && mayExplain(other, bid))
        .map((other) => new Decimal(other.intent.amount))
        .concat(this.#others(bid)),
    });
    this.#record(bid.id, { kind: "read", at: this.#options.timers.now(), ...found });
    if (found.verdict !== "placed") return;
    await this.#options.orders.settle(bid.id, {
      by: "check",
      as: "placed",
      evidence: evidenceText(found.evidence),
    });
  }

  dispose(): void {
    for (const stop of this.#stop) stop();
    this.#reconciler.dispose();
  }

  #watch(): void {
    const { orders, venue } = this.#options;
    const current = venue.venue;
    const unknown = orders.bids.filter(({ state }) => state === "unknown");
    this.#reconciler.watch(
      unknown
        .filter(({ intent }) => current && belongs(intent, current))
        .map(({ intent }) => unknownBid(intent)),
    );
  }

  async #readWallet(): Promise<Wallet> {
    const { venue } = this.#options;
    const asked = venue.venue;
    if (!asked) throw new Error("No venue is open.");
    const wallet = await venue.read(asked, (client) => client.wallet());
    if (!sameVenue(asked, venue.venue)) throw new Error("The venue changed while its wallet was read.");
    return wallet;
  }

  /** Amounts that are known to have left the balance, or may have, for other bids than those looked after. */
  #others(bid: UnknownBid): Decimal[] {
    return this.#options.orders.bids
      .filter((other) => ["accepted", "placed", "sending"].includes(other.state) && mayExplain(other, bid))
      .map(({ intent }) => new Decimal(intent.amount));
  }

  #record(id: string, check: ReconcileCheck): void {
    const { orders } = this.#options;
    if (check.kind === "unread") {
      void orders.recordCheck(id, { text: "the balance could not be read", verdict: "inconclusive" });
      return;
    }
    const verdict = check.verdict === "placed" ? "placed" : "inconclusive";
    const { now: available } = check.evidence;
    void orders.recordCheck(id, {
      ...(available && { available }),
      text: evidenceText(check.evidence),
      verdict,
    });
  }
}

function belongs(intent: BidRecord["intent"], venue: Venue): boolean {
  return intent.venue === venue.id && (venue.mayMove || intent.origin === venue.profile.baseUrl.origin);
}

function mayExplain({ intent }: BidRecord, bid: UnknownBid): boolean {
  return intent.id !== bid.id && intent.quote === bid.quote && intent.at >= bid.sentAt - LATEST_EFFECT_MS;
}

function unknownBid({
  id,
  symbol,
  quote,
  base,
  amount,
  quantity,
  availableBefore,
  at,
}: BidRecord["intent"]): UnknownBid {
  return { id, symbol, quote, base, amount, quantity, availableBefore, sentAt: at };
}

/** What a look at the balance said, as it is kept: figures, so that a person can judge them later. */
function evidenceText(evidence: Evidence | undefined): string {
  if (!evidence) return "the balance could not be read";
  const { quote, before = "unknown", now = "unknown", difference = "unknown" } = evidence;
  return `${quote} before ${before}, now ${now}, difference ${difference}`;
}
