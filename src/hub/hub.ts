import { randomBytes } from "node:crypto";
import { connect, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Link } from "./connection.ts";
import { frameOf } from "./frames.ts";
import { HeartbeatTimeout } from "./heartbeatTimeout.ts";
import { Lease } from "./lease.ts";
import {
  fromFollower,
  fromLeader,
  type Announcement,
  type FromFollower,
  type FromLeader,
  type Need,
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
export interface Peer {
  readonly need: Need;
  send(message: Reading): void;
}

/** The callbacks of a window. None may take long. An error in one is only reported. */
export interface HubEvents {
  readonly roleChanged: (role: Role) => void;
  /** Leader: a window came, changed its needs (`peer`), or left (undefined). Follower: the leader's needs changed. */
  readonly needsChanged: (peer: Peer | undefined) => void;
  /** Readings come from the leader, requests go to the leader, announcements go from any window to all others. */
  readonly received: (message: Reading | Announcement | Request) => void;
  /** Problems for the log: closed connections, a folder that cannot be written. */
  readonly trouble: (what: string) => void;
}

export interface HubOptions {
  /** Windows with the same folder find each other: one for each computer, user and version of this code. */
  readonly directory: string;
  readonly need: Need;
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
      /** A peer that has sent its needs. */
      readonly followers: Map<Link<FromFollower>, ConnectedPeer | undefined>;
      readonly stop: () => void;
    }
  | { readonly kind: "follower"; readonly link: Link<FromLeader>; readonly leader: Need }
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
  #need: Need;
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
  constructor({ directory, need, events }: HubOptions) {
    this.#directory = directory;
    this.#lease = new Lease(directory);
    this.#need = need;
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
  get peers(): readonly Peer[] {
    if (this.#standing?.kind !== "leader") return [];
    return [...this.#standing.followers.values()].flatMap((peer) => peer ?? []);
  }

  /** The leader's own needs; undefined unless this window follows. */
  get leader(): Need | undefined {
    return this.#standing?.kind === "follower" ? this.#standing.leader : undefined;
  }

  /** Steps down if the lease has a higher number. True if this window leads. Call it before each request. */
  checkLead(): boolean {
    if (this.#standing?.kind === "leader") this.#holdOrStepDown(this.#standing.number);
    return this.#role === "leader";
  }

  /** Sends this window's needs. */
  setNeed(need: Need): void {
    this.#need = need;
    this.#say({ type: "need", need });
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
    if (this.#standing?.kind === "follower") this.#standing.link.send(frameOf(request));
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
    const link = new Link(socket, token, "leader", {
      schema: fromFollower,
      opened: () => {
        if (this.#standing?.kind !== "leader") return link.close();
        this.#standing.followers.set(link, undefined);
        link.send(frameOf({ type: "need", need: this.#need } satisfies FromLeader));
      },
      received: (message) => this.#hearFollower(link, message),
      closed: (why) => {
        this.#countDrop(why);
        if (this.#standing?.kind !== "leader" || !this.#standing.followers.delete(link)) return;
        this.#tell(() => this.#events.needsChanged(undefined));
      },
    });
  }

  #hearFollower(link: Link<FromFollower>, message: FromFollower): void {
    if (this.#standing?.kind !== "leader") return;
    if (message.type === "need") {
      const { followers } = this.#standing;
      const peer = followers.get(link) ?? new ConnectedPeer(link, message.need);
      peer.need = message.need;
      followers.set(link, peer);
      this.#tell(() => this.#events.needsChanged(peer));
      return;
    }
    if (isAnnouncement(message)) this.#say(message, link);
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
      const silence = new HeartbeatTimeout(SILENCE_MS, () => link.drop("it fell silent"));
      const link = new Link(connect(addressOf(this.#token, number)), this.#token, "follower", {
        schema: fromLeader,
        opened: () => link.send(frameOf({ type: "need", need: this.#need } satisfies FromFollower)),
        received: (message) => {
          silence.heard();
          if (message.type === "need") {
            this.#hearNeed(link, message.need);
            resolve(true);
          } else if (message.type !== "beat") this.#tell(() => this.#events.received(message));
        },
        closed: (why) => {
          silence.stop();
          this.#countDrop(why);
          resolve(false);
          if (this.#standing?.kind !== "follower" || this.#standing.link !== link) return;
          this.#standing = undefined;
          this.#setRole("joining");
          void this.#seek(number);
        },
      });
    });
  }

  #hearNeed(link: Link<FromLeader>, leader: Need): void {
    if (this.#isDisposed) return link.close();
    const known = this.#standing?.kind === "follower";
    if (!known) return this.#stand({ kind: "follower", link, leader }, "follower");
    this.#standing = { kind: "follower", link, leader };
    this.#tell(() => this.#events.needsChanged(undefined));
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
    if (standing?.kind === "follower") standing.link.close();
    else standing?.stop();
    if (standing?.kind !== "leader") return;
    standing.server.close();
    for (const link of standing.followers.keys()) link.close();
  }

  /** To the leader, or from the leader to all followers but one. */
  #say(message: FromLeader | FromFollower, except?: Link<FromFollower>): void {
    const standing = this.#standing;
    if (standing?.kind === "follower") standing.link.send(frameOf(message));
    if (standing?.kind !== "leader" || standing.followers.size === 0) return;
    let frame: Buffer;
    try {
      frame = frameOf(message);
    } catch (error) {
      return this.#report(textOf(error));
    }
    for (const link of standing.followers.keys()) if (link !== except) link.send(frame);
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

class ConnectedPeer implements Peer {
  need: Need;
  readonly #link: Link<FromFollower>;

  constructor(link: Link<FromFollower>, need: Need) {
    this.#link = link;
    this.need = need;
  }

  send(message: Reading): void {
    this.#link.send(frameOf(message));
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
