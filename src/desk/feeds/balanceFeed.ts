import { NotSentError, retryTime } from "../../exchange/errors.ts";
import { freeOf, knownBalance, type Wallet } from "../../market/balance.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import { Event } from "../event.ts";
import { saysTheSame } from "../reportOnChange.ts";
import type { Timers } from "../time/timers.ts";
import { sameAccount, type CurrentVenue } from "../venue.ts";
import { Poll, type PollResult } from "./poll.ts";
import { type FeedOptions, beginFeedRead, isOlderThan, isTakenOver } from "./tickerFeed.ts";

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

/**
 * The wallet of the current venue, read in this window or another one: at long intervals, and at once after an order or
 * on request.
 */
export class BalanceFeed {
  readonly poll: Poll;
  /** The interval of readings while a person works in a window, in ms. */
  readonly intervalMs: number;
  readonly #venue: CurrentVenue;
  readonly #timers: Timers;
  readonly #options: FeedOptions;
  readonly #changes = new Event<BalanceState>();
  #state = EMPTY;

  /** Fires for every reading, and for every failure that differs from the one before. */
  readonly onDidChange = this.#changes.add;

  constructor(options: FeedOptions) {
    this.#venue = options.venue;
    this.#timers = options.timers;
    this.#options = options;
    this.intervalMs = options.intervalMs;
    this.poll = new Poll({ ...options, run: () => this.#read() });
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
    const ageMs = this.#timers.now() - readAt;
    return ageMs >= 0 && ageMs <= OLDEST_BALANCE_MS ? wallet : undefined;
  }

  /** True if no key can be read for the venue. This is no failure: the person has to enter a key. */
  get needsCredentials(): boolean {
    return isMissingKey(this.#state.problem);
  }

  /** Forgets the account, because the venue or the key has changed. A reading that began with the key before is dropped. */
  clear(): void {
    this.#state = EMPTY;
    this.#changes.fire(this.#state);
  }

  /**
   * Takes a reading of the current account, from this window or another one, or the failure of a reading. Balances that
   * are older than the shown ones are left out.
   */
  adopt(state: BalanceState): void {
    const { problem } = state;
    const isOlder = isOlderThan(this.#state.readAt, state.readAt, this.#timers.now());
    if (isOlder && problem === undefined) return;
    const isNews = problem === undefined || !saysTheSame(this.#state.problem, problem);
    this.#state = isOlder ? { ...this.#state, problem } : state;
    if (isNews) this.#changes.fire(this.#state);
  }

  async #read(): Promise<PollResult> {
    const venue = this.#venue.venue;
    if (!venue) return { ok: true };
    const read = beginFeedRead(this.#options);
    try {
      const wallet = await this.#venue.read(venue, (client) => client.wallet(read.gate));
      if (sameAccount(venue, this.#venue.venue))
        this.adopt({ wallet, readAt: read.readAt, problem: undefined });
      return { ok: true };
    } catch (problem) {
      if (isTakenOver(problem) || !sameAccount(venue, this.#venue.venue)) return { ok: true };
      this.adopt({ ...this.#state, problem });
      return { ok: isMissingKey(problem), retryAt: retryTime(problem) };
    }
  }
}

function isMissingKey(problem: unknown): boolean {
  return (
    problem instanceof NotSentError &&
    (problem.reason === "noCredentials" || problem.reason === "credentialsUnreadable")
  );
}
