import { isDeepStrictEqual } from "node:util";
import type { ExchangeClient } from "../exchange/client.ts";
import { isAnswer, isUnreachable } from "../exchange/meaning.ts";
import type { ServiceProfile } from "../exchange/profile.ts";
import type { Credentials } from "../exchange/signing/credentials.ts";
import type { Account } from "../market/order.ts";
import { Event } from "./event.ts";
import { NO_ACCOUNT, type Session, type SessionEvents } from "./session.ts";

export type VenueId = "practice" | "live";

/** The result of opening a venue. Practice and live differ only in these fields. */
export interface VenueOpening {
  /** The display name: "Practice", or the live host's name. */
  readonly name: string;
  readonly profile: ServiceProfile;
  readonly credentials: () => Promise<Credentials | undefined>;
  /** The address may change while the venue is open, so an unreachable venue is reopened. */
  readonly addressMayChange: boolean;
}

export interface Venue extends VenueOpening {
  readonly id: VenueId;
  readonly client: ExchangeClient;
  /** The API key in use; missing at the practice exchange, which has one account. */
  readonly session?: Session;
}

export type VenueState =
  | { readonly kind: "opening"; readonly id: VenueId }
  | { readonly kind: "ready"; readonly venue: Venue }
  /** The settings or the computer prevent opening it; `error` says why. */
  | { readonly kind: "unusable"; readonly id: VenueId; readonly error: unknown };

export interface CurrentVenueOptions {
  readonly open: Readonly<Record<VenueId, () => Promise<VenueOpening>>>;
  readonly createClient: (opening: VenueOpening) => ExchangeClient;
  /** Begins a session for a key at a live exchange. If missing, keys are not distinguished. */
  readonly beginSession?: (opening: VenueOpening, events: SessionEvents) => Session;
  /** Called for each response before it is used: the computer may have slept. */
  readonly checkWake: () => void;
}

/** The one venue that the desk shows and trades on. */
export class CurrentVenue {
  readonly #options: CurrentVenueOptions;
  readonly #changed = new Event<VenueState>();
  readonly #addressChanged = new Event<void>();
  readonly #keyChanged = new Event<void>();
  readonly #accountLearned = new Event<void>();
  readonly #reconnected = new Event<void>();
  #state: VenueState = { kind: "opening", id: "practice" };
  #round = 0;
  #wasUnreachable = false;
  #reopening: Promise<void> | undefined;

  /** Fires when the desk must discard its data: another venue, or a venue that became usable or unusable. */
  readonly onDidChange = this.#changed.add;

  /** Fires when the same venue has a new address: data stay valid, and connections to the old address are dead. */
  readonly onDidChangeAddress = this.#addressChanged.add;

  /** Fires when another key may be in use: data of the account must be discarded. Public data stay valid. */
  readonly onDidChangeKey = this.#keyChanged.add;

  /** Fires when the signed-in account becomes known. */
  readonly onDidLearnAccount = this.#accountLearned.add;

  /** Fires at the first response, even an error, after the exchange was unreachable. */
  readonly onDidReconnect = this.#reconnected.add;

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

  /** Opens a venue and closes the previous one. Never rejects: a venue that cannot be opened is a state. */
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

  /** Call when a key was stored or removed: begins another session, with a client of its own. */
  async changeKey(): Promise<void> {
    const { venue } = this;
    if (!venue?.session) return;
    const round = ++this.#round;
    const { id, session, client, ...opening } = venue;
    const next = await this.#signIn(id, { ...opening, credentials: session.stored });
    if (round !== this.#round) return;
    if (client.clock) next.client.adoptClock(client.clock);
    this.#state = { kind: "ready", venue: next };
    this.#keyChanged.fire();
  }

  /**
   * Runs a read on the venue. If the venue is unreachable and its address may have changed, reopens it and retries
   * once. For reads only: an order goes to the venue it was confirmed for, or nowhere.
   */
  async read<T>(venue: Venue, task: (client: ExchangeClient) => Promise<T>): Promise<T> {
    try {
      const result = await this.#readOrReopen(venue, task);
      this.#noteAnswer();
      return result;
    } catch (error) {
      if (isUnreachable(error)) this.#wasUnreachable = true;
      else if (isAnswer(error)) this.#noteAnswer();
      throw error;
    }
  }

  #noteAnswer(): void {
    if (!this.#wasUnreachable) return;
    this.#wasUnreachable = false;
    this.#reconnected.fire();
  }

  async #readOrReopen<T>(venue: Venue, task: (client: ExchangeClient) => Promise<T>): Promise<T> {
    try {
      return await task(venue.client).finally(this.#options.checkWake);
    } catch (error) {
      if (!isUnreachable(error) || !venue.addressMayChange) throw error;
      if (this.venue === venue) await this.#reopen(venue);
      const moved = this.venue;
      if (!moved || moved === venue || moved.id !== venue.id) throw error;
      return await task(moved.client).finally(this.#options.checkWake);
    }
  }

  /** Reopens the venue, maybe at a new address. Its data stay valid, so `onDidChange` does not fire. */
  #reopen(venue: Venue): Promise<void> {
    this.#reopening ??= (async () => {
      try {
        const moved = await this.#open(venue.id);
        if (this.venue !== venue) return;
        this.#state = { kind: "ready", venue: moved };
        if (moved.profile.baseUrl.href !== venue.profile.baseUrl.href) this.#addressChanged.fire();
      } catch {
        // The read reports its own error. The next read tries to open the venue again.
      } finally {
        this.#reopening = undefined;
      }
    })();
    return this.#reopening;
  }

  async #open(id: VenueId): Promise<Venue> {
    return await this.#signIn(id, await this.#options.open[id]());
  }

  #signIn(id: VenueId, opening: VenueOpening): Venue {
    const { beginSession, createClient } = this.#options;
    if (!beginSession || opening.addressMayChange) return { ...opening, id, client: createClient(opening) };
    const session: Session = beginSession(opening, {
      onDidLearn: () => this.venue?.session === session && this.#accountLearned.fire(),
      onOtherKey: () => this.venue?.session === session && void this.changeKey(),
    });
    const signed = { ...opening, credentials: () => session.credentials() };
    return { ...signed, id, session, client: createClient(signed) };
  }

  #change(state: VenueState): void {
    this.#state = state;
    this.#wasUnreachable = false;
    this.#changed.fire(state);
  }
}

/**
 * Whether an order confirmed for one venue may be sent to the other. The account must be the same, and every part of
 * the profile, because each part changes what is sent or where.
 */
export function sameService(a: Venue, b: Venue | undefined): boolean {
  return sameProfile(a, b) && sameSession(a, b);
}

/** Whether both are the same service with the same settings, whatever the account. */
export function sameProfile(a: Venue, b: Venue | undefined): boolean {
  const { baseUrl, ...rest } = a.profile;
  const { baseUrl: otherUrl, ...otherRest } = b?.profile ?? {};
  return a.id === b?.id && baseUrl.href === otherUrl?.href && isDeepStrictEqual(rest, otherRest);
}

/** Whether both sign for the same account. An unknown account equals no other. */
function sameSession({ session }: Venue, b: Venue | undefined): boolean {
  const other = b?.session;
  return session === other || (session?.account !== undefined && session.account === other?.account);
}

/** Whether the venue's exchange accepts sell orders. */
export function offersAsks(venue: Venue | undefined): boolean {
  return venue?.profile.features.placeAsk !== undefined;
}

/** Whether the venue's exchange accepts post-only orders. */
export function offersPostOnly(venue: Venue | undefined): boolean {
  return venue?.profile.features.postOnly === true;
}

/** Whether the venue's exchange supports cancelling orders. */
export function offersCancel(venue: Venue | undefined): boolean {
  return venue?.client.capabilities.cancelOrder !== undefined;
}

/** Whether the venue's exchange reports the status of orders. */
export function reportsOrders(venue: Venue | undefined): boolean {
  const { openOrders, orderInfo, orderHistory } = venue?.client.capabilities ?? {};
  return (openOrders ?? orderInfo ?? orderHistory ?? venue?.client.privateStream) !== undefined;
}

/**
 * The identifier of the venue's exchange, for drafts and other data of an exchange: the origin of a live exchange. The
 * practice exchange has a new address at each start, so its venue id is used.
 */
export function exchangeOf({ id, addressMayChange, profile }: Venue): string {
  return addressMayChange ? id : profile.baseUrl.origin;
}

/** The account that the venue's records belong to. */
export function accountOf({ id, profile, session }: Venue): Account {
  const account = session?.account;
  return { venue: id, origin: profile.baseUrl.origin, ...(account !== undefined && { account }) };
}

/** The account that is signed in; undefined without a key, and before a key was read. */
export function signedInAccount(venue: Venue | undefined): string | undefined {
  const account = venue?.session?.account;
  return account === NO_ACCOUNT ? undefined : account;
}

/**
 * Whether a record belongs to the signed-in account. Until the key was read, records of any account at the exchange do;
 * no request about an order is sent before that.
 */
export function isInAccount(record: Account, current: Venue): boolean {
  const account = current.session?.account;
  return isAt(record, current) && (account === undefined || record.account === account);
}

/** The exchange of an order or an alert, as it was recorded. */
export interface Place {
  readonly venue: VenueId;
  /** Scheme, host and port. For the practice exchange it changes and has no meaning. */
  readonly origin: string;
}

/** Whether a record belongs to the exchange of `current`. */
export function isAt({ venue, origin }: Place, current: Venue): boolean {
  return venue === current.id && (current.addressMayChange || origin === current.profile.baseUrl.origin);
}

/**
 * Whether public data of one venue may be shown for the other. The address does not matter if it may change while the
 * venue is open.
 */
export function sameVenue(a: Venue | undefined, b: Venue | undefined): boolean {
  return a !== undefined && (a.addressMayChange ? a.id === b?.id : sameProfile(a, b));
}

/** The same for data of an account. */
export function sameAccount(a: Venue | undefined, b: Venue | undefined): boolean {
  return a !== undefined && sameVenue(a, b) && sameSession(a, b);
}
