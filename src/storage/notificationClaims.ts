import { join } from "node:path";
import { createFile, removeOlder } from "../files/atomicFiles.ts";
import { type Computer, thisComputer } from "../files/computer.ts";

/** Delivering takes far less, so the window that made an older claim without delivering died or hangs. */
export const CLAIM_MS = 2000;
/** How long a claim is kept. A firing that is older must not be delivered, because nobody could tell that it was. */
export const RETENTION_MS = 7 * 24 * 60 * 60_000;

/** `claimed`: deliver now, then mark the file. `taken`: another window is delivering; try again in so many ms. */
type Claim =
  | { readonly kind: "claimed"; readonly path: string }
  | { readonly kind: "taken"; readonly retryMs: number }
  | { readonly kind: "delivered" };

/**
 * Claims to deliver a notification in one window of this computer. A claim is a file, created exclusively and empty
 * until the notification was delivered. An empty file older than CLAIM_MS is left alone, and the next number is claimed.
 */
export class NotificationClaims {
  readonly #folder: string;
  readonly #computer: Computer;
  #isReady = false;

  constructor(folder: string, computer = thisComputer) {
    this.#folder = folder;
    this.#computer = computer;
  }

  /** `name` becomes part of a file name; `now` is in ms since the epoch. Throws if the disk fails. */
  claim(name: string, now: number): Claim {
    const { files } = this.#computer;
    this.#prepare(now);
    for (let number = 1; ; number += 1) {
      const path = join(this.#folder, `${name}.${number}`);
      if (createFile(path, "", files)) return { kind: "claimed", path };
      const { size, mtimeMs } = files.statSync(path, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: now };
      if (size > 0) return { kind: "delivered" };
      // A claim in the future predates a clock change, so its age is unknown.
      const ageMs = Math.abs(now - mtimeMs);
      if (ageMs < CLAIM_MS) return { kind: "taken", retryMs: CLAIM_MS - ageMs };
    }
  }

  /** Records that the notification of a claim was delivered. Throws if the disk fails. */
  markDelivered(path: string): void {
    this.#computer.files.writeFileSync(path, "delivered\n", { mode: 0o600 });
  }

  #prepare(now: number): void {
    if (this.#isReady) return;
    const { files } = this.#computer;
    files.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#isReady = true;
    try {
      removeOlder(this.#folder, RETENTION_MS, now, files);
    } catch {
      // Left to the next window: without a claim, every window would deliver.
    }
  }
}
