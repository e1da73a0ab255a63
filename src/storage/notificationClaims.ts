import { join } from "node:path";
import { createFile, namesIn, removeOlder } from "../files/atomicFiles.ts";
import { type OperatingSystem, thisSystem } from "../files/operatingSystem.ts";
import { hasCode } from "../files/hasCode.ts";

/** Default for the time within which a window delivers. The window that made an older claim died or hangs. */
export const CLAIM_MS = 2000;
/** How long a claim is kept. A firing that is older must not be delivered, because nobody could tell that it was. */
export const RETENTION_MS = 7 * 24 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** The outbox has other files in the folder. */
const CLAIM_NAME = /^[^.]+\.\d+$/;
/** Contents of a claim. Anything else was not written to its end, like an empty claim. */
const DELIVERED = "delivered\n";
const SKIPPED = "skipped\n";
const RETRY = /^retry (\d+)\n$/;

/** Limits the attempts of a channel, whichever window makes them. */
export interface SendLimit {
  /** Minimum time between two attempts. */
  readonly everyMs: number;
  readonly perDay: number;
  /** Attempts end within this time. */
  readonly attemptMs: number;
}

/**
 * `claimed`: deliver now, then mark the file. `taken`: another window is delivering, or the attempt is too early; try again in
 * so many ms. `overLimit`: the channel had all attempts of a day.
 */
type Claim =
  | { readonly kind: "claimed"; readonly path: string; readonly attempt: number }
  | { readonly kind: "taken"; readonly retryMs: number }
  | { readonly kind: "delivered" | "overLimit" };

/**
 * Claims to deliver a notification in one window of this computer. A claim is a file, created exclusively and empty
 * until the attempt to deliver ended. The next number is claimed if that attempt failed, or if it did not end in time.
 */
export class NotificationClaims {
  readonly #folder: string;
  readonly #os: OperatingSystem;
  #isReady = false;

  constructor(folder: string, os = thisSystem) {
    this.#folder = folder;
    this.#os = os;
  }

  /**
   * Claims the next attempt for a notification of a channel. Both names become part of a file name; `now` is in ms since
   * the epoch. Throws if the disk fails.
   */
  claim(channel: string, key: string, now: number, limit?: SendLimit): Claim {
    const { files } = this.#os;
    const claimMs = limit?.attemptMs ?? CLAIM_MS;
    this.#prepare(now);
    for (let attempt = 1; ; attempt += 1) {
      const path = join(this.#folder, `${channel}-${key}.${attempt}`);
      const found = this.#read(path);
      if (!found) {
        const kept = limit && this.#limited(channel, now, limit);
        if (kept) return kept;
        if (!createFile(path, "", files)) return { kind: "taken", retryMs: claimMs };
        // Another window may have claimed an attempt of this channel since. Whoever sees both claims gives way.
        const other = limit && this.#limited(channel, now, limit, path);
        if (!other) return { kind: "claimed", path, attempt };
        files.rmSync(path, { force: true });
        return other;
      }
      const [, until] = RETRY.exec(found.text) ?? [];
      if (until !== undefined) {
        // A time that is too far ahead predates a clock change.
        const retryMs = Number(until) - now;
        if (retryMs > 0 && retryMs < DAY_MS) return { kind: "taken", retryMs };
      } else {
        if (isLast(found.text)) return { kind: "delivered" };
        // A claim in the future predates a clock change, so its age is unknown.
        const ageMs = Math.abs(now - found.at);
        if (ageMs < claimMs) return { kind: "taken", retryMs: claimMs - ageMs };
      }
    }
  }

  /** Records that the attempt of a claim ended: the notification needs no other. Throws if the disk fails. */
  markDelivered(path: string): void {
    this.#write(path, DELIVERED);
  }

  /** Records that the attempt of a claim failed, and the time of the next one, ms since the epoch. Throws if the disk fails. */
  markFailed(path: string, retryAt: number): void {
    this.#write(path, `retry ${retryAt}\n`);
  }

  /** Records that a channel makes no further attempt to deliver a notification. Throws if the disk fails. */
  skip(channel: string, key: string, now: number): void {
    this.#prepare(now);
    for (let attempt = 1; ; attempt += 1) {
      const path = join(this.#folder, `${channel}-${key}.${attempt}`);
      const found = this.#read(path);
      if (found ? isLast(found.text) : createFile(path, SKIPPED, this.#os.files)) return;
    }
  }

  #write(path: string, text: string): void {
    this.#os.files.writeFileSync(path, text, { mode: 0o600 });
  }

  /** Why the channel may not send now; undefined if it may. `own`: a claim that does not count. */
  #limited(channel: string, now: number, limit: SendLimit, own?: string): Claim | undefined {
    const ages = namesIn(this.#folder, this.#os.files)
      .filter((name) => name.startsWith(`${channel}-`) && CLAIM_NAME.test(name))
      .map((name) => join(this.#folder, name))
      .flatMap((path) => (path === own ? [] : (this.#read(path) ?? [])))
      .filter(({ text }) => text !== SKIPPED)
      .map(({ at }) => Math.abs(now - at));
    const youngest = Math.min(...ages);
    if (youngest < limit.everyMs) return { kind: "taken", retryMs: limit.everyMs - youngest };
    return ages.filter((age) => age < DAY_MS).length >= limit.perDay ? { kind: "overLimit" } : undefined;
  }

  /** The text of a claim and when it was written; undefined if there is none. */
  #read(path: string): { readonly text: string; readonly at: number } | undefined {
    const { files } = this.#os;
    const found = files.statSync(path, { throwIfNoEntry: false });
    if (!found || found.size === 0) return found && { text: "", at: found.mtimeMs };
    try {
      return { text: String(files.readFileSync(path)), at: found.mtimeMs };
    } catch (error) {
      // Its window gave way to another one.
      if (hasCode(error, "ENOENT")) return undefined;
      throw error;
    }
  }

  #prepare(now: number): void {
    if (this.#isReady) return;
    const { files } = this.#os;
    files.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#isReady = true;
    try {
      removeOlder(this.#folder, RETENTION_MS, now, files);
    } catch {
      // Left to the next window: without a claim, every window would deliver.
    }
  }
}

/** Whether no further attempt follows a claim with this content. */
function isLast(text: string): boolean {
  return text === DELIVERED || text === SKIPPED;
}
