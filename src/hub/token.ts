import { createHmac, timingSafeEqual } from "node:crypto";
import { dirname, join } from "node:path";
import { type OperatingSystem, thisSystem } from "../files/operatingSystem.ts";
import { replaceFile } from "../files/atomicFiles.ts";

const NAME = "token";
const TEXT = /^[0-9a-f]{64}$/;
/** File with the name of the replacement socket folder, once the first was refused. */
const FOLDER_NAME = "socket-folder";
const FOLDER_TEXT = /^[0-9a-f]{16}$/;

/** A shared secret of 32 random bytes, available to everyone who can read the folder. It signs and is never sent. */
export class Token {
  readonly #key: Buffer;
  readonly #randomBytes: OperatingSystem["randomBytes"];
  /** Part of the socket folder's name: 16 unguessable hex digits. */
  readonly folder: string;

  constructor(key: Buffer, { randomBytes } = thisSystem, folder?: string) {
    this.#key = key;
    this.#randomBytes = randomBytes;
    this.folder = folder ?? this.sign("folder").slice(0, 16);
  }

  /** 32 random bytes in hex. Each side signs the other's nonce to prove that it knows the token. */
  newNonce(): string {
    return this.#randomBytes(32).toString("hex");
  }

  /** HMAC-SHA256 over the parts, in hex. `purpose` limits a signature to one use. */
  sign(purpose: string, ...parts: readonly string[]): string {
    return createHmac("sha256", this.#key)
      .update(JSON.stringify([purpose, ...parts]))
      .digest("hex");
  }

  verifies(signed: string, purpose: string, ...parts: readonly string[]): boolean {
    const [own, given] = [Buffer.from(this.sign(purpose, ...parts)), Buffer.from(signed)];
    return own.length === given.length && timingSafeEqual(own, given);
  }
}

/**
 * Loads the folder's token (file mode 0600, folder 0700); creates one if it is missing or unreadable. Two windows that create one
 * simultaneously may disagree until they load it again. Throws if the folder cannot be written.
 */
export function loadOrCreateToken(directory: string, os = thisSystem): Token {
  const { files, randomBytes } = os;
  files.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, NAME);
  const stored = readToken(path, os);
  if (stored) return stored;
  replaceFile(path, randomBytes(32).toString("hex"), os);
  const read = readToken(path, os);
  if (!read) throw new Error(`The token in ${directory} cannot be read.`);
  return read;
}

/** Loads the folder's token; undefined if no window has created one. */
export function loadToken(directory: string, os = thisSystem): Token | undefined {
  return readToken(join(directory, NAME), os);
}

/**
 * Chooses another socket folder for all windows of a directory, because this token's folder is unusable: another user created it,
 * for example. Windows read the new name with the token. Does nothing if another window was faster. Throws if the directory
 * cannot be written.
 */
export function renewFolder(directory: string, { folder }: Token, os = thisSystem): void {
  if (loadToken(directory, os)?.folder !== folder) return;
  replaceFile(join(directory, FOLDER_NAME), os.randomBytes(8).toString("hex"), os);
}

function readToken(path: string, os: OperatingSystem): Token | undefined {
  const text = textOf(path, os);
  if (!TEXT.test(text)) return undefined;
  const folder = textOf(join(dirname(path), FOLDER_NAME), os);
  return new Token(Buffer.from(text, "hex"), os, FOLDER_TEXT.test(folder) ? folder : undefined);
}

/** "" if the file cannot be read. */
function textOf(path: string, { files }: OperatingSystem): string {
  try {
    return String(files.readFileSync(path));
  } catch {
    return "";
  }
}
