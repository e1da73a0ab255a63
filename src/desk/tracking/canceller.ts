import type { CancelResponse, Capabilities } from "../../exchange/capabilities.ts";
import type { NamedPair } from "../../market/pair.ts";
import { ExchangeError } from "../../exchange/errors.ts";
import type { OrderName } from "../../market/order.ts";
import { hasEnded, type KnownOrder } from "../../market/orders/knownOrder.ts";
import { pairKey, type Pair } from "../../market/pair.ts";
import type { CancelRecord } from "../../storage/orders/placedOrderRecords.ts";
import { outcomeReason } from "../orders/outcomeReason.ts";
import type { Orders } from "../orders/orders.ts";
import { isInAccount, sameProfile, sameService, type CurrentVenue, type Venue } from "../venue.ts";

/** An open order that the user wants to cancel. */
export interface CancelTarget {
  readonly name: OrderName;
  readonly known: KnownOrder;
}

/** The confirmation shown before cancellations are sent. */
export interface CancelQuestion {
  readonly venue: Venue;
  readonly targets: readonly CancelTarget[];
  /** The exchange reported that it accepts no cancellations for one of these pairs. That report may be outdated. */
  readonly isFrozen: boolean;
  /** ms since the epoch. */
  readonly now: number;
}

/** Sends a cancellation, at most three times. */
type SendCancel = NonNullable<Capabilities["cancelOrder"]>;

/** The result for the user. The orders view shows whether each order ended. */
export type CancelOutcome =
  | {
      readonly kind:
        | "declined"
        | "noVenue"
        | "notOffered"
        | "venueChanged"
        | "accountChanged"
        | "notRecorded";
    }
  | { readonly kind: "asked"; readonly steps: readonly CancelRecord["step"][] };

export interface CancellerOptions {
  readonly orders: Orders;
  readonly venue: CurrentVenue;
  readonly now: () => number;
  /** Called after the confirmation: the computer may have slept in the meantime. */
  readonly checkWake: () => void;
  /** Undefined if the exchange does not support cancelling. */
  readonly cancelOf: (venue: Venue) => SendCancel | undefined;
  /** Whether the exchange reports that it accepts no cancellations for a pair. */
  readonly isFrozen: (pair: Pair) => boolean;
  /** Asks the user. Nothing is sent unless this resolves to true. */
  readonly confirm: (question: CancelQuestion) => Promise<boolean>;
  /** Makes the reads of a pair due: a response to a cancellation does not prove that the order ended. */
  readonly check: (named: NamedPair) => void;
}

/** How long a confirmation is valid: the secret storage or a sleeping computer may have taken longer. */
const CONFIRMED_MS = 60_000;

/** Cancels orders: one confirmation, a record on disk, and at most three requests per order. */
export class Canceller {
  readonly #options: CancellerOptions;

  constructor(options: CancellerOptions) {
    this.#options = options;
  }

  async cancel(targets: readonly CancelTarget[]): Promise<CancelOutcome> {
    const { venue: current, confirm, cancelOf, checkWake, now } = this.#options;
    const { venue } = current;
    if (!venue) return { kind: "noVenue" };
    if (!cancelOf(venue)) return { kind: "notOffered" };
    if (targets.length === 0) return { kind: "declined" };
    let shown = targets;
    // The exchange may continue an order under a new id while the user reads: the question shows the id that is sent.
    do {
      shown = shown.map((target) => this.#present(target));
      const isFrozen = shown.some(({ known }) => this.#options.isFrozen(known.pair));
      if (!(await confirm({ venue, targets: shown, isFrozen, now: now() }))) return { kind: "declined" };
    } while (shown.some((target) => this.#present(target).known.orderId !== target.known.orderId));
    checkWake();
    const confirmedAt = now();
    const steps: CancelRecord["step"][] = [];
    const pairs = new Map<string, NamedPair>();
    try {
      for (const target of shown) {
        const present = current.venue;
        if (!present || !sameProfile(venue, present)) return { kind: "venueChanged" };
        if (!sameService(venue, present) || !isInAccount(target.name, present))
          return { kind: "accountChanged" };
        if (hasEnded(this.#present(target).known)) continue;
        const step = await this.#cancelOne(target, present, confirmedAt);
        if (!step) return { kind: "notRecorded" };
        steps.push(step);
        pairs.set(pairKey(target.known.pair), target.known);
      }
    } finally {
      for (const named of pairs.values()) this.#options.check(named);
    }
    return { kind: "asked", steps };
  }

  #present({ name, known }: CancelTarget): CancelTarget {
    return { name, known: this.#options.orders.get(name)?.known ?? known };
  }

  /** Undefined if the cancellation could not be recorded: then nothing was sent. */
  async #cancelOne(
    { name, known }: CancelTarget,
    venue: Venue,
    confirmedAt: number,
  ): Promise<CancelRecord["step"] | undefined> {
    const { orders, cancelOf, checkWake, now } = this.#options;
    const { symbol, pair, orderId } = known;
    const record = (step: CancelRecord["step"], reason?: string): Promise<boolean> =>
      orders.recordCancel({ ...name, symbol, step, reason });
    const mayStillSend = (): boolean => {
      checkWake();
      const ms = now() - confirmedAt;
      return ms >= 0 && ms <= CONFIRMED_MS;
    };
    const send = cancelOf(venue);
    if (!send || !(await record("asked"))) return undefined;
    const order = { symbol, pair, orderId, side: name.side };
    const { step, reason } = await send(order, mayStillSend).then(resultOf, readFailure);
    await record(step, reason);
    return step;
  }
}

/** The step that a response proves, and the reason if it is not a success. */
type Result = Pick<CancelRecord, "step" | "reason">;

function resultOf(response: CancelResponse): Result {
  return response === "accepted" ? { step: "taken" } : { step: "notOpen" };
}

function readFailure(error: unknown): Result {
  const isProven = error instanceof ExchangeError && error.provesNothingHappened;
  return { step: isProven ? "refused" : "unanswered", reason: outcomeReason(error) };
}
