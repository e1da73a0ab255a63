import { existsSync, mkdirSync, readFileSync } from "node:fs";
import * as z from "zod/mini";
import { isRunning } from "../files/isRunning.ts";
import { NumberedLock } from "../files/numberedLock.ts";
import { replaceFile } from "../files/atomicFiles.ts";
import type { Timers } from "../time/timers.ts";

/** The exclusive right to serve a directory, held by at most one running process. */
export interface DirectoryLock {
  readonly kind: "owner";
  /** Publishes the port of this process. */
  publish(port: number): void;
  /** Releases the lock. The directory's files must not be written after this. */
  release(): void;
}

/** Another process serves the directory. */
export interface Joined {
  readonly kind: "joined";
  readonly pid: number;
  readonly port: number;
}

/**
 * Probes a port: `serving` if the expected process responds, `gone` if it certainly does not, `silent` if unknown (it may
 * be suspended, and continue to write when it resumes).
 */
export type Probe = (port: number, pid: number) => Promise<"serving" | "gone" | "silent">;

/** `pid` alone: starting. */
const stateSchema = z.union([
  z.object({ pid: z.int().check(z.positive()), port: z.optional(z.int().check(z.positive())) }),
  z.object({ closed: z.literal(true) }),
]);
type State = z.infer<typeof stateSchema>;

interface Generation {
  readonly number: number;
  /** Undefined while unreadable: being written, or incomplete. */
  readonly state: State | undefined;
}

const POLL_MS = 50;
const HALF_WRITTEN_MS = 1000;
const PATIENCE_MS = 8000;

/**
 * Acquires the lock of a directory, or joins the process that holds it. A process that finds the newest lock released,
 * or its owner gone, acquires the next number. Rejects after about 8 s if the owner is alive but does not respond,
 * because taking over could put two writers on one ledger.
 */
export async function claimDirectory(
  directory: string,
  probe: Probe,
  timers: Timers,
): Promise<DirectoryLock | Joined> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = new NumberedLock(directory, "serving-", ".json");
  const started = timers.now();
  for (let waited = 0; waited < PATIENCE_MS; waited = timers.now() - started) {
    const newest = readNewest(lock);
    const verdict = await judge(newest, waited, probe);
    if (typeof verdict === "object") return verdict;
    const claim = verdict === "free" ? tryLock(lock, (newest?.number ?? 0) + 1) : undefined;
    if (claim) return claim;
    await new Promise<void>((resolve) => timers.after(POLL_MS, resolve));
  }
  throw new Error(
    `Another window holds the practice exchange in ${directory} and does not answer. ` +
      "Close the other windows; if there are none, delete the file serving-….json there.",
  );
}

async function judge(
  newest: Generation | undefined,
  waited: number,
  probe: Probe,
): Promise<"free" | "wait" | Joined> {
  if (!newest) return "free";
  if (!newest.state) return waited < HALF_WRITTEN_MS ? "wait" : "free";
  if ("closed" in newest.state) return "free";
  const { pid, port } = newest.state;
  if (!isRunning(pid)) return "free";
  if (port === undefined) return "wait";
  const answer = await probe(port, pid);
  if (answer === "serving") return { kind: "joined", pid, port };
  return answer === "gone" ? "free" : "wait";
}

function tryLock(lock: NumberedLock, number: number): DirectoryLock | undefined {
  if (!lock.take(number, JSON.stringify({ pid: process.pid }))) return undefined;
  const path = lock.pathOf(number);
  // Replaced atomically: an incomplete lock therefore belongs to an unverified claim.
  const replaceState = (state: State): void => replaceFile(path, JSON.stringify(state));
  return {
    kind: "owner",
    publish: (port) => replaceState({ pid: process.pid, port }),
    release: () => {
      if (existsSync(path)) replaceState({ closed: true });
    },
  };
}

function readNewest(lock: NumberedLock): Generation | undefined {
  const number = lock.newest;
  if (number === undefined) return undefined;
  try {
    const { data } = stateSchema.safeParse(JSON.parse(readFileSync(lock.pathOf(number), "utf8")));
    return { number, state: data };
  } catch {
    return { number, state: undefined };
  }
}
