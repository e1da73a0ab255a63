import type { Hub, HubEvents, Role } from "../../hub/hub.ts";
import type { Follower } from "../../hub/leader.ts";
import type { Announcement, WindowDemand, LeaderUpdate, Request, Subject } from "../../hub/protocol.ts";
import { Event } from "../event.ts";

/** The part of the hub that the desk needs. */
type HubPort = Omit<Hub, "dropped">;

export interface WindowsOptions {
  /** Connects to the other windows. If this rejects, the window works without them. */
  readonly open: (demand: WindowDemand, events: HubEvents) => Promise<HubPort>;
  /** The initial demand of this window. */
  readonly demand: WindowDemand;
  readonly now: () => number;
  /** Called for each message before it is used: the computer may have slept. */
  readonly checkWake: () => void;
  readonly warn: (what: string) => void;
}

/** The fingerprint of every text in a window without a hub. */
const NO_FINGERPRINT = "0000000000000000";

/**
 * This window among all windows of the computer. One window polls for all windows with the same venue and account; the
 * others use its results. Nothing is requested before the windows have settled which one that is.
 */
export class Windows {
  readonly #options: WindowsOptions;
  readonly #changed = new Event<void>();
  readonly #roleChanged = new Event<Role>();
  readonly #followerUpdated = new Event<Follower>();
  readonly #followerLost = new Event<void>();
  readonly #received = new Event<LeaderUpdate | Announcement | Request>();
  /** The newest request for each subject, from any window. */
  readonly #requests: Partial<Record<Subject, Extract<LeaderUpdate, { type: "poll" }>>> = {};
  readonly #opening: Promise<HubPort | undefined>;
  #hub: HubPort | undefined;
  #isAlone = false;
  #isDisposed = false;
  #demand: WindowDemand;

  /** Fires when another window may be the one that polls, or the interval may have changed. */
  readonly onDidChange = this.#changed.add;
  /** Fires when the role of this window changed. Messages in between may be lost. */
  readonly onDidChangeRole = this.#roleChanged.add;
  /** Fires in the leader when another window joined or changed its demand. */
  readonly onDidUpdateFollower = this.#followerUpdated.add;
  /** Fires in the leader when another window left or was killed. */
  readonly onDidLoseFollower = this.#followerLost.add;
  /** Messages from the other windows. */
  readonly onDidReceive = this.#received.add;

  constructor(options: WindowsOptions) {
    this.#options = options;
    this.#demand = options.demand;
    this.#opening = this.#open();
  }

  get role(): Role {
    if (this.#isDisposed) return "joining";
    return this.#hub?.role ?? (this.#isAlone ? "leader" : "joining");
  }

  /** Whether this window leads. If it was replaced, it steps down first. */
  checkLead(): boolean {
    return this.role === "leader" && (this.#hub?.checkLead() ?? true);
  }

  /** Resolves when the windows have settled which one leads. */
  settled(): Promise<void> {
    if (this.role !== "joining" || this.#isDisposed) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.#roleChanged.add((role) => {
        if (role === "joining") return;
        stop();
        resolve();
      });
    });
  }

  get demand(): WindowDemand {
    return this.#demand;
  }

  /** Whether any other window receives what this one publishes. */
  get hasFollowers(): boolean {
    return (this.#hub?.followers.length ?? 0) > 0;
  }

  setDemand(wanted: Partial<WindowDemand>): void {
    const demand = { ...this.#demand, ...wanted };
    if (JSON.stringify(demand) === JSON.stringify(this.#demand)) return;
    this.#demand = demand;
    this.#hub?.setDemand(demand);
    this.#changed.fire();
  }

  /** Whether this window polls the exchange itself: it leads, or the leader has another venue or account. */
  reads(subject: Subject): boolean {
    const { venue, account } = this.#demand;
    if (venue === undefined || venue === "none") return false;
    if (subject === "balance" && account === undefined) return false;
    if (this.role !== "follower") return this.role === "leader";
    const leader = this.#hub?.leader;
    if (leader?.venue === undefined) return false;
    if (leader.venue !== venue) return true;
    return subject === "balance" && leader.account !== undefined && leader.account !== account;
  }

  /**
   * Whether this window checks the account's unknown orders. The leader does, focused or not. If the leader does not
   * have this window's key, the one window in front does.
   */
  actsForAccount(): boolean {
    const { account, focused } = this.#demand;
    if (account === undefined || account === "none" || !this.reads("balance")) return false;
    return this.role === "leader" ? this.checkLead() : focused;
  }

  /** The demands of all windows that this one polls for. */
  demandsFor(subject: Subject): readonly WindowDemand[] {
    if (!this.reads(subject)) return [];
    if (this.role === "follower") return [this.#demand];
    const { venue, account } = this.#demand;
    const others = (this.#hub?.followers ?? []).map(({ demand }) => demand);
    return [this.#demand, ...others].filter(
      (each) => each.venue === venue && (subject === "market" || each.account === account),
    );
  }

  /**
   * Call once, right before a request is sent. False if this window must not send it. A request that serves all windows
   * is announced to them first, in case this window is killed.
   */
  beginRead(subject: Subject): boolean {
    const { venue, account } = this.#demand;
    // Read before the leadership check, because this process may be suspended right after it.
    const at = this.#options.now();
    if (venue === undefined || !this.mayStillRead(subject)) return false;
    if (this.role === "follower") return true;
    const request = { type: "poll", subject, venue, ...(subject === "balance" && { account }), at } as const;
    this.#requests[subject] = request;
    this.publish(request);
    return true;
  }

  /**
   * Whether a request may still be sent. Call right before its first byte: connecting takes time, and this process may
   * have been suspended. A leader that was replaced steps down.
   */
  mayStillRead(subject: Subject): boolean {
    return this.reads(subject) && (this.role === "follower" || this.checkLead());
  }

  /** Sends to all other windows. They accept updates only from the leader. */
  publish(message: LeaderUpdate | Announcement): void {
    this.#hub?.publish(message);
  }

  /** Requests a poll by the leader. */
  ask(subject: Subject): void {
    this.#hub?.ask({ type: "refresh", subject });
  }

  /** A keyed digest of 16 hex digits: the same in all windows, and meaningless to others. */
  async fingerprint(text: string): Promise<string> {
    return (await this.#opening)?.fingerprint(text) ?? NO_FINGERPRINT;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#hub?.dispose();
  }

  async #open(): Promise<HubPort | undefined> {
    const { open, warn } = this.#options;
    try {
      const others = await open(this.#demand, {
        roleChanged: () => this.#updateRole(),
        demandsChanged: (follower) => this.#updateFollower(follower),
        received: (message) => this.#receive(message),
        warn,
      });
      if (this.#isDisposed) others.dispose();
      this.#hub = others;
      others.setDemand(this.#demand);
      return others;
    } catch (error) {
      warn(error instanceof Error ? error.message : "the other windows cannot be met");
      this.#isAlone = true;
      return undefined;
    } finally {
      this.#updateRole();
    }
  }

  #updateRole(): void {
    this.#changed.fire();
    this.#roleChanged.fire(this.role);
  }

  #updateFollower(follower: Follower | undefined): void {
    this.#changed.fire();
    if (!follower) {
      if (this.role === "leader") this.#followerLost.fire();
      return;
    }
    for (const request of Object.values(this.#requests)) follower.send(request);
    this.#followerUpdated.fire(follower);
  }

  #receive(message: LeaderUpdate | Announcement | Request): void {
    this.#options.checkWake();
    if (message.type === "poll") this.#requests[message.subject] = message;
    this.#received.fire(message);
  }
}
