import type { ExchangeClient, MarketClient } from "../exchange/client.ts";
import type { Endpoint } from "../exchange/endpoints.ts";
import { NotSentError } from "../exchange/errors.ts";
import { isAnswer, isUnreachable } from "../exchange/meaning.ts";
import type { ServiceProfile } from "../exchange/profile.ts";
import {
  type Credentials,
  OtherKeyError,
  type Secret,
  UnknownOwnerError,
} from "../exchange/signing/credentials.ts";
import { type Account, practiceAccount } from "../market/account.ts";
import type { AccountRef } from "../market/order.ts";
import { Event } from "./event.ts";
import { Session } from "./session.ts";
import type { Timers } from "../time/timers.ts";

/** The result of opening the exchange of an account. Practice and live differ only in these fields. */
export interface VenueOpening {
  /** The display name: "Practice", or the live host's name, after the label if there is one. */
  readonly name: string;
  /** The label of a live account, if it tells more than the host: it was renamed, or there are several. */
  readonly label?: string | undefined;
  readonly profile: ServiceProfile;
  readonly credentials: () => Promise<Credentials | undefined>;
  /** The address may change while the venue is open, so an unreachable venue is reopened. */
  readonly addressMayChange: boolean;
}

/**
 * An account whose market is read. Another account, profile, address or key makes another object, so whatever began with
 * one compares it with the current one by identity.
 */
export interface Watching extends Omit<VenueOpening, "credentials"> {
  readonly account: Account;
  /** How its records name the account. */
  readonly ref: AccountRef;
  readonly client: MarketClient;
}

/** An account whose key was read, and belongs to it. Needed for orders, balances, fills and costs. */
export interface SignedIn extends Watching, Pick<VenueOpening, "credentials"> {
  readonly client: ExchangeClient;
}

export type VenueState =
  | { readonly kind: "opening"; readonly account: Account }
  | { readonly kind: "ready"; readonly venue: Watching }
  /** The profile or the computer prevents opening it; `error` says why. */
  | { readonly kind: "unusable"; readonly account: Account; readonly error: unknown };

export interface CurrentVenueOptions {
  readonly open: (account: Account) => Promise<VenueOpening>;
  readonly createClient: (opening: VenueOpening) => ExchangeClient;
  /** The digest of a key. Rejects if the disk fails. */
  readonly digestOf: (apiKey: Secret) => Promise<string>;
  /** Whether the key of this digest may be used for a live account. Rejects if the disk fails. */
  readonly admits: (account: Account, digest: string) => Promise<boolean>;
  readonly timers: Timers;
  /** Called for each response before it is used: the computer may have slept. */
  readonly checkWake: () => void;
}

interface Opened {
  readonly opening: VenueOpening;
  readonly venue: Watching;
  readonly client: ExchangeClient;
  /** The API key in use; missing at the practice exchange, which has one account. */
  readonly session?: Session;
  signedIn?: SignedIn;
}

/** The account that the desk shows and trades with. */
export class CurrentVenue {
  readonly #options: CurrentVenueOptions;
  readonly #changed = new Event<VenueState>();
  readonly #addressChanged = new Event<void>();
  readonly #keyChanged = new Event<void>();
  readonly #signedIn = new Event<void>();
  readonly #reconnected = new Event<void>();
  #state: VenueState = { kind: "opening", account: practiceAccount };
  #opened: Opened | undefined;
  #round = 0;
  #wasUnreachable = false;
  #reopening: Promise<void> | undefined;

  /** Fires when the desk must discard its data: another venue, or a venue that became usable or unusable. */
  readonly onDidChange = this.#changed.add;

  /** Fires when the same venue has a new address: data stay valid, and connections to the old address are dead. */
  readonly onDidChangeAddress = this.#addressChanged.add;

  /** Fires when another key may be in use: data of the account must be discarded. Public data stay valid. */
  readonly onDidChangeKey = this.#keyChanged.add;

  /** Fires when the key of a live exchange was read, so that its account is known. */
  readonly onDidSignIn = this.#signedIn.add;

  /** Fires at the first response, even an error, after the exchange was unreachable. */
  readonly onDidReconnect = this.#reconnected.add;

  constructor(options: CurrentVenueOptions) {
    this.#options = options;
  }

  get state(): VenueState {
    return this.#state;
  }

  /** The venue, if one is ready. */
  get venue(): Watching | undefined {
    return this.#opened?.venue;
  }

  /** The same with its account; undefined without a key, and before it was read. */
  get signedIn(): SignedIn | undefined {
    return this.#opened?.signedIn;
  }

  get account(): Account {
    return this.#state.kind === "ready" ? this.#state.venue.account : this.#state.account;
  }

  /** Opens an account and closes the previous one. Never rejects: one that cannot be opened is a state. */
  async select(account: Account): Promise<void> {
    const round = ++this.#round;
    this.#change({ kind: "opening", account });
    let next: Opened | { readonly error: unknown };
    try {
      next = await this.#open(account);
    } catch (error) {
      next = { error };
    }
    if (round !== this.#round) return;
    if ("error" in next) this.#change({ kind: "unusable", account, error: next.error });
    else this.#change({ kind: "ready", venue: next.venue }, next);
  }

  /** Call when a key was stored or removed: begins another session, with a client of its own. */
  changeKey(): void {
    const before = this.#opened;
    if (!before?.session) return;
    const next = this.#begin(before.venue.account, before.opening);
    if (before.client.clock) next.client.adoptClock(before.client.clock);
    this.#use(next);
    this.#keyChanged.fire();
  }

  /** Call when the key of an account was replaced: one that was refused may be the account's now. */
  recheckKey(): void {
    if (this.#opened?.session?.isOwnerUnknown) this.changeKey();
  }

  /**
   * Reads the key of the venue unless it was read. `endpoint` is what it is needed for. Rejects with NotSentError if no
   * key is stored, if it cannot be read or may be another account's, or if venue or key changed meanwhile.
   */
  async signIn(endpoint: Endpoint): Promise<SignedIn> {
    const opened = this.#opened;
    try {
      await opened?.session?.signIn();
    } catch (error) {
      if (error instanceof UnknownOwnerError)
        throw new NotSentError(
          endpoint,
          "keyOwnerUnknown",
          "the stored API key may belong to another account",
        );
      // The secret storage's own message is dropped, because it handles the secret.
      if (!(error instanceof OtherKeyError))
        throw new NotSentError(endpoint, "credentialsUnreadable", "the stored API key could not be read");
    }
    if (!opened || opened !== this.#opened)
      throw new NotSentError(endpoint, "keyChanged", "another exchange or API key is in use now");
    if (!opened.signedIn)
      throw new NotSentError(endpoint, "noCredentials", "no API key and secret are stored");
    return opened.signedIn;
  }

  /**
   * Runs a read on the venue. If the venue is unreachable and its address may have changed, reopens it and retries
   * once. For reads only: an order goes to the venue it was confirmed for, or nowhere.
   */
  read<T>(venue: SignedIn, task: (client: ExchangeClient) => Promise<T>): Promise<T>;
  read<T>(venue: Watching, task: (client: MarketClient) => Promise<T>): Promise<T>;
  async read<T>(venue: Watching, task: (client: ExchangeClient) => Promise<T>): Promise<T> {
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

  async #readOrReopen<T>(venue: Watching, task: (client: ExchangeClient) => Promise<T>): Promise<T> {
    try {
      // The overloads of `read` give a task no more of the client than its venue has.
      return await task(venue.client as ExchangeClient).finally(this.#options.checkWake);
    } catch (error) {
      if (!isUnreachable(error) || !venue.addressMayChange) throw error;
      const isOf = (opened: Opened): boolean => opened.venue === venue || opened.signedIn === venue;
      if (this.#opened && isOf(this.#opened)) await this.#reopen(this.#opened);
      const moved = this.#opened;
      if (!moved || isOf(moved) || moved.venue.account.id !== venue.account.id) throw error;
      return await task(moved.client).finally(this.#options.checkWake);
    }
  }

  /** Reopens the venue, maybe at a new address. Its data stay valid, so `onDidChange` does not fire. */
  #reopen(opened: Opened): Promise<void> {
    this.#reopening ??= (async () => {
      try {
        const moved = await this.#open(opened.venue.account);
        if (this.#opened !== opened) return;
        this.#use(moved);
        if (moved.venue.profile.baseUrl.href !== opened.venue.profile.baseUrl.href)
          this.#addressChanged.fire();
      } catch {
        // The read reports its own error. The next read tries to open the venue again.
      } finally {
        this.#reopening = undefined;
      }
    })();
    return this.#reopening;
  }

  async #open(account: Account): Promise<Opened> {
    return this.#begin(account, await this.#options.open(account));
  }

  #begin(account: Account, opening: VenueOpening): Opened {
    const { createClient, digestOf, admits, timers } = this.#options;
    const { credentials, ...shown } = opening;
    const { origin } = opening.profile.baseUrl;
    const ref = { venue: account.kind, origin, ...(account.kind === "live" && { account: account.id }) };
    if (opening.addressMayChange) {
      const client = createClient(opening);
      const venue = { ...shown, account, ref, client };
      return { opening, venue, client, signedIn: { ...venue, credentials } };
    }
    const session = new Session({
      credentials,
      digestOf,
      admits: (digest) => admits(account, digest),
      onDidSignIn: () => {
        opened.signedIn = { ...signed, account, ref, client };
        if (this.#opened === opened) this.#signedIn.fire();
      },
      onOtherKey: () => this.#opened === opened && this.changeKey(),
      timers,
    });
    const signed = { ...opening, credentials: () => session.credentials() };
    const client = createClient(signed);
    const opened: Opened = { opening, venue: { ...shown, account, ref, client }, client, session };
    return opened;
  }

  #use(opened: Opened): void {
    this.#opened = opened;
    this.#state = { kind: "ready", venue: opened.venue };
  }

  #change(state: VenueState, opened?: Opened): void {
    this.#state = state;
    this.#opened = opened;
    this.#wasUnreachable = false;
    this.#changed.fire(state);
  }
}

/** Why a command could not sign in. */
export type SignInProblem =
  | { readonly kind: ReturnType<typeof replacedBy> }
  /** No API key could be read. `error` is a NotSentError. */
  | { readonly kind: "notSignedIn"; readonly venue: Watching; readonly error: unknown };

/** Signs in to the venue that a command of the user began with. */
export async function signInTo(
  venue: Watching,
  current: Pick<CurrentVenue, "venue" | "signIn">,
  endpoint: Endpoint,
): Promise<SignedIn | SignInProblem> {
  try {
    return await current.signIn(endpoint);
  } catch (error) {
    if (current.venue !== venue) return { kind: replacedBy(venue, current.venue) };
    return { kind: "notSignedIn", venue, error };
  }
}

/** What changed since the user was asked: the exchange or its profile, or the key alone. */
export function replacedBy(before: Watching, now: Watching | undefined): "venueChanged" | "accountChanged" {
  // Another key is used with the same profile.
  return before.profile === now?.profile ? "accountChanged" : "venueChanged";
}

/** Whether the venue's exchange accepts sell orders. */
export function offersAsks(venue: Watching | undefined): boolean {
  return venue?.profile.features.placeAsk !== undefined;
}

/** Whether the venue's exchange accepts post-only orders. */
export function offersPostOnly(venue: Watching | undefined): boolean {
  return venue?.profile.features.postOnly === true;
}

/** Whether the venue's exchange supports cancelling orders. */
export function offersCancel(venue: Watching | undefined): boolean {
  return venue?.client.capabilities.cancelOrder !== undefined;
}

/** Whether the venue's exchange reports the status of orders. */
export function reportsOrders(venue: Watching | undefined): boolean {
  const { openOrders, orderInfo, orderHistory } = venue?.client.capabilities ?? {};
  return (openOrders ?? orderInfo ?? orderHistory ?? venue?.client.privateStream) !== undefined;
}
