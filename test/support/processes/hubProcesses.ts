import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Role } from "../../../src/hub/hub.ts";
import { clearBelow, clearFolder } from "../../../src/hub/socketPath.ts";
import { loadOrCreateToken } from "../../../src/hub/token.ts";
import { waitFor } from "../waitFor.ts";
import { bundleScript } from "./bundleScript.ts";
import { kill, linesOf, startAndRead } from "./children.ts";

/** A window's notes: a new role, a request, a change of the market, of orders or fills, an announced alert, or the record of an announcement. */
interface WindowEvent {
  readonly pid: number;
  readonly at: number;
  readonly role?: Role;
  readonly asked?: true;
  readonly read?: boolean;
  /** When the shown prices were requested. */
  readonly readAt?: number;
  /** When the newest streamed price arrived. */
  readonly live?: number;
  readonly fills?: number;
  readonly placed?: string;
  readonly fired?: string;
  readonly recorded?: string;
  readonly trouble?: string;
}

/** Time for sixteen processes to start and agree, on two busy cores. */
const START_MS = 30_000;
/** Time between two windows' readings of their clocks. */
const TOLERATED_MS = 20;

/** Windows of one computer, each a process with the shipped desk that can be killed or frozen. */
export class HubProcesses {
  readonly intervalMs: number;
  readonly windows = new Map<number, ChildProcess>();
  readonly #directory = mkdtempSync(join(tmpdir(), "bidside-hubs-"));
  readonly #events = join(this.#directory, "events");
  readonly #args: readonly string[];
  readonly #script: string;
  #bundle: Promise<string> | undefined;

  /** Windows on the exchange at an address, with one folder for their data. `script` is what each process runs. */
  constructor(intervalMs: number, exchangeUrl: string, storage: string, script = "deskProcess") {
    this.intervalMs = intervalMs;
    this.#script = `test/support/processes/${script}.ts`;
    this.#args = [join(this.#directory, "hub"), this.#events, String(intervalMs), exchangeUrl, storage];
  }

  async start(count: number): Promise<void> {
    this.#bundle ??= bundleScript(this.#script, this.#directory);
    const bundle = await this.#bundle;
    const started = Array.from({ length: count }, () => startAndRead<number>(bundle, ...this.#args));
    for (const { line, process } of await Promise.all(started)) this.windows.set(line, process);
  }

  get events(): WindowEvent[] {
    return linesOf(this.#events).map((line) => JSON.parse(line) as WindowEvent);
  }

  /**
   * The pid of the leading window, when exactly one window leads and all others follow. A follower has shown prices since:
   * its leader knows it from then on, and announces each request to it.
   */
  async settled(except?: number): Promise<number> {
    const found = await waitFor(
      "one leader, and followers that show its prices",
      () => {
        const roles = new Map<number, { role: Role; hasRead: boolean }>();
        for (const { pid, role, read } of this.events) {
          const known = roles.get(pid);
          if (role) roles.set(pid, { role, hasRead: false });
          else if (known && read) known.hasRead = true;
        }
        const windows = [...this.windows.keys()].filter((pid) => pid !== except);
        const leaders = windows.filter((pid) => roles.get(pid)?.role === "leader");
        const followers = windows.filter((pid) => {
          const { role, hasRead } = roles.get(pid) ?? {};
          return role === "follower" && hasRead;
        });
        return leaders.length === 1 && leaders.length + followers.length === windows.length
          ? leaders
          : undefined;
      },
      START_MS,
    );
    return found[0] ?? assert.fail();
  }

  /** Kills a window (-9); resolves to the time of the kill, ms since the epoch. */
  async kill(pid: number): Promise<number> {
    const process = this.windows.get(pid) ?? assert.fail();
    const at = Date.now();
    await kill(process);
    this.windows.delete(pid);
    return at;
  }

  signal(pid: number, signal: NodeJS.Signals): void {
    this.windows.get(pid)?.kill(signal);
  }

  /** The time in ms from `since` until another window leads; 0 if one did before, as may happen on a busy computer. */
  async takeoverMs(from: number, since: number): Promise<number> {
    const { at } = await waitFor("another window to lead", () => {
      const newest = this.events.findLast(({ role }) => role === "leader");
      return newest?.pid === from ? undefined : newest;
    });
    return Math.max(0, at - since);
  }

  /**
   * Requests of any window that came sooner than an interval after the one before: two windows requested the same.
   * From a time on (ms since the epoch): an opening window may lead before it knows the last request.
   */
  doublesSince(since: number): string[] {
    const asked = this.events
      .filter((event) => event.asked && event.at >= since)
      .toSorted((one, other) => one.at - other.at);
    return asked.flatMap(({ pid, at }, index) => {
      const before = asked[index - 1] ?? { pid, at: 0 };
      const gap = at - before.at;
      return gap < this.intervalMs - TOLERATED_MS ? [`${pid} at ${at}, ${gap} ms after ${before.pid}`] : [];
    });
  }

  /** The number of requests. */
  get asked(): number {
    return this.events.filter((event) => event.asked).length;
  }

  /** The longest time between two requests, ms. */
  get longestGap(): number {
    const asked = this.events.filter((event) => event.asked);
    return Math.max(...asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? at)));
  }

  /** Resolves after this many more requests. */
  async asks(more: number): Promise<void> {
    const before = this.asked;
    await waitFor(`${more} requests`, () => this.asked >= before + more, 20_000);
  }

  close(): void {
    const token = loadOrCreateToken(join(this.#directory, "hub"));
    for (const process of this.windows.values()) process.kill("SIGKILL");
    try {
      clearBelow(token, Number.POSITIVE_INFINITY);
    } catch {
      // No window ever listened.
    }
    clearFolder(token);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
