import { createHmac } from "node:crypto";
import { join } from "node:path";
import type { Computer } from "../../files/computer.ts";
import { hasCode } from "../../files/hasCode.ts";
import { copyFile, replaceFile } from "../../files/wholeFile.ts";
import { syncFolder } from "../appendLog.ts";

const NAME = "account-salt";
const TEXT = /^[0-9a-f]{64}$/;
/** A salt is written in one call, so a damaged one that is older than this will never be completed. */
const WRITING_MS = 10_000;

export interface AccountKeysOptions {
  /** The folder of the order journal. */
  readonly directory: string;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly computer: Computer;
}

/** Copies the salt of another journal's folder, if this one has none. Throws if the disk fails. */
export function copySalt(from: string, to: string, computer: Computer): void {
  const { files } = computer;
  if (files.existsSync(join(to, NAME)) || !files.existsSync(join(from, NAME))) return;
  files.mkdirSync(to, { recursive: true, mode: 0o700 });
  copyFile(join(from, NAME), join(to, NAME), computer);
}

/**
 * Names accounts by keyed digests of their API keys. The random salt lies beside the journal (file mode 0600), so all
 * windows and all restarts agree, and without it nobody can test a guessed key against a record.
 */
export class AccountKeys {
  readonly #options: AccountKeysOptions;
  #salt: Buffer | undefined;

  constructor(options: AccountKeysOptions) {
    this.#options = options;
  }

  /** 16 hex digits. Throws if the salt can neither be read nor made. */
  of(apiKey: string): string {
    const salt = (this.#salt ??= this.#readSalt() ?? this.#makeSalt());
    return createHmac("sha256", salt).update(apiKey).digest("hex").slice(0, 16);
  }

  get #path(): string {
    return join(this.#options.directory, NAME);
  }

  /** Undefined without a salt. Throws for one that another window may be writing. */
  #readSalt(): Buffer | undefined {
    const { computer, now } = this.#options;
    const { files } = computer;
    let text: string;
    try {
      text = String(files.readFileSync(this.#path));
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined;
      throw error;
    }
    if (TEXT.test(text)) return Buffer.from(text, "hex");
    const { mtimeMs = 0 } = files.statSync(this.#path, { throwIfNoEntry: false }) ?? {};
    if (Math.abs(now() - mtimeMs) < WRITING_MS) throw new Error(`${this.#path} is being written.`);
    // Its process was killed while it made the salt.
    replaceFile(this.#path, this.#newSalt(), computer);
    return this.#readSalt();
  }

  /** Of several windows, one makes the salt. */
  #makeSalt(): Buffer {
    const { directory, computer } = this.#options;
    const { files } = computer;
    files.mkdirSync(directory, { recursive: true, mode: 0o700 });
    try {
      files.writeFileSync(this.#path, this.#newSalt(), { mode: 0o600, flag: "wx", flush: true });
      syncFolder(directory, files);
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
    const salt = this.#readSalt();
    if (!salt) throw new Error(`${this.#path} cannot be read.`);
    return salt;
  }

  #newSalt(): string {
    return this.#options.computer.randomBytes(32).toString("hex");
  }
}
