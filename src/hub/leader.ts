import type { Server, Socket } from "node:net";
import { HubConnection } from "./connection.ts";
import { frameOf } from "./frames.ts";
import {
  fromFollower,
  isAnnouncement,
  type Announcement,
  type FromFollower,
  type FromLeader,
  type LeaderUpdate,
  type Request,
  type WindowDemand,
} from "./protocol.ts";
import type { Timers } from "../time/timers.ts";
import type { Token } from "./token.ts";

/** Another window, as seen by the leader. The object stays the same while the window is connected. */
export interface Follower {
  readonly demand: WindowDemand;
  send(message: LeaderUpdate): void;
}

interface LeaderOptions {
  readonly timers: Timers;
  readonly demand: () => WindowDemand;
  /** A window joined or changed its demand, or left (undefined). */
  readonly demandsChanged: (follower: Follower | undefined) => void;
  readonly received: (message: Announcement | Request) => void;
  /** `why` is set if this side closed the connection because the peer misbehaved. */
  readonly closed: (why: string | undefined) => void;
  readonly failed: (error: unknown) => void;
}

type ToFollower = HubConnection<FromFollower, FromLeader>;
type ConnectedFollower = Follower & { demand: WindowDemand };

const MAX_WINDOWS = 256;

/** The leader's connections to its followers. They survive when the leader acquires a new number. */
export class Leader {
  readonly #options: LeaderOptions;
  /** Undefined until the window has sent its demand. */
  readonly #followers = new Map<ToFollower, ConnectedFollower | undefined>();
  #server: Server | undefined;

  constructor(options: LeaderOptions) {
    this.#options = options;
  }

  get followers(): readonly Follower[] {
    return [...this.#followers.values()].flatMap((follower) => follower ?? []);
  }

  /** Accepts windows on this server, in place of the previous one. */
  serve(server: Server, token: Token): void {
    this.#server?.close();
    this.#server = server;
    server.maxConnections = MAX_WINDOWS;
    server.on("error", (error) => this.#options.failed(error));
    server.on("connection", (socket) => this.#welcome(socket, token));
  }

  /** Sends to all followers, optionally except one. */
  send(message: FromLeader, except?: ToFollower): void {
    if (this.#followers.size === 0) return;
    let frame: Buffer;
    try {
      frame = frameOf(message);
    } catch (error) {
      return this.#options.failed(error);
    }
    for (const connection of this.#followers.keys()) if (connection !== except) connection.send(frame);
  }

  close(): void {
    this.#server?.close();
    const connections = [...this.#followers.keys()];
    this.#followers.clear();
    for (const connection of connections) connection.close();
  }

  #welcome(socket: Socket, token: Token): void {
    const { timers, demand, demandsChanged, closed } = this.#options;
    const connection: ToFollower = new HubConnection(socket, token, "leader", timers, {
      schema: fromFollower,
      opened: () => {
        if (this.#server?.listening !== true) return connection.close();
        this.#followers.set(connection, undefined);
        connection.send({ type: "demand", demand: demand() });
      },
      received: (message) => this.#handle(connection, message),
      closed: (why) => {
        closed(why);
        if (this.#followers.delete(connection)) demandsChanged(undefined);
      },
    });
  }

  #handle(connection: ToFollower, message: FromFollower): void {
    if (!this.#followers.has(connection)) return;
    if (message.type === "demand") {
      const { demand } = message;
      const send = (update: LeaderUpdate): void => connection.send(update);
      const follower = this.#followers.get(connection) ?? { demand, send };
      follower.demand = demand;
      this.#followers.set(connection, follower);
      this.#options.demandsChanged(follower);
      return;
    }
    if (isAnnouncement(message)) this.send(message, connection);
    this.#options.received(message);
  }
}
