import type { CancelResponse, Capabilities } from "../../exchange/capabilities.ts";
import type { NamedPair } from "../../market/pair.ts";
import { ExchangeError } from "../../exchange/errors.ts";
import { isSameAccount, type OrderName } from "../../market/order.ts";
import { hasEnded, type KnownOrder } from "../../market/orders/knownOrder.ts";
import { pairKey, type Pair } from "../../market/pair.ts";
import type { CancelRecord } from "../../storage/orders/placedOrderRecords.ts";
import { outcomeReason } from "../orders/outcomeReason.ts";
import type { Orders } from "../orders/orders.ts";
import { replacedBy, type CurrentVenue, type SignedIn, signInTo, type SignInProblem } from "../venue.ts";

/** An open order that the user wants to cancel. */
export interface CancelTarget {
  readonly name: OrderName;
  readonly known: KnownOrder;
}

/** The confirmation shown before cancellations are sent. */
export interface CancelQuestion {
  readonly venue: SignedIn;
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
        /** An order was placed from another account than the one that is signed in. */
        | "otherAccount";
    }
  | SignInProblem
  /** A cancellation could not be recorded, so it was not sent. */
  | { readonly kind: "notRecorded"; readonly error: unknown }
  | { readonly kind: "sent"; readonly steps: readonly CancelRecord["step"][] };

export interface CancellerOptions {
  readonly orders: Orders;
  readonly venue: CurrentVenue;
  readonly now: () => number;
  /** Called after the confirmation: the computer may have slept in the meantime. */
  readonly checkWake: () => void;
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
    const { venue: current, confirm, checkWake, now } = this.#options;
    const { venue: watching } = current;
    if (!watching) return { kind: "noVenue" };
    if (targets.length === 0) return { kind: "declined" };
    const venue = await signInTo(watching, current, "cancelOrder");
    if ("kind" in venue) return venue;
    const send = venue.client.capabilities.cancelOrder;
    if (!send) return { kind: "notOffered" };
    if (targets.some(({ name }) => !isSameAccount(name, venue.ref))) return { kind: "otherAccount" };
    let shown = targets;
    // The exchange may continue an order under a new id while the user reads: the question shows the id that is sent.
    do {
      shown = shown.map((target) => this.#present(target));
      const isFrozen = shown.some(({ known }) => this.#options.isFrozen(known.pair));
      if (!(await confirm({ venue, targets: shown, isFrozen, now: now() }))) return { kind: "declined" };
    } while (shown.some((target) => this.#present(target).known.orderId !== target.known.orderId));
    checkWake();
    const confirmedAt = now();
    const mayStillSend = (): boolean => {
      checkWake();
      const ms = now() - confirmedAt;
      return current.signedIn === venue && ms >= 0 && ms <= CONFIRMED_MS;
    };
    const steps: CancelRecord["step"][] = [];
    const pairs = new Map<string, NamedPair>();
    try {
      for (const target of shown) {
        if (current.signedIn !== venue) return { kind: replacedBy(venue, current.venue) };
        if (hasEnded(this.#present(target).known)) continue;
        try {
          await this.#record(target, { step: "requested" });
        } catch (error) {
          return { kind: "notRecorded", error };
        }
        steps.push(await this.#send(send, target, mayStillSend));
        pairs.set(pairKey(target.known.pair), target.known);
      }
    } finally {
      for (const named of pairs.values()) this.#options.check(named);
    }
    return { kind: "sent", steps };
  }

  #present({ name, known }: CancelTarget): CancelTarget {
    return { name, known: this.#options.orders.get(name)?.known ?? known };
  }

  /** Rejects if the step could not be recorded. */
  async #record({ name, known }: CancelTarget, result: Result): Promise<void> {
    await this.#options.orders.recordCancel({ ...name, symbol: known.symbol, ...result });
  }

  async #send(
    send: SendCancel,
    target: CancelTarget,
    mayStillSend: () => boolean,
  ): Promise<CancelRecord["step"]> {
    const { symbol, pair, orderId } = target.known;
    const order = { symbol, pair, orderId, side: target.name.side };
    const result = await send(order, mayStillSend).then(resultOf, readFailure);
    // Without this record, the order's reports still tell its end.
    await this.#record(target, result).catch(() => undefined);
    return result.step;
  }
}

/** The step that a response proves, and the reason if it is not a success. */
type Result = Pick<CancelRecord, "step" | "reason">;

function resultOf(response: CancelResponse): Result {
  return response === "accepted" ? { step: "accepted" } : { step: "notOpen" };
}

function readFailure(error: unknown): Result {
  const isProven = error instanceof ExchangeError && error.provesNothingHappened;
  return { step: isProven ? "rejected" : "unanswered", reason: outcomeReason(error) };
}
