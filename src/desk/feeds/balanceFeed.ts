import { NotSentError } from "../../exchange/errors.ts";
import { freeOf, knownBalance, type Wallet } from "../../market/balance.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import { isSameFailure } from "../reportOnChange.ts";
import type { Timers } from "../time/timers.ts";
import type { CurrentVenue, Venue } from "../venue.ts";
import type { Windows } from "../windows/windows.ts";
import type { Polled } from "./polled.ts";
import type { Source } from "./source.ts";
import { isOlderThan } from "./tickerFeed.ts";

/** The account as last seen. On failure the last balances stay, with the problem beside them. */
export interface BalanceState {
  readonly wallet: Wallet | undefined;
  /** When the shown balances were requested, ms since the epoch. They are not older than that. */
  readonly readAt: number | undefined;
  readonly problem: unknown;
}

const EMPTY: BalanceState = { wallet: undefined, readAt: undefined, problem: undefined };

/** An older balance says nothing about the money that is available now. */
export const OLDEST_BALANCE_MS = 600_000;

/** A reading of the balance, or only why there is none. */
export type BalanceUpdate = BalanceState | Pick<BalanceState, "problem">;

export interface BalanceFeedOptions {
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  readonly windows: Windows;
  readonly polled: Polled<Venue, BalanceUpdate>;
  /** What another window reads for this one. */
  readonly remote?: Source<Venue, BalanceUpdate>;
}

/**
 * The wallet of the current account, read in this window or another one: at long intervals, and at once after an order or
 * on request.
 */
export class BalanceFeed extends Disposable {
  /** The requests of this window. */
  readonly polled: Polled<Venue, BalanceUpdate>;
  readonly #options: BalanceFeedOptions;
  readonly #changes = new Event<BalanceState>();
  #state = EMPTY;
  #stops: readonly (() => void)[] = [];

  /** Fires for every reading, and for every failure that differs from the one before. */
  readonly onDidChange = this.#changes.add;

  constructor(options: BalanceFeedOptions) {
    super();
    this.#options = options;
    const { venue } = options;
    this.polled = this.register(options.polled);
    this.register(
      venue.onDidChange(() => this.clear()),
      venue.onDidChangeKey(() => this.clear()),
      () => this.#stopSources(),
    );
    this.#follow();
  }

  get state(): BalanceState {
    return this.#state;
  }

  /**
   * The available balance of an asset: zero for an asset that the wallet does not list. Undefined if the balance is
   * unreadable or too old to check an order against; then the exchange decides.
   */
  available(asset: string): Decimal | undefined {
    const wallet = this.#freshWallet;
    return wallet && freeOf(wallet, asset);
  }

  /** The same for the balance that open orders reserve. Undefined for an asset that the wallet does not list. */
  reserved(asset: string): Decimal | undefined {
    return knownBalance(this.#freshWallet, asset)?.reserved;
  }

  get #freshWallet(): Wallet | undefined {
    const { wallet, readAt = Number.NaN } = this.#state;
    const ageMs = this.#options.timers.now() - readAt;
    return ageMs >= 0 && ageMs <= OLDEST_BALANCE_MS ? wallet : undefined;
  }

  /** True if no key can be read for the venue. This is no failure: the person has to enter a key. */
  get needsCredentials(): boolean {
    return isMissingKey(this.#state.problem);
  }

  /** Reads now, in the window that reads for this one. */
  refresh(): Promise<void> {
    return this.polled.refresh({ isOutdated: true });
  }

  /** This window sent an order, so the balance has changed for all windows. */
  refreshEverywhere(): void {
    this.#options.windows.publish({ type: "balanceChanged" });
    void this.polled.refresh({ isOutdated: true, isAnnounced: true });
  }

  /** Begins anew: another exchange or another key. A reading that began with the key before is dropped. */
  clear(): void {
    this.#stopSources();
    this.#state = EMPTY;
    this.#changes.fire(this.#state);
    this.#follow();
  }

  /**
   * Takes a reading of the current account, from this window or another one, or the failure of a reading. Balances that
   * are older than the shown ones are left out.
   */
  adopt(update: BalanceUpdate): void {
    const state = { ...this.#state, ...update };
    const { problem } = state;
    const isOlder = isOlderThan(this.#state.readAt, state.readAt, this.#options.timers.now());
    if (isOlder && problem === undefined) return;
    const isNews = problem === undefined || !isSameFailure(this.#state.problem, problem);
    this.#state = isOlder ? { ...this.#state, problem } : state;
    if (isNews) this.#changes.fire(this.#state);
  }

  #follow(): void {
    const { venue, remote } = this.#options;
    const current = venue.venue;
    if (!current) return;
    this.#stops = [this.polled, remote].flatMap(
      (source) => source?.follow(current, (update) => this.adopt(update)) ?? [],
    );
  }

  #stopSources(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }
}

/** Whether a reading failed for want of a key, which is no failure of the exchange. */
export function isMissingKey(problem: unknown): boolean {
  return (
    problem instanceof NotSentError &&
    (problem.reason === "noCredentials" || problem.reason === "credentialsUnreadable")
  );
}
