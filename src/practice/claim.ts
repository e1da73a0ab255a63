import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod/mini";

/** The right to serve a directory: at most one living process has it. */
export interface Claim {
  readonly kind: "owner";
  /** Publishes the address of this process. */
  publish(port: number): void;
  /** Gives the right back. The directory's files must not be written after this. */
  release(): void;
}

/** Another process serves the directory. */
export interface Joined {
  readonly kind: "joined";
  readonly pid: number;
  readonly port: number;
}

/**
 * The answer of a port: the expected process serves there, it certainly does not, or unknown (it may be suspended,
 * and continue to write when it wakes).
 */
export type Probe = (port: number, pid: number) => Promise<"serving" | "gone" | "silent">;

/** `pid` alone: starting. */
const lock = z.union([
  z.object({ pid: z.int().check(z.positive()), port: z.optional(z.int().check(z.positive())) }),
  z.object({ closed: z.literal(true) }),
]);
type Lock = z.infer<typeof lock>;

interface Generation {
  readonly number: number;
  /** undefined while it cannot be read: it is being written, or is incomplete. */
  readonly lock: Lock | undefined;
}

const FILE = /^serving-(\d{1,15})\.json$/;
const POLL_MS = 50;
const HALF_WRITTEN_MS = 1000;
const PATIENCE_MS = 8000;

/**
 * Serve or join: exactly one process gets the claim of a directory.
 *
 * Locks are numbered, and only the highest number counts. A process that finds it closed, or its owner gone, creates
 * the next number exclusively, so only one of several succeeds. Numbers never fall, so a slow process cannot succeed
 * later with an old number. Rejects after about 8 s if the owner lives but does not answer, because taking over could
 * put two writers on one ledger.
 */
export async function claimDirectory(directory: string, probe: Probe): Promise<Claim | Joined> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const started = performance.now();
  for (let waited = 0; waited < PATIENCE_MS; waited = performance.now() - started) {
    const newest = readNewest(directory);
    const state = await judge(newest, waited, probe);
    if (typeof state === "object") return state;
    const claim = state === "free" ? tryClaim(directory, (newest?.number ?? 0) + 1) : undefined;
    if (claim) return claim;
    await delay(POLL_MS);
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
  if (!newest.lock) return waited < HALF_WRITTEN_MS ? "wait" : "free";
  if ("closed" in newest.lock) return "free";
  const { pid, port } = newest.lock;
  if (!isAlive(pid)) return "free";
  if (port === undefined) return "wait";
  const answer = await probe(port, pid);
  if (answer === "serving") return { kind: "joined", pid, port };
  return answer === "gone" ? "free" : "wait";
}

function tryClaim(directory: string, number: number): Claim | undefined {
  const path = lockPath(directory, number);
  try {
    writeFileSync(path, JSON.stringify({ pid: process.pid }), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return undefined;
    throw error;
  }
  // The number may have been free only because its lock was removed after a higher one was taken.
  if (readNewest(directory)?.number !== number) {
    rmSync(path, { force: true });
    return undefined;
  }
  // The lock before stays: a window that lists the directory right now must find at least one.
  for (const old of lockNumbers(directory)) {
    if (old < number - 1) rmSync(lockPath(directory, old), { force: true });
  }
  return {
    kind: "owner",
    publish: (port) => replaceLock(path, { pid: process.pid, port }),
    release: () => {
      if (existsSync(path)) replaceLock(path, { closed: true });
    },
  };
}

/**
 * In one step, so that an owner's lock is never seen incomplete. An incomplete lock therefore belongs to an
 * unverified claim.
 */
function replaceLock(path: string, state: Lock): void {
  const next = `${path}.next`;
  writeFileSync(next, JSON.stringify(state), { mode: 0o600 });
  renameSync(next, path);
}

function readNewest(directory: string): Generation | undefined {
  const numbers = lockNumbers(directory);
  if (numbers.length === 0) return undefined;
  const number = Math.max(...numbers);
  try {
    const read = lock.safeParse(JSON.parse(readFileSync(lockPath(directory, number), "utf8")));
    return { number, lock: read.success ? read.data : undefined };
  } catch {
    return { number, lock: undefined };
  }
}

function lockNumbers(directory: string): number[] {
  return readdirSync(directory).flatMap((name) => {
    const match = FILE.exec(name);
    return match ? [Number(match[1])] : [];
  });
}

function lockPath(directory: string, number: number): string {
  return join(directory, `serving-${number}.json`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is alive too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
