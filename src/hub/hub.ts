import { randomBytes } from "node:crypto";
import { connect, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Connection } from "./connection.ts";
import { frameOf } from "./frames.ts";
import { HeartbeatTimeout } from "./heartbeatTimeout.ts";
import { Lease } from "./lease.ts";
import {
  fromFollower,
  fromLeader,
  type Announcement,
  type FromFollower,
  type FromLeader,
  type WindowDemand,
  type Reading,
  type Request,
} from "./protocol.ts";
import { addressOf, clearBelow, clearFolder, listenAt } from "./socketPath.ts";
import { keptToken, Token } from "./token.ts";

/**
 * `leader`: asks the exchange for all, or has no contact to others. `follower`: another window leads. `joining`: not
 * known.
 */
export type Role = "joining" | "leader" | "follower";

/** Another window, as the leader sees it; the same object while it is connected. */
export interface Follower {
  readonly demand: WindowDemand;
  send(message: Reading): void;
}

/** The callbacks of a window. None may take long. An error in one is only reported. */
export interface HubEvents {
  readonly roleChanged: (role: Role) => void;
  /** Leader: a window came, changed its demand (`follower`), or left (undefined). Follower: the leader's demand changed. */
  readonly demandsChanged: (follower: Follower | undefined) => void;
  /** Readings come from the leader, requests go to the leader, announcements go from any window to all others. */
  readonly received: (message: Reading | Announcement | Request) => void;
  /** Problems for the log: closed connections, a folder that cannot be written. */
  readonly trouble: (what: string) => void;
}

export interface HubOptions {
  /** Windows with the same folder find each other: one for each computer, user and version of this code. */
  readonly directory: string;
  readonly demand: WindowDemand;
  readonly events: HubEvents;
}

/** The interval at which the leader shows that it is alive. */
const BEAT_MS = 400;
/** After this silence the leader counts as frozen and is replaced. */
const SILENCE_MS = 1200;
/** A leader that was stopped for this time may have been replaced in the meantime. */
const STALL_MS = 800;
/** Number of beats that such a leader then waits: a replacement is complete by then. */
const STEADY_BEATS = 2;
const MOST_WINDOWS = 256;
const RETRY_MS = 25;
/** More attempts in this time mean a conflict: the window then works alone for a while. */
const MOST_ATTEMPTS = 30;
const ATTEMPTS_WITHIN_MS = 3000;
const ALONE_MS = 30_000;
const MOST_UNSAID = 100;

type Standing =
  | {
      readonly kind: "leader";
      readonly number: number;
      readonly server: Server;
      /** A follower that has sent its demand. */
      readonly followers: Map<Connection<FromFollower>, ConnectedFollower | undefined>;
      readonly stop: () => void;
    }
  | { readonly kind: "follower"; readonly connection: Connection<FromLeader>; readonly leader: WindowDemand }
  | { readonly kind: "alone"; readonly stop: () => void };

/**
 * One window's place among all windows of a computer. The newest number of the lease leads: it listens at that
 * number's address, and the others connect. When it ends for any reason, or falls silent, another window takes over.
 */
export class Hub {
  readonly #events: HubEvents;
  readonly #lease: Lease;
  readonly #directory: string;
  #token = new Token(randomBytes(32));
  #demand: WindowDemand;
  #standing: Standing | undefined;
  #role: Role = "joining";
  #isDisposed = false;
  #dropped = 0;
  #lastBeat = 0;
  /** Beats until a leader that was stopped may act again. */
  #unsteady = 0;
  #attempts: number[] = [];
  /** Announcements that could not be sent yet. */
  #unsaid: Announcement[] = [];

  /** Starts to look for the others at once, and reports the result in `roleChanged`. */
  constructor({ directory, demand, events }: HubOptions) {
    this.#directory = directory;
    this.#lease = new Lease(directory);
    this.#demand = demand;
    this.#events = events;
    void this.#seek(0);
  }

  get role(): Role {
    return this.#role;
  }

  /** Number of connections that were closed because of what the other side sent. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The other windows. Only the leader knows them. */
  get followers(): readonly Follower[] {
    if (this.#standing?.kind !== "leader") return [];
    return [...this.#standing.followers.values()].flatMap((follower) => follower ?? []);
  }

  /** The leader's own demand; undefined unless this window follows. */
  get leader(): WindowDemand | undefined {
    return this.#standing?.kind === "follower" ? this.#standing.leader : undefined;
  }

  /** Steps down if the lease has a higher number. True if this window leads. Call it before each request. */
  checkLead(): boolean {
    if (this.#standing?.kind === "leader") this.#holdOrStepDown(this.#standing.number);
    return this.#role === "leader";
  }

  /** Sends this window's demand. */
  setDemand(demand: WindowDemand): void {
    this.#demand = demand;
    this.#say({ type: "demand", demand });
  }

  /** Sends to all other windows. Only the leader sends a reading; a replaced leader sends nothing. */
  publish(message: Reading | Announcement): void {
    if (isAnnouncement(message)) {
      if (this.#standing) this.#say(message);
      else if (this.#unsaid.length < MOST_UNSAID) this.#unsaid.push(message);
    } else if (this.#role === "leader") this.#say(message);
  }

  /** Asks the leader. Nothing happens if this window leads or if there is no leader. */
  ask(request: Request): void {
    if (this.#standing?.kind === "follower") this.#standing.connection.send(frameOf(request));
  }

  /** 16 hex digits that identify a text among the windows and reveal nothing to others. */
  fingerprint(text: string): string {
    return this.#token.sign("fingerprint", text).slice(0, 16);
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#role = "joining";
    this.#leave();
    clearFolder(this.#token);
  }

  /** Runs until this window follows, leads or works alone. `gone`: the highest number known not to lead any more. */
  async #seek(gone: number): Promise<void> {
    let inUse = 0;
    while (!this.#isDisposed) {
      if (this.#quarrels()) return this.#stayAlone("the windows cannot agree who leads");
      try {
        this.#token = keptToken(this.#directory);
        const newest = this.#lease.newest ?? 0;
        if (newest > gone) {
          if (await this.#follow(newest)) return;
          gone = newest;
          continue;
        }
        const next = Math.max(newest, inUse) + 1;
        if (await this.#lead(next)) return;
        await delay(RETRY_MS);
        if ((this.#lease.newest ?? 0) === newest) inUse = next;
      } catch (error) {
        return this.#stayAlone(textOf(error));
      }
    }
  }

  #quarrels(): boolean {
    const now = performance.now();
    this.#attempts = [...this.#attempts.filter((at) => now - at < ATTEMPTS_WITHIN_MS), now];
    return this.#attempts.length > MOST_ATTEMPTS;
  }

  async #lead(number: number): Promise<boolean> {
    const token = this.#token;
    const server = await listenAt(token, number);
    if (!server) return false;
    if (this.#isDisposed || !this.#lease.take(number)) {
      server.close();
      return false;
    }
    clearBelow(token, number);
    server.maxConnections = MOST_WINDOWS;
    server.on("error", (error) => this.#report(textOf(error)));
    server.on("connection", (socket) => this.#welcome(socket, token));
    this.#lastBeat = performance.now();
    this.#unsteady = 0;
    const beats = setInterval(() => this.#beat(number), BEAT_MS);
    const stop = (): void => clearInterval(beats);
    this.#stand({ kind: "leader", number, server, followers: new Map(), stop }, "leader");
    return true;
  }

  #welcome(socket: Socket, token: Token): void {
    const connection = new Connection(socket, token, "leader", {
      schema: fromFollower,
      opened: () => {
        if (this.#standing?.kind !== "leader") return connection.close();
        this.#standing.followers.set(connection, undefined);
        connection.send(frameOf({ type: "demand", demand: this.#demand } satisfies FromLeader));
      },
      received: (message) => this.#hearFollower(connection, message),
      closed: (why) => {
        this.#countDrop(why);
        if (this.#standing?.kind !== "leader" || !this.#standing.followers.delete(connection)) return;
        this.#tell(() => this.#events.demandsChanged(undefined));
      },
    });
  }

  #hearFollower(connection: Connection<FromFollower>, message: FromFollower): void {
    if (this.#standing?.kind !== "leader") return;
    if (message.type === "demand") {
      const { followers } = this.#standing;
      const follower = followers.get(connection) ?? new ConnectedFollower(connection, message.demand);
      follower.demand = message.demand;
      followers.set(connection, follower);
      this.#tell(() => this.#events.demandsChanged(follower));
      return;
    }
    if (isAnnouncement(message)) this.#say(message, connection);
    this.#tell(() => this.#events.received(message));
  }

  /** Shows the followers that the leader lives, and checks that it was neither frozen nor replaced. */
  #beat(number: number): void {
    this.#holdOrStepDown(number);
    if (this.#standing?.kind !== "leader") return;
    this.#lastBeat = performance.now();
    this.#say({ type: "beat" });
    if (this.#unsteady > 0 && --this.#unsteady === 0) this.#setRole("leader");
  }

  #holdOrStepDown(number: number): void {
    if (!this.#lease.isHeld(number)) {
      this.#leave();
      this.#setRole("joining");
      void this.#seek(0);
      return;
    }
    const now = performance.now();
    if (now - this.#lastBeat <= STALL_MS) return;
    this.#lastBeat = now;
    this.#unsteady = STEADY_BEATS;
    this.#setRole("joining");
  }

  /** False if there is no answer, or if the other side does not know the token. */
  #follow(number: number): Promise<boolean> {
    return new Promise((resolve) => {
      const silence = new HeartbeatTimeout(SILENCE_MS, () => connection.drop("it fell silent"));
      const connection = new Connection(connect(addressOf(this.#token, number)), this.#token, "follower", {
        schema: fromLeader,
        opened: () =>
          connection.send(frameOf({ type: "demand", demand: this.#demand } satisfies FromFollower)),
        received: (message) => {
          silence.heard();
          if (message.type === "demand") {
            this.#hearDemand(connection, message.demand);
            resolve(true);
          } else if (message.type !== "beat") this.#tell(() => this.#events.received(message));
        },
        closed: (why) => {
          silence.stop();
          this.#countDrop(why);
          resolve(false);
          if (this.#standing?.kind !== "follower" || this.#standing.connection !== connection) return;
          this.#standing = undefined;
          this.#setRole("joining");
          void this.#seek(number);
        },
      });
    });
  }

  #hearDemand(connection: Connection<FromLeader>, leader: WindowDemand): void {
    if (this.#isDisposed) return connection.close();
    const known = this.#standing?.kind === "follower";
    if (!known) return this.#stand({ kind: "follower", connection, leader }, "follower");
    this.#standing = { kind: "follower", connection, leader };
    this.#tell(() => this.#events.demandsChanged(undefined));
  }

  #stayAlone(why: string): void {
    if (this.#isDisposed) return;
    this.#report(`This window asks the exchange for itself: ${why}`);
    const again = setTimeout(() => {
      this.#leave();
      this.#attempts = [];
      this.#setRole("joining");
      void this.#seek(0);
    }, ALONE_MS);
    this.#stand({ kind: "alone", stop: () => clearTimeout(again) }, "leader");
  }

  #stand(standing: Standing, role: Role): void {
    this.#standing = standing;
    for (const message of this.#unsaid.splice(0)) this.#say(message);
    this.#setRole(role);
  }

  #leave(): void {
    const standing = this.#standing;
    this.#standing = undefined;
    if (standing?.kind === "follower") standing.connection.close();
    else standing?.stop();
    if (standing?.kind !== "leader") return;
    standing.server.close();
    for (const connection of standing.followers.keys()) connection.close();
  }

  /** To the leader, or from the leader to all followers but one. */
  #say(message: FromLeader | FromFollower, except?: Connection<FromFollower>): void {
    const standing = this.#standing;
    if (standing?.kind === "follower") standing.connection.send(frameOf(message));
    if (standing?.kind !== "leader" || standing.followers.size === 0) return;
    let frame: Buffer;
    try {
      frame = frameOf(message);
    } catch (error) {
      return this.#report(textOf(error));
    }
    for (const connection of standing.followers.keys()) if (connection !== except) connection.send(frame);
  }

  #setRole(role: Role): void {
    if (role === this.#role || this.#isDisposed) return;
    this.#role = role;
    this.#tell(() => this.#events.roleChanged(role));
  }

  #countDrop(why: string | undefined): void {
    if (why === undefined) return;
    this.#dropped += 1;
    this.#report(`A connection with another window was ended: ${why}`);
  }

  #tell(event: () => void): void {
    if (this.#isDisposed) return;
    try {
      event();
    } catch (error) {
      this.#report(textOf(error));
    }
  }

  #report(what: string): void {
    if (!this.#isDisposed) this.#events.trouble(what);
  }
}

class ConnectedFollower implements Follower {
  demand: WindowDemand;
  readonly #connection: Connection<FromFollower>;

  constructor(connection: Connection<FromFollower>, demand: WindowDemand) {
    this.#connection = connection;
    this.demand = demand;
  }

  send(message: Reading): void {
    this.#connection.send(frameOf(message));
  }
}

const ANNOUNCEMENTS: ReadonlySet<string> = new Set<Announcement["type"]>([
  "ordersChanged",
  "alertsChanged",
  "balanceChanged",
]);

function isAnnouncement(message: { readonly type: string }): message is Announcement {
  return ANNOUNCEMENTS.has(message.type);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : "an error inside Bidside";
}
