import { type OperatingSystem, thisSystem } from "../files/operatingSystem.ts";
import { HubConnection } from "./connection.ts";
import { HeartbeatTimeout } from "./heartbeatTimeout.ts";
import { Leader, type Follower } from "./leader.ts";
import { Lease } from "./lease.ts";
import {
  fromLeader,
  isAnnouncement,
  type Announcement,
  type FromFollower,
  type FromLeader,
  type LeaderUpdate,
  type Request,
  type WindowDemand,
} from "./protocol.ts";
import { addressOf, clearBelow, clearFolder, FolderRefused, listenAt } from "./socketPath.ts";
import type { Timers } from "../time/timers.ts";
import { loadOrCreateToken, renewFolder, Token } from "./token.ts";

/** `leader`: polls the exchange for all windows, or works alone. `follower`: another window leads. `joining`: undecided. */
export type Role = "joining" | "leader" | "follower";

/** Callbacks of a window. They must be quick. Errors they throw are only reported. */
export interface HubEvents {
  readonly roleChanged: (role: Role) => void;
  /**
   * As leader: a window joined, changed its demand (`follower`), or left (undefined). As follower: the leader's demand changed.
   */
  readonly demandsChanged: (follower: Follower | undefined) => void;
  /** Updates come from the leader, requests go to the leader, announcements go from any window to all others. */
  readonly received: (message: LeaderUpdate | Announcement | Request) => void;
  /** For the log: closed connections, an unwritable folder. */
  readonly warn: (what: string) => void;
}

export interface HubOptions {
  /** Windows with the same folder find each other: one per computer, user and protocol version. */
  readonly directory: string;
  readonly demand: WindowDemand;
  readonly timers: Timers;
  /** Default: this computer's. */
  readonly os?: OperatingSystem;
  readonly events: HubEvents;
}

/** Interval of the leader's heartbeat. */
const BEAT_MS = 400;
/** A leader that was suspended for this long may be about to be replaced. Less than SILENCE_MS. */
const STALL_MS = 800;
/** After this much silence, a follower assumes that the leader is frozen and replaces it. */
const SILENCE_MS = 1200;
const RETRY_MS = 25;
/** More attempts within this time indicate a conflict; the window then works alone for a while. */
const MAX_ATTEMPTS = 30;
const ATTEMPTS_WITHIN_MS = 3000;
const ALONE_MS = 30_000;
const MAX_UNSENT = 100;

/** Undefined while the window is joining. `stop` cancels the timer. */
type State =
  | { readonly kind: "leader"; readonly number: number; readonly leader: Leader; stop: () => void }
  | { readonly kind: "follower"; readonly connection: ToLeader; readonly leader: WindowDemand }
  | { readonly kind: "alone"; readonly stop: () => void };
type ToLeader = HubConnection<FromLeader, FromFollower>;
type LeaderState = Extract<State, { kind: "leader" }>;

/**
 * A window's membership among all windows of the computer. The highest number of the lease leads and listens at that number's
 * address; the others connect to it. When the leader exits or goes silent, another window takes over.
 */
export class Hub {
  readonly #events: HubEvents;
  readonly #lease: Lease;
  readonly #directory: string;
  readonly #timers: Timers;
  readonly #os: OperatingSystem;
  #token: Token;
  #demand: WindowDemand;
  #state: State | undefined;
  #role: Role = "joining";
  #isDisposed = false;
  #lastBeat = 0;
  #attempts: number[] = [];
  /** Announcements queued until the window has joined. */
  #unsent: Announcement[] = [];

  /** Starts joining at once. The outcome is reported through `roleChanged`. */
  constructor({ directory, demand, timers, os = thisSystem, events }: HubOptions) {
    this.#directory = directory;
    this.#os = os;
    this.#token = new Token(os.randomBytes(32), os);
    this.#lease = new Lease(directory, os);
    this.#demand = demand;
    this.#timers = timers;
    this.#events = events;
    void this.#seek(0);
  }

  get role(): Role {
    return this.#role;
  }

  /** The other windows; known only to the leader. */
  get followers(): readonly Follower[] {
    return this.#state?.kind === "leader" ? this.#state.leader.followers : [];
  }

  /** The leader's own demand; undefined unless this window is a follower. */
  get leader(): WindowDemand | undefined {
    return this.#state?.kind === "follower" ? this.#state.leader : undefined;
  }

  /**
   * Returns whether this window leads. Steps down first if the lease has a higher number, or if the window was suspended long
   * enough to have been replaced. Call before each request.
   */
  checkLead(): boolean {
    if (this.#state?.kind === "leader" && this.#role === "leader") this.#confirmLead(this.#state);
    return this.#role === "leader";
  }

  setDemand(demand: WindowDemand): void {
    this.#demand = demand;
    this.#send({ type: "demand", demand });
  }

  /** Sends to all other windows. Only a leader that has not been replaced sends updates. */
  publish(message: LeaderUpdate | Announcement): void {
    if (isAnnouncement(message)) {
      if (this.#state) this.#send(message);
      else if (this.#unsent.length < MAX_UNSENT) this.#unsent.push(message);
    } else if (this.#role === "leader" && this.#state?.kind === "leader") this.#state.leader.send(message);
  }

  /** Sends a request to the leader. Does nothing if this window leads or there is no leader. */
  ask(request: Request): void {
    if (this.#state?.kind === "follower") this.#state.connection.send(request);
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#role = "joining";
    this.#leave();
    clearFolder(this.#token, this.#os);
  }

  /** Tries to join until this window follows, leads or works alone. `gone` is the highest number known not to lead any more. */
  async #seek(gone: number): Promise<void> {
    let inUse = 0;
    while (!this.#isDisposed) {
      if (this.#isLivelocked()) return this.#stayAlone("the windows cannot agree who leads");
      try {
        this.#token = loadOrCreateToken(this.#directory, this.#os);
        const newest = this.#lease.newest ?? 0;
        if (newest > gone) {
          if (await this.#follow(newest)) return;
          gone = newest;
          continue;
        }
        const next = Math.max(newest, inUse) + 1;
        if (await this.#lead(next, this.#createLeader())) return;
        await new Promise<void>((resolve) => void this.#timers.after(RETRY_MS, resolve));
        if ((this.#lease.newest ?? 0) === newest) inUse = next;
      } catch (error) {
        if (!this.#findOtherFolder(error)) return this.#stayAlone(textOf(error));
      }
    }
  }

  /** Switches to another socket folder if this one was refused. Returns false if that is impossible or not the cause. */
  #findOtherFolder(error: unknown): boolean {
    if (!(error instanceof FolderRefused)) return false;
    this.#report(`${error.message} The windows use another one.`);
    try {
      renewFolder(this.#directory, this.#token, this.#os);
      return true;
    } catch {
      return false;
    }
  }

  #isLivelocked(): boolean {
    const now = this.#timers.now();
    this.#attempts = [...this.#attempts.filter((at) => now - at < ATTEMPTS_WITHIN_MS), now];
    return this.#attempts.length > MAX_ATTEMPTS;
  }

  #createLeader(): Leader {
    return new Leader({
      timers: this.#timers,
      demand: () => this.#demand,
      demandsChanged: (follower) => this.#notify(() => this.#events.demandsChanged(follower)),
      received: (message) => this.#notify(() => this.#events.received(message)),
      closed: (why) => this.#reportDrop(why),
      failed: (error) => this.#report(textOf(error)),
    });
  }

  /** Acquires a number for this window and its followers. Returns false if another window uses it or was faster. */
  async #lead(number: number, leader: Leader): Promise<boolean> {
    const token = this.#token;
    const server = await listenAt(token, number, this.#os);
    if (!server) return false;
    try {
      if (this.#isDisposed || !this.#lease.take(number)) {
        server.close();
        return false;
      }
      clearBelow(token, number, this.#os);
    } catch (error) {
      server.close();
      throw error;
    }
    leader.serve(server, token);
    const state: LeaderState = { kind: "leader", number, leader, stop: () => undefined };
    this.#lastBeat = this.#timers.now();
    this.#enter(state, "leader");
    this.#beat(state);
    return true;
  }

  /** Sends the heartbeat, after checking that this leader was neither suspended nor replaced. */
  #beat(state: LeaderState): void {
    if (this.#state !== state || !this.checkLead()) return;
    this.#lastBeat = this.#timers.now();
    state.leader.send({ type: "beat" });
    state.stop = this.#timers.after(BEAT_MS, () => this.#beat(state));
  }

  #confirmLead(state: LeaderState): void {
    if (!this.#lease.isHeld(state.number)) {
      this.#leave();
      this.#setRole("joining");
      void this.#seek(0);
    } else if (this.#timers.now() - this.#lastBeat > STALL_MS) void this.#renewLead(state);
  }

  /**
   * Reclaims leadership after a suspension by acquiring the next number, the one any successor would need. Followers stay
   * connected. If another window was faster, this one follows it.
   */
  async #renewLead({ number, leader, stop }: LeaderState): Promise<void> {
    stop();
    this.#setRole("joining");
    const isRenewed = await this.#lead(number + 1, leader).catch(() => false);
    if (isRenewed || this.#isDisposed) return;
    this.#leave();
    await this.#seek(number);
  }

  /** Returns false if there is no response, or if the peer does not know the token. */
  #follow(number: number): Promise<boolean> {
    return new Promise((resolve) => {
      const silence = new HeartbeatTimeout(SILENCE_MS, this.#timers, () => connection.drop("it fell silent"));
      const socket = this.#os.connect(addressOf(this.#token, number, this.#os));
      const connection = new HubConnection(socket, this.#token, "follower", this.#timers, {
        schema: fromLeader,
        opened: () => connection.send({ type: "demand", demand: this.#demand }),
        received: (message) => {
          silence.reset();
          if (message.type === "demand") {
            this.#updateDemand(connection, message.demand);
            resolve(true);
          } else if (message.type !== "beat") this.#notify(() => this.#events.received(message));
        },
        closed: (why) => {
          silence.stop();
          this.#reportDrop(why);
          resolve(false);
          if (this.#state?.kind !== "follower" || this.#state.connection !== connection) return;
          this.#state = undefined;
          this.#setRole("joining");
          void this.#seek(number);
        },
      });
    });
  }

  #updateDemand(connection: ToLeader, leader: WindowDemand): void {
    if (this.#isDisposed) return connection.close();
    const state: State = { kind: "follower", connection, leader };
    if (this.#state?.kind !== "follower") return this.#enter(state, "follower");
    this.#state = state;
    this.#notify(() => this.#events.demandsChanged(undefined));
  }

  #stayAlone(why: string): void {
    if (this.#isDisposed) return;
    this.#report(`This window asks the exchange for itself: ${why}`);
    const stop = this.#timers.after(ALONE_MS, () => {
      this.#leave();
      this.#attempts = [];
      this.#setRole("joining");
      void this.#seek(0);
    });
    this.#enter({ kind: "alone", stop }, "leader");
  }

  #enter(state: State, role: Role): void {
    this.#state = state;
    for (const message of this.#unsent.splice(0)) this.#send(message);
    this.#setRole(role);
  }

  #leave(): void {
    const state = this.#state;
    this.#state = undefined;
    if (state?.kind === "follower") state.connection.close();
    else state?.stop();
    if (state?.kind === "leader") state.leader.close();
  }

  /** Sends to the leader or, as leader, to all followers. */
  #send(message: Announcement | { readonly type: "demand"; readonly demand: WindowDemand }): void {
    if (this.#state?.kind === "follower") this.#state.connection.send(message);
    if (this.#state?.kind === "leader") this.#state.leader.send(message);
  }

  #setRole(role: Role): void {
    if (role === this.#role || this.#isDisposed) return;
    this.#role = role;
    this.#notify(() => this.#events.roleChanged(role));
  }

  #reportDrop(why: string | undefined): void {
    if (why !== undefined) this.#report(`A connection with another window was ended: ${why}`);
  }

  #notify(event: () => void): void {
    if (this.#isDisposed) return;
    try {
      event();
    } catch (error) {
      this.#report(textOf(error));
    }
  }

  #report(what: string): void {
    if (!this.#isDisposed) this.#events.warn(what);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : "an error inside Bidside";
}
