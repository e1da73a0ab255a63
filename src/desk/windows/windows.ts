import type { Role } from "../../hub/hub.ts";
import type { Follower } from "../../hub/leader.ts";
import type { Announcement, WindowDemand, LeaderUpdate, Request, Subject } from "../../hub/protocol.ts";
import { Event } from "../event.ts";
import { type OpenWindows, roleSettled, WindowGroup, type WindowGroupOptions } from "./windowGroup.ts";

export interface WindowsOptions extends Omit<WindowGroupOptions, "open"> {
  readonly open: OpenWindows;
  readonly now: () => number;
}

/**
 * This window among the windows that show its account. One of them polls for all with the same profile and key; the
 * others use its results. Nothing is requested before the windows have settled which one that is.
 */
export class Windows {
  readonly #options: WindowsOptions;
  readonly #changed = new Event<void>();
  readonly #roleChanged = new Event<Role>();
  readonly #followerUpdated = new Event<Follower>();
  readonly #received = new Event<LeaderUpdate | Announcement | Request>();
  /** The newest request for each subject, from any window. */
  #requests: Partial<Record<Subject, Extract<LeaderUpdate, { type: "poll" }>>> = {};
  #account: string | undefined;
  /** Undefined until an account was selected. */
  #group: WindowGroup | undefined;
  #isDisposed = false;
  #demand: WindowDemand;

  /** Fires when another window may be the one that polls, or the interval may have changed. */
  readonly onDidChange = this.#changed.add;
  /** Fires when the role of this window changed. Messages in between may be lost. */
  readonly onDidChangeRole = this.#roleChanged.add;
  /** Fires in the leader when another window joined or changed its demand. */
  readonly onDidUpdateFollower = this.#followerUpdated.add;
  /** Messages from the other windows. */
  readonly onDidReceive = this.#received.add;

  constructor(options: WindowsOptions) {
    this.#options = options;
    this.#demand = options.demand;
  }

  /** Joins the windows that show this account, and leaves those of the previous one. */
  select(account: string): void {
    if (account === this.#account || this.#isDisposed) return;
    const { open, ...options } = this.#options;
    this.#account = account;
    this.#requests = {};
    this.#group?.dispose();
    const group = new WindowGroup({
      ...options,
      demand: this.#demand,
      open: (demand, events) => open(demand, events, account),
    });
    this.#group = group;
    group.onDidChangeRole(() => this.#updateRole());
    group.onDidChangeDemands((follower) => this.#updateFollower(follower));
    group.onDidReceive((message) => this.#receive(message));
    this.#updateRole();
  }

  get role(): Role {
    return this.#group?.role ?? "joining";
  }

  /** Whether this window leads. If it was replaced, it steps down first. */
  checkLead(): boolean {
    return this.#group?.checkLead() ?? false;
  }

  /** Resolves when the windows have settled which one leads. */
  settled(): Promise<void> {
    return roleSettled(this);
  }

  get demand(): WindowDemand {
    return this.#demand;
  }

  /** Whether any other window receives what this one publishes. */
  get hasFollowers(): boolean {
    return this.#followers.length > 0;
  }

  get #followers(): readonly Follower[] {
    return this.#group?.followers ?? [];
  }

  setDemand(wanted: Partial<WindowDemand>): void {
    const demand = { ...this.#demand, ...wanted };
    if (JSON.stringify(demand) === JSON.stringify(this.#demand)) return;
    this.#demand = demand;
    this.#group?.setDemand(demand);
    this.#changed.fire();
  }

  /** Whether this window polls the exchange itself: it leads, or the leader has another profile or key. */
  reads(subject: Subject): boolean {
    const { venue, account } = this.#demand;
    if (venue === undefined || venue === "none") return false;
    if (subject === "balance" && account === undefined) return false;
    if (this.role !== "follower") return this.role === "leader";
    const leader = this.#group?.leader;
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
    const others = this.#followers.map(({ demand }) => demand);
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

  /** Sends to the other windows. They accept updates only from the leader. */
  publish(message: LeaderUpdate | Announcement): void {
    this.#group?.publish(message);
  }

  /** Requests a poll by the leader. */
  ask(subject: Subject): void {
    this.#group?.ask(subject);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#group?.dispose();
  }

  #updateRole(): void {
    this.#changed.fire();
    this.#roleChanged.fire(this.role);
  }

  #updateFollower(follower: Follower | undefined): void {
    this.#changed.fire();
    if (!follower) return;
    for (const request of Object.values(this.#requests)) follower.send(request);
    this.#followerUpdated.fire(follower);
  }

  #receive(message: LeaderUpdate | Announcement | Request): void {
    if (message.type === "poll") this.#requests[message.subject] = message;
    this.#received.fire(message);
  }
}
