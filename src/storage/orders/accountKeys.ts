import { createHmac } from "node:crypto";
import { join } from "node:path";
import * as z from "zod/mini";
import type { OperatingSystem } from "../../files/operatingSystem.ts";
import { hasCode } from "../../files/hasCode.ts";
import { parseVersioned, versioned } from "../../files/versioned.ts";
import { syncFolder } from "../appendLog.ts";

const NAME = "account-salt";
const schema = z.object({ salt: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });
/** Without links a salt is written in one call: one that is still incomplete after this time was left by a killed process. */
const WRITING_MS = 10_000;

export interface AccountKeysOptions {
  /** The folder of the order journal. */
  readonly directory: string;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly os: OperatingSystem;
}

/**
 * Identifies API keys by a keyed digest. The random salt is stored beside the journal (mode 0600), so
 * every window and every restart gets the same result, and nobody without it can test a guessed key against a record.
 */
export class AccountKeys {
  readonly #options: AccountKeysOptions;
  #salt: Buffer | undefined;

  constructor(options: AccountKeysOptions) {
    this.#options = options;
  }

  /** 16 hex digits. Throws if the salt can be neither read nor created. */
  of(apiKey: string): string {
    const salt = (this.#salt ??= this.#findSalt());
    return createHmac("sha256", salt).update(apiKey).digest("hex").slice(0, 16);
  }

  /**
   * The first complete salt. One that a killed process left incomplete is not replaced, but followed by another file:
   * each is created exclusively, so windows that start together agree on one.
   */
  #findSalt(): Buffer {
    for (let number = 1; ; number += 1) {
      const path = join(this.#options.directory, number === 1 ? NAME : `${NAME}-${number}`);
      const salt = this.#readSalt(path) ?? this.#makeSalt(path);
      if (salt !== "incomplete") return salt;
    }
  }

  /** Undefined if there is no such file yet. Throws if another window may still be writing it, or its format is newer. */
  #readSalt(path: string): Buffer | "incomplete" | undefined {
    const { os, now } = this.#options;
    const { files } = os;
    let text: string;
    try {
      text = String(files.readFileSync(path));
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined;
      throw error;
    }
    const { data } = schema.safeParse(parseVersioned(text));
    if (data) return Buffer.from(data.salt, "hex");
    const { mtimeMs = 0 } = files.statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Math.abs(now() - mtimeMs) < WRITING_MS) throw new Error(`${path} is being written.`);
    return "incomplete";
  }

  #makeSalt(path: string): Buffer | "incomplete" {
    const { directory, os } = this.#options;
    const { files } = os;
    files.mkdirSync(directory, { recursive: true, mode: 0o700 });
    const next = `${path}.${os.randomBytes(4).toString("hex")}`;
    const salt = this.#newSalt();
    try {
      files.writeFileSync(next, salt, { mode: 0o600, flush: true });
      try {
        // No other window sees an incomplete file.
        files.linkSync(next, path);
      } catch (error) {
        if (hasCode(error, "EEXIST")) throw error;
        // Some file systems have no links.
        files.writeFileSync(path, salt, { mode: 0o600, flag: "wx", flush: true });
      }
      syncFolder(directory, files);
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    } finally {
      files.rmSync(next, { force: true });
    }
    const made = this.#readSalt(path);
    if (!made) throw new Error(`${path} cannot be read.`);
    return made;
  }

  #newSalt(): string {
    return JSON.stringify(versioned({ salt: this.#options.os.randomBytes(32).toString("hex") }));
  }
}
