import { knownBalance, type Wallet } from "../market/balance.ts";
import type { Decimal } from "../market/decimal.ts";
import { NotSentError } from "../exchange/errors.ts";
import { Listeners } from "./listeners.ts";
import { Poll, type PollResult } from "./poll.ts";
import { retryTime } from "./retryTime.ts";
import type { FeedOptions } from "./tickerFeed.ts";
import type { Timers } from "./timers.ts";
import { saysTheSame } from "./trouble.ts";
import { sameVenue, type CurrentVenue } from "./venue.ts";

/** The account as last seen. On failure the last balances stay, with the problem beside them. */
export interface BalanceState {
  readonly wallet: Wallet | undefined;
  /** When the shown balances were asked for, ms since the epoch: they are no older than that. */
  readonly readAt: number | undefined;
  readonly problem: unknown;
}

const EMPTY: BalanceState = { wallet: undefined, readAt: undefined, problem: undefined };

/** A balance that was read longer ago says nothing of what is free now. */
export const OLDEST_BALANCE_MS = 600_000;

/** The wallet of the current venue, read here or in another window: slowly, and at once after a bid or when asked. */
export class BalanceFeed {
  readonly poll: Poll;
  /** How often it is to be read while a person is at work in a window, ms. */
  readonly intervalMs: number;
  readonly #venue: CurrentVenue;
  readonly #timers: Timers;
  readonly #mayBegin: (() => boolean) | undefined;
  readonly #changes = new Listeners<BalanceState>();
  #state = EMPTY;

  /** Fires for every reading, and for a failure that says something new. */
  readonly onDidChange = this.#changes.add;

  constructor(options: FeedOptions) {
    this.#venue = options.venue;
    this.#timers = options.timers;
    this.#mayBegin = options.mayBegin;
    this.intervalMs = options.intervalMs;
    this.poll = new Poll({ ...options, run: () => this.#read() });
  }

  get state(): BalanceState {
    return this.#state;
  }

  /**
   * Free balance of an asset; undefined while none is known that is recent enough to hold a bid to. An unreadable balance
   * is such a one: the bid is not held to it, and the exchange decides, as before the wallet was first read.
   */
  available(asset: string): Decimal | undefined {
    const { wallet, readAt = Number.NaN } = this.#state;
    const ageMs = this.#timers.now() - readAt;
    return ageMs >= 0 && ageMs <= OLDEST_BALANCE_MS ? knownBalance(wallet, asset)?.available : undefined;
  }

  /** True when the venue has no key that can be read: nothing is wrong there, something is to be entered. */
  get needsCredentials(): boolean {
    return isMissingKey(this.#state.problem);
  }

  /** Forgets the account: the venue or the key is another one now. */
  clear(): void {
    this.#state = EMPTY;
    this.#changes.fire(this.#state);
  }

  /** Takes in what was read of the current account, here or in another window, or that it could not be read. */
  adopt(state: BalanceState): void {
    const isNews = state.problem === undefined || !saysTheSame(this.#state.problem, state.problem);
    this.#state = state;
    if (isNews) this.#changes.fire(state);
  }

  async #read(): Promise<PollResult> {
    const venue = this.#venue.venue;
    if (!venue) return { ok: true };
    const readAt = this.#timers.now();
    try {
      const wallet = await this.#venue.read(venue, (client) => client.wallet(this.#mayBegin));
      if (sameVenue(venue, this.#venue.venue)) this.adopt({ wallet, readAt, problem: undefined });
      return { ok: true };
    } catch (problem) {
      if (!sameVenue(venue, this.#venue.venue)) return { ok: true };
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
