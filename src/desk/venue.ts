import { isDeepStrictEqual } from "node:util";
import type { ExchangeClient } from "../exchange/client.ts";
import { NotSentError } from "../exchange/errors.ts";
import type { ServiceProfile } from "../exchange/profile.ts";
import type { Credentials } from "../exchange/signing/credentials.ts";
import { Event } from "./event.ts";

export type VenueId = "practice" | "live";

/** The result of opening a venue. Practice and live differ only in these fields. */
export interface VenueOpening {
  /** The name that a person knows: "Practice", or the live host's name. */
  readonly name: string;
  readonly profile: ServiceProfile;
  readonly credentials: () => Promise<Credentials | undefined>;
  /** The address may change while the venue is open, so an unreachable venue is worth opening again. */
  readonly mayMove: boolean;
}

export interface Venue extends VenueOpening {
  readonly id: VenueId;
  readonly client: ExchangeClient;
}

export type VenueState =
  | { readonly kind: "opening"; readonly id: VenueId }
  | { readonly kind: "ready"; readonly venue: Venue }
  /** The settings or the computer prevent it; `error` says why. */
  | { readonly kind: "unusable"; readonly id: VenueId; readonly error: unknown };

export interface CurrentVenueOptions {
  readonly open: Readonly<Record<VenueId, () => Promise<VenueOpening>>>;
  readonly createClient: (opening: VenueOpening) => ExchangeClient | Promise<ExchangeClient>;
  /** Called when an answer of the exchange has arrived, before it is used: the computer may have slept meanwhile. */
  readonly checkWake: () => void;
}

/** The one venue that the desk shows and trades on. */
export class CurrentVenue {
  readonly #options: CurrentVenueOptions;
  readonly #changed = new Event<VenueState>();
  readonly #moved = new Event<void>();
  #state: VenueState = { kind: "opening", id: "practice" };
  #round = 0;
  #reopening: Promise<void> | undefined;

  /** Fires when the desk must forget its data: another venue, or a venue that became usable or unusable. */
  readonly onDidChange = this.#changed.add;

  /** Fires when the same venue has a new address: data stay valid, and connections to the old address are dead. */
  readonly onDidMove = this.#moved.add;

  constructor(options: CurrentVenueOptions) {
    this.#options = options;
  }

  get state(): VenueState {
    return this.#state;
  }

  /** The venue, if one is ready. */
  get venue(): Venue | undefined {
    return this.#state.kind === "ready" ? this.#state.venue : undefined;
  }

  get id(): VenueId {
    return this.#state.kind === "ready" ? this.#state.venue.id : this.#state.id;
  }

  /** Opens a venue and closes the one before. Never rejects: a venue that cannot be opened is a state. */
  async select(id: VenueId): Promise<void> {
    const round = ++this.#round;
    this.#change({ kind: "opening", id });
    let next: VenueState;
    try {
      next = { kind: "ready", venue: await this.#open(id) };
    } catch (error) {
      next = { kind: "unusable", id, error };
    }
    if (round === this.#round) this.#change(next);
  }

  /**
   * Runs a read on the venue. If the venue cannot be reached and may have moved, opens it again and reads once more.
   * For reads only: an order goes to the venue that it was confirmed for, or nowhere.
   */
  async read<T>(venue: Venue, task: (client: ExchangeClient) => Promise<T>): Promise<T> {
    try {
      return await task(venue.client).finally(this.#options.checkWake);
    } catch (error) {
      if (!isUnreachable(error) || !venue.mayMove) throw error;
      if (this.venue === venue) await this.#reopen(venue);
      const moved = this.venue;
      if (!moved || moved === venue || moved.id !== venue.id) throw error;
      return await task(moved.client).finally(this.#options.checkWake);
    }
  }

  /** The same venue, maybe at a new address. The shown data stay valid, so `onDidChange` does not fire. */
  #reopen(venue: Venue): Promise<void> {
    this.#reopening ??= (async () => {
      try {
        const moved = await this.#open(venue.id);
        if (this.venue !== venue) return;
        this.#state = { kind: "ready", venue: moved };
        if (moved.profile.baseUrl.href !== venue.profile.baseUrl.href) this.#moved.fire();
      } catch {
        // The read reports its own error. The next read tries to open the venue again.
      } finally {
        this.#reopening = undefined;
      }
    })();
    return this.#reopening;
  }

  async #open(id: VenueId): Promise<Venue> {
    const opening = await this.#options.open[id]();
    return { ...opening, id, client: await this.#options.createClient(opening) };
  }

  #change(state: VenueState): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}

/**
 * Whether both are the same venue for an order: a confirmation for one is valid for the other. Every part of the
 * profile counts, because each part changes what is sent or where.
 */
export function sameService(a: Venue, b: Venue | undefined): boolean {
  const { baseUrl, ...rest } = a.profile;
  const { baseUrl: otherUrl, ...otherRest } = b?.profile ?? {};
  return a.id === b?.id && baseUrl.href === otherUrl?.href && isDeepStrictEqual(rest, otherRest);
}

/** Whether the venue's exchange takes orders to sell. */
export function offersAsks(venue: Venue | undefined): boolean {
  return venue?.profile.features.placeAsk !== undefined;
}

/** Whether the venue's exchange takes orders that may only wait in the book. */
export function offersPostOnly(venue: Venue | undefined): boolean {
  return venue?.profile.features.postOnly === true;
}

/** Whether the venue's exchange cancels orders. */
export function offersCancel(venue: Venue | undefined): boolean {
  return venue?.client.capabilities.cancelOrder !== undefined;
}

/** Whether the venue's exchange tells what became of orders. */
export function tellsOrders(venue: Venue | undefined): boolean {
  const { openOrders, orderInfo, orderHistory } = venue?.client.capabilities ?? {};
  return (openOrders ?? orderInfo ?? orderHistory ?? venue?.client.privateStream) !== undefined;
}

/**
 * The name of the venue's exchange, for drafts and other things that belong to an exchange: the origin of a live
 * exchange. The address of the practice exchange changes at each start, so it is not used.
 */
export function exchangeOf({ id, mayMove, profile }: Venue): string {
  return mayMove ? id : profile.baseUrl.origin;
}

/** The exchange of an order or an alert, as it was recorded. */
export interface Place {
  readonly venue: VenueId;
  /** Scheme, host and port. For the practice exchange it changes and has no meaning. */
  readonly origin: string;
}

/** Whether a record belongs to the exchange of `current`. */
export function isAt({ venue, origin }: Place, current: Venue): boolean {
  return venue === current.id && (current.mayMove || origin === current.profile.baseUrl.origin);
}

/**
 * Whether both are the same venue for a reader: data of one may be shown for the other. A venue that moved is still
 * the same one.
 */
export function sameVenue(a: Venue | undefined, b: Venue | undefined): boolean {
  return a !== undefined && (a.mayMove ? a.id === b?.id : sameService(a, b));
}

/** Whether nobody listens at the venue's address. A signed read asks for the server time first. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof NotSentError)) return false;
  return error.reason === "unreachable" || (error.reason === "clockUnknown" && isUnreachable(error.cause));
}
