import { meaningOf } from "../../exchange/meaning.ts";
import { freeOf, knownBalance, type Wallet } from "../../market/balance.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import { isSameFailure } from "../reportOnChange.ts";
import type { Timers } from "../../time/timers.ts";
import type { CurrentVenue, Watching } from "../venue.ts";
import type { Windows } from "../windows/windows.ts";
import type { Polled } from "./polled.ts";
import type { Source } from "./source.ts";
import { isOlderThan } from "./marketState.ts";

/** The last known balances. A failure keeps them and sets `problem`. */
export interface BalanceState {
  readonly wallet: Wallet | undefined;
  /** When the shown balances were requested, ms since the epoch: they are not older. */
  readonly readAt: number | undefined;
  readonly problem: unknown;
}

const EMPTY: BalanceState = { wallet: undefined, readAt: undefined, problem: undefined };

/** Maximum age of a balance that orders are checked against. */
const OLDEST_BALANCE_MS = 600_000;

/** A polled balance, or the problem of a failed poll. */
export type BalanceUpdate = BalanceState | Pick<BalanceState, "problem">;

export interface BalanceFeedOptions {
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  readonly windows: Windows;
  readonly polled: Polled<Watching, BalanceUpdate>;
  /** The polls of another window for this one. */
  readonly remote?: Source<Watching, BalanceUpdate>;
}

/**
 * The wallet of the current account, polled by this window or another one: at long intervals, and at once after an
 * order or on request.
 */
export class BalanceFeed extends Disposable {
  /** The requests of this window. */
  readonly polled: Polled<Watching, BalanceUpdate>;
  readonly #options: BalanceFeedOptions;
  readonly #changes = new Event<BalanceState>();
  #state = EMPTY;
  #stops: readonly (() => void)[] = [];

  /** Fires for every successful poll, and for every failure that differs from the previous one. */
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

  /** Whether no key can be read for the venue: not a failure, but the user must enter one. */
  get needsCredentials(): boolean {
    return isMissingKey(this.#state.problem);
  }

  /** Polls now, in the window that polls for this one. */
  refresh(): Promise<void> {
    return this.polled.refresh({ isOutdated: true });
  }

  /** Call after sending an order: the balance has changed for all windows. */
  refreshEverywhere(): void {
    this.#options.windows.publish({ type: "balanceChanged" });
    void this.polled.refresh({ isOutdated: true, isAnnounced: true });
  }

  /** Resets for another exchange or key. A poll that began with the previous key is dropped. */
  clear(): void {
    this.#stopSources();
    this.#state = EMPTY;
    this.#changes.fire(this.#state);
    this.#follow();
  }

  /**
   * Applies a poll of the current account, successful or failed, by this window or another one. Balances older than the
   * shown ones are ignored.
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

/** Whether a poll failed because of a missing key, which is not a failure of the exchange. */
export function isMissingKey(problem: unknown): boolean {
  return ["noCredentials", "credentialsUnreadable"].includes(meaningOf(problem));
}
