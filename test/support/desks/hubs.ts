import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OperatingSystem, thisSystem } from "../../../src/files/operatingSystem.ts";
import { hasCode } from "../../../src/files/hasCode.ts";
import { FrameReader, frameOf, LARGEST_FRAME } from "../../../src/hub/frames.ts";
import { monotonicTimers } from "../../../src/time/timers.ts";
import type { OpenWindows } from "../../../src/desk/windows/windowGroup.ts";
import { Hub, type HubEvents, type Role } from "../../../src/hub/hub.ts";
import type { Follower } from "../../../src/hub/leader.ts";
import type { Timers } from "../../../src/time/timers.ts";
import { Lease } from "../../../src/hub/lease.ts";
import type { Announcement, WindowDemand, LeaderUpdate, Request } from "../../../src/hub/protocol.ts";
import { addressOf, clearFolder } from "../../../src/hub/socketPath.ts";
import { loadOrCreateToken } from "../../../src/hub/token.ts";
import { waitFor } from "../waitFor.ts";

/** A window that needs nothing: defaults for values a test does not care about. */
export function demandOf(given: Partial<WindowDemand> = {}): WindowDemand {
  return { focused: false, active: false, visible: false, armed: false, intervalMs: 5000, ...given };
}

/** Connects windows by real sockets, as the editor does. */
export function hubsIn(directory: string): OpenWindows {
  return async (demand, events, account = "") =>
    new Hub({ directory: join(directory, account), demand, timers: monotonicTimers, events });
}

/** A hub in this process, with all messages it received. */
export interface HubEventLog {
  readonly hub: Hub;
  readonly roles: Role[];
  readonly received: (LeaderUpdate | Announcement | Request)[];
  readonly followers: (Follower | undefined)[];
  readonly troubles: string[];
}

/** Number of connections that the window closed because the peer misbehaved. */
export function droppedBy({ troubles }: HubEventLog): number {
  return troubles.filter((each) => each.startsWith("A connection with another window was ended")).length;
}

/** Windows of one computer in this process, with real sockets and files in a separate folder. */
export class Hubs {
  readonly directory: string;
  readonly timers: Timers;
  readonly #opened: HubEventLog[] = [];

  constructor(directory = mkdtempSync(join(tmpdir(), "bidside-hub-")), timers: Timers = monotonicTimers) {
    this.directory = directory;
    this.timers = timers;
  }

  open(
    given: Partial<WindowDemand> = {},
    events: Partial<HubEvents> = {},
    os: OperatingSystem = thisSystem,
  ): HubEventLog {
    const log: Omit<HubEventLog, "hub"> = { roles: [], received: [], followers: [], troubles: [] };
    const hub = new Hub({
      directory: this.directory,
      demand: demandOf(given),
      timers: this.timers,
      os,
      events: {
        roleChanged: (role) => log.roles.push(role),
        demandsChanged: (follower) => log.followers.push(follower),
        received: (message) => log.received.push(message),
        warn: (what) => log.troubles.push(what),
        ...events,
      },
    });
    const window = { hub, ...log };
    this.#opened.push(window);
    return window;
  }

  /** Opens a window and waits until it leads or follows. */
  async settled(given: Partial<WindowDemand> = {}, events: Partial<HubEvents> = {}): Promise<HubEventLog> {
    const window = this.open(given, events);
    await waitFor("a role", () => window.hub.role !== "joining");
    return window;
  }

  close(): void {
    for (const { hub } of this.#opened) hub.dispose();
    clearFolder(loadOrCreateToken(this.directory));
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A program of this user that has read the token: it can join like a window, and then send anything. */
export async function provenSocket(
  directory: string,
  claimed = loadOrCreateToken(directory),
): Promise<Socket> {
  const nonce = "0".repeat(64);
  for (;;) {
    try {
      const socket = await strangeSocket(directory);
      const reader = new FrameReader(LARGEST_FRAME);
      const [{ nonce: theirs }] = (await nextFrames(socket, reader)) as [{ nonce: string }];
      socket.write(frameOf({ nonce, proof: claimed.sign("follower", theirs, nonce) }));
      return socket;
    } catch (error) {
      // A leader suspended briefly by a busy computer acquires another number, and so another address.
      if (!hasCode(error, "ECONNRESET", "ECONNREFUSED", "ENOENT")) throw error;
    }
  }
}

/**
 * A program that found the leader's socket but does not know the token. The connection closes when the leader rejects it.
 */
export async function strangeSocket(directory: string): Promise<Socket> {
  const number = new Lease(directory).newest ?? 0;
  const socket = connect(addressOf(loadOrCreateToken(directory), number));
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

async function nextFrames(socket: Socket, reader: FrameReader): Promise<unknown[]> {
  for (;;) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    const values = [...reader.read(chunk)];
    if (values.length > 0) return values;
  }
}
