import { retryTime } from "../../exchange/errors.ts";
import type { Follower } from "../../hub/leader.ts";
import type { Announcement, WindowDemand, Reading, Request } from "../../hub/protocol.ts";
import type { Wallet } from "../../market/balance.ts";
import { Decimal, plainText } from "../../market/numbers/decimal.ts";
import { Disposable } from "../disposable.ts";
import type { BalanceFeed } from "../feeds/balanceFeed.ts";
import type { Timers } from "../time/timers.ts";
import type { CurrentVenue } from "../venue.ts";
import { adoptProblem, shareProblem } from "./problemMessages.ts";
import { balanceIntervalMs } from "./readIntervals.ts";
import type { Windows } from "./windows.ts";

type BalanceMessage = Extract<Reading, { type: "balance" }>;
type AskedMessage = Extract<Reading, { type: "asked" }>;
type ClockMessage = Extract<Reading, { type: "clock" }>;

export interface SharedBalanceOptions {
  readonly windows: Windows;
  readonly venue: CurrentVenue;
  readonly balances: BalanceFeed;
  readonly timers: Timers;
}

/** A keyring may wait for its password for hours. */
const KEYRING_MS = 10_000;

/**
 * One balance for all windows of the computer that use the same key on the same venue. The leader reads it, and the
 * exchange's clock too. A window reads for itself if the leader does not have its key.
 */
export class SharedBalance extends Disposable {
  readonly #options: SharedBalanceOptions;
  #lookUps = 0;
  /** When this window asked for a reading last, ms since the epoch. An older reading is no answer. */
  #wantedAt: number | undefined;
  #toldClock: number | undefined;
  /** The leader's newest request. */
  #asked: AskedMessage | undefined;

  constructor(options: SharedBalanceOptions) {
    super();
    this.#options = options;
    const { windows, venue, balances } = options;
    this.register(
      venue.onDidChange(() => this.forget()),
      venue.onDidChangeKey(() => this.forget()),
      windows.onDidChange(() => this.#follow()),
      // The windows' token may have changed, and with it the digest of the key.
      windows.onDidChangeRole((role) => {
        if (role === "joining") return;
        void this.#lookUp();
        this.#askAgain();
      }),
      windows.onDidMeet((follower) => this.#greet(follower)),
      windows.onDidHear((message) => this.#hear(message)),
      balances.onDidChange(() => {
        // A keyring that can be read again sends no event.
        if (windows.demand.account === "none" && balances.state.problem === undefined) void this.#lookUp();
        this.#publish();
      }),
      () => (this.#lookUps += 1),
    );
    this.forget();
  }

  /** The venue or the key has changed: forgets the account and identifies the new one. */
  forget(): void {
    const { windows, balances } = this.#options;
    balances.clear();
    balances.poll.reset();
    this.#toldClock = undefined;
    // What a former leader read for this account is forgotten too. A present leader tells its request again.
    this.#asked = undefined;
    windows.setDemand({ account: undefined });
    void this.#lookUp();
  }

  /** Reads now, in the window that reads for this one. */
  refresh(): void {
    const { windows, balances, timers } = this.#options;
    this.#wantedAt = timers.now();
    if (windows.reads("balance")) void balances.poll.restart();
    else windows.ask("balance");
  }

  /** This window sent an order, so the balance has changed for all windows. */
  refreshEverywhere(): void {
    const { windows, balances, timers } = this.#options;
    this.#wantedAt = timers.now();
    windows.publish({ type: "balanceChanged" });
    if (windows.reads("balance")) void balances.poll.restart();
  }

  /**
   * Whether this window checks the account's unknown orders. The leader does, focused or not. If the leader does not
   * have this window's key, the one window in front does.
   */
  checkIsMine(): boolean {
    const { windows } = this.#options;
    const { account, focused } = windows.demand;
    if (account === undefined || account === "none" || !windows.reads("balance")) return false;
    return windows.role === "leader" ? windows.checkLead() : focused;
  }

  /** The key itself is never sent to other windows. Its digest is signed with the windows' own token. */
  async #lookUp(): Promise<void> {
    const { windows, venue: current, timers } = this.#options;
    const lookUp = ++this.#lookUps;
    const { venue } = current;
    if (!venue) return;
    const cancel = timers.after(KEYRING_MS, () => this.#tell(lookUp, "none"));
    const pair = await venue.credentials().catch(() => undefined);
    this.#tell(lookUp, pair ? await windows.fingerprint(pair.apiKey.reveal()) : "none");
    cancel();
  }

  #tell(lookUp: number, account: NonNullable<WindowDemand["account"]>): void {
    if (lookUp !== this.#lookUps) return;
    this.#countAsOurs(account);
    this.#options.windows.setDemand({ account });
  }

  /** A request of the leader counts as a round of this window's account only if the account is the same. */
  #countAsOurs(account: WindowDemand["account"]): void {
    const { windows, balances } = this.#options;
    const { venue, account: theirs, at } = this.#asked ?? {};
    if (at === undefined || venue !== windows.demand.venue || theirs !== account) return;
    balances.poll.noteBegin(at);
  }

  #follow(): void {
    const { windows, balances } = this.#options;
    const demands = windows.demandsFor("balance");
    balances.poll.setInterval(balanceIntervalMs(demands, balances.intervalMs));
  }

  /** A leader that ends or steps down takes with it what it was asked for. */
  #askAgain(): void {
    const { readAt = Number.NEGATIVE_INFINITY } = this.#options.balances.state;
    if (this.#wantedAt !== undefined && readAt <= this.#wantedAt) this.refresh();
  }

  #publish(): void {
    const { windows } = this.#options;
    if (windows.role !== "leader" || !windows.hasFollowers) return;
    const [balance, clock] = [this.#balance(), this.#clock()];
    if (balance) windows.publish(balance);
    if (!clock || clock.at === this.#toldClock) return;
    this.#toldClock = clock.at;
    windows.publish(clock);
  }

  #greet(follower: Follower): void {
    if (follower.demand.venue !== this.#options.windows.demand.venue) return;
    const [balance, clock] = [this.#balance(), this.#clock()];
    if (clock) follower.send(clock);
    if (balance && follower.demand.account === balance.account) follower.send(balance);
  }

  #hear(message: Reading | Announcement | Request): void {
    const { windows, venue, balances } = this.#options;
    const { demand } = windows;
    if (message.type === "refresh" && message.subject === "balance") void balances.poll.restart();
    if (message.type === "balanceChanged" && windows.reads("balance")) void balances.poll.restart();
    if (!("venue" in message) || message.venue !== demand.venue) return;
    if (message.type === "asked" && message.subject === "balance") {
      this.#asked = message;
      this.#countAsOurs(demand.account);
    }
    if (message.type === "clock") venue.venue?.client.adoptClock(message);
    if (message.type === "balance" && message.account === demand.account) this.#adopt(message);
  }

  #adopt({ wallet, readAt, problem: shared }: BalanceMessage): void {
    const { balances, venue, timers } = this.#options;
    const problem = adoptProblem(shared, venue.venue?.client, timers.now());
    balances.poll.noteEnd({ ok: problem === undefined, retryAt: retryTime(problem) });
    balances.adopt({ wallet: wallet && adoptWallet(wallet), readAt, problem });
  }

  #balance(): BalanceMessage | undefined {
    const { windows, balances } = this.#options;
    const { venue, account } = windows.demand;
    const { wallet, readAt, problem } = balances.state;
    if (venue === undefined || account === undefined) return undefined;
    if (readAt === undefined && problem === undefined) return undefined;
    return {
      type: "balance",
      venue,
      account,
      wallet: wallet && shareWallet(wallet),
      readAt,
      problem: shareProblem(problem, this.#options.venue.venue?.client, this.#options.timers.now()),
    };
  }

  #clock(): ClockMessage | undefined {
    const { windows, venue: current } = this.#options;
    const { venue } = windows.demand;
    const clock = current.venue?.client.clock;
    return venue === undefined || !clock ? undefined : { type: "clock", venue, ...clock };
  }
}

type SharedBalances = NonNullable<BalanceMessage["wallet"]>;

function shareWallet(wallet: Wallet): SharedBalances {
  return [...wallet].map(([asset, balance]) =>
    balance === "unreadable" ? [asset] : [asset, plainText(balance.available), plainText(balance.reserved)],
  );
}

function adoptWallet(shared: SharedBalances): Wallet {
  return new Map(
    shared.map(([asset, available, reserved]) => [
      asset,
      available === undefined || reserved === undefined
        ? "unreadable"
        : { available: new Decimal(available), reserved: new Decimal(reserved) },
    ]),
  );
}
