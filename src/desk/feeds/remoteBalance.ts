import type { Follower } from "../../hub/leader.ts";
import type { Announcement, LeaderUpdate, Request } from "../../hub/protocol.ts";
import type { Wallet } from "../../market/balance.ts";
import { Decimal, plainText } from "../../market/numbers/decimal.ts";
import { Disposable } from "../disposable.ts";
import type { Timers } from "../../time/timers.ts";
import type { CurrentVenue, Watching } from "../venue.ts";
import { adoptProblem, shareProblem } from "../windows/problemMessages.ts";
import type { Windows } from "../windows/windows.ts";
import type { BalanceFeed, BalanceUpdate } from "./balanceFeed.ts";
import type { Source } from "./source.ts";

type BalanceMessage = Extract<LeaderUpdate, { type: "balance" }>;
type ClockMessage = Extract<LeaderUpdate, { type: "clock" }>;

export interface RemoteBalanceOptions {
  readonly windows: Windows;
  readonly venue: CurrentVenue;
  readonly timers: Timers;
}

/**
 * Shares one balance among the windows that use the same key on the same venue. The leader sends it, with the
 * exchange's clock. A window polls for itself if the leader has another key.
 */
export class RemoteBalance extends Disposable implements Source<Watching, BalanceUpdate> {
  readonly #options: RemoteBalanceOptions;
  #report: ((update: BalanceUpdate) => void) | undefined;
  /** This window's feed, shared with the others. */
  #balances: BalanceFeed | undefined;
  #identifications = 0;
  /** When the clock last sent to the others was measured. */
  #sentClockAt: number | undefined;

  constructor(options: RemoteBalanceOptions) {
    super();
    this.#options = options;
    const { windows, venue } = options;
    this.register(
      venue.onDidSignIn(() => void this.#identify()),
      windows.onDidUpdateFollower((follower) => this.#sendSnapshot(follower)),
      windows.onDidReceive((message) => this.#receiveMessage(message)),
      () => (this.#identifications += 1),
    );
  }

  offers(): boolean {
    return true;
  }

  /** Also identifies the signed-in account. */
  follow(_: Watching, report: (update: BalanceUpdate) => void): () => void {
    this.#report = report;
    this.#sentClockAt = undefined;
    this.#options.windows.setDemand({ account: undefined });
    void this.#identify();
    return () => {
      if (this.#report === report) this.#report = undefined;
    };
  }

  /** Sends the updates of this feed to the other windows while this window leads. */
  share(balances: BalanceFeed): void {
    this.#balances = balances;
    this.register(balances.onDidChange(() => this.#publish()));
  }

  /** Signs in, and reports the account to the other windows. */
  async #identify(): Promise<void> {
    const { windows, venue } = this.#options;
    const number = ++this.#identifications;
    if (!venue.venue) return;
    const signedIn = await venue.signIn("wallet").catch(() => undefined);
    const account = signedIn?.account.id ?? "none";
    if (number === this.#identifications) windows.setDemand({ account });
  }

  #publish(): void {
    const { windows } = this.#options;
    if (windows.role !== "leader" || !windows.hasFollowers) return;
    const [balance, clock] = [this.#balance(), this.#clock()];
    if (balance) windows.publish(balance);
    if (!clock || clock.at === this.#sentClockAt) return;
    this.#sentClockAt = clock.at;
    windows.publish(clock);
  }

  #sendSnapshot(follower: Follower): void {
    if (follower.demand.venue !== this.#options.windows.demand.venue) return;
    const [balance, clock] = [this.#balance(), this.#clock()];
    if (clock) follower.send(clock);
    if (balance && follower.demand.account === balance.account) follower.send(balance);
  }

  #receiveMessage(message: LeaderUpdate | Announcement | Request): void {
    const { windows, venue } = this.#options;
    const { demand } = windows;
    if (!("venue" in message) || message.venue !== demand.venue) return;
    if (message.type === "clock") venue.venue?.client.adoptClock(message);
    if (message.type === "balance" && message.account === demand.account) this.#adopt(message);
  }

  #adopt({ wallet, readAt, problem }: BalanceMessage): void {
    const { venue, timers } = this.#options;
    this.#report?.({
      wallet: wallet && adoptWallet(wallet),
      readAt,
      problem: adoptProblem(problem, venue.venue?.client, timers.now()),
    });
  }

  #balance(): BalanceMessage | undefined {
    const { venue, account } = this.#options.windows.demand;
    const { wallet, readAt, problem } = this.#balances?.state ?? {};
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
