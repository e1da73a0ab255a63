import type { Server, Socket } from "node:net";
import { type OperatingSystem, thisSystem } from "../files/operatingSystem.ts";
import { call, type Call, type CallReply } from "./calls.ts";
import { HubConnection } from "./connection.ts";
import {
  removeStaleIpcServers,
  newIpcServerName,
  registerIpcServer,
  unregisterIpcServer,
} from "./ipcServerFiles.ts";
import { clearFolder, FolderRefused, listenAt } from "./socketPath.ts";
import type { Timers } from "../time/timers.ts";
import { loadOrCreateToken, renewFolder, type Token } from "./token.ts";

export interface IpcServerOptions {
  /** The folder through which the windows of this computer find each other. */
  readonly directory: string;
  readonly timers: Timers;
  readonly os?: OperatingSystem;
  /** Handles a call. Must not reject. */
  readonly answer: (call: Call) => Promise<Omit<CallReply, "type">>;
  /** Whether this window is in front initially. */
  readonly isInFront: boolean;
  readonly warn: (what: string) => void;
}

/** Maximum concurrent callers. More indicate a bug in a client. */
const MAX_CALLERS = 16;

/** The socket on which MCP servers call this window. Callers authenticate with the windows' token. */
export class IpcServer {
  readonly #options: Required<IpcServerOptions>;
  readonly #name: string;
  #token: Token;
  readonly #callers = new Set<HubConnection<Call, CallReply>>();
  #server: Server | undefined;
  #isDisposed = false;

  private constructor(options: Required<IpcServerOptions>) {
    this.#options = options;
    this.#name = newIpcServerName(options.os);
    this.#token = loadOrCreateToken(options.directory, options.os);
  }

  /** Rejects if the folder or the socket cannot be used. */
  static async open(given: IpcServerOptions): Promise<IpcServer> {
    const options = { os: thisSystem, ...given };
    const server = new IpcServer(options);
    await server.#listen();
    return server;
  }

  /** Routes calls to this window from now on. */
  cameToFront(): void {
    this.#write("first");
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    const { directory, os } = this.#options;
    unregisterIpcServer(directory, this.#name, os);
    this.#server?.close();
    for (const caller of this.#callers) caller.close();
    clearFolder(this.#token, os);
  }

  async #listen(): Promise<void> {
    const { directory, os, isInFront, warn } = this.#options;
    removeStaleIpcServers(directory, this.#token, os);
    const server = await this.#listenInOwnFolder();
    if (!server) throw new Error("The address for assistants is in use.");
    this.#server = server;
    server.maxConnections = MAX_CALLERS;
    server.on("error", (error) => warn(error.message));
    server.on("connection", (socket) => this.#welcome(socket));
    this.#write(isInFront ? "first" : "last");
  }

  /** Retries in another socket folder after this one was refused. */
  async #listenInOwnFolder(): Promise<Server | undefined> {
    const { directory, os } = this.#options;
    try {
      return await listenAt(this.#token, this.#name, os);
    } catch (error) {
      if (!(error instanceof FolderRefused)) throw error;
      renewFolder(directory, this.#token, os);
      this.#token = loadOrCreateToken(directory, os);
      return await listenAt(this.#token, this.#name, os);
    }
  }

  #welcome(socket: Socket): void {
    const { timers, warn } = this.#options;
    const caller: HubConnection<Call, CallReply> = new HubConnection(socket, this.#token, "window", timers, {
      schema: call,
      opened: () => this.#callers.add(caller),
      received: (message) => void this.#run(caller, message),
      closed: (why) => {
        this.#callers.delete(caller);
        if (why !== undefined) warn(`The connection of an assistant's server was ended: ${why}`);
      },
    });
  }

  async #run(caller: HubConnection<Call, CallReply>, message: Call): Promise<void> {
    caller.send({ type: "reply", ...(await this.#options.answer(message)) });
  }

  #write(place: "first" | "last"): void {
    const { directory, os, warn } = this.#options;
    if (this.#isDisposed) return;
    try {
      registerIpcServer(directory, this.#name, place, os);
    } catch (error) {
      warn(error instanceof Error ? error.message : "The folder of the windows cannot be written.");
    }
  }
}
