import { createHmac, timingSafeEqual } from "node:crypto";
import { dirname, join } from "node:path";
import { type Computer, thisComputer } from "../files/computer.ts";
import { replaceFile } from "../files/wholeFile.ts";

const NAME = "token";
const TEXT = /^[0-9a-f]{64}$/;
/** The name of the folder of sockets, once the first one was refused. */
const FOLDER_NAME = "socket-folder";
const FOLDER_TEXT = /^[0-9a-f]{16}$/;

/** 32 random bytes that everyone who can read the folder knows. The token signs and is never sent. */
export class Token {
  readonly #key: Buffer;
  readonly #randomBytes: Computer["randomBytes"];
  /** A part of the name of the windows' folder of sockets: 16 hex digits that nobody can guess. */
  readonly folder: string;

  constructor(key: Buffer, { randomBytes } = thisComputer, folder?: string) {
    this.#key = key;
    this.#randomBytes = randomBytes;
    this.folder = folder ?? this.sign("folder").slice(0, 16);
  }

  /** 32 random bytes in hex. Each side proves that it knows the token with the nonce of the other. */
  newNonce(): string {
    return this.#randomBytes(32).toString("hex");
  }

  /** HMAC-SHA256 over the parts, in hex. `purpose` makes a signature valid for one purpose only. */
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
 * The token of a folder (file mode 0600, folder 0700). It is made if there is none, or none that can be read. Two
 * windows that make one at the same moment may disagree until they read it again. Throws if the folder cannot be
 * written.
 */
export function keptToken(directory: string, computer = thisComputer): Token {
  const { files, randomBytes } = computer;
  files.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, NAME);
  const kept = readToken(path, computer);
  if (kept) return kept;
  replaceFile(path, randomBytes(32).toString("hex"), computer);
  const read = readToken(path, computer);
  if (!read) throw new Error(`The token in ${directory} cannot be read.`);
  return read;
}

/** The token of a folder; undefined if there is none: no window was open yet. */
export function knownToken(directory: string, computer = thisComputer): Token | undefined {
  return readToken(join(directory, NAME), computer);
}

/**
 * Chooses another folder of sockets for all windows of a directory, because this token's folder cannot be used: another user
 * has made it, for example. Each window reads the name with the token. Nothing changes if another window was faster. Throws
 * if the directory cannot be written.
 */
export function renewFolder(directory: string, { folder }: Token, computer = thisComputer): void {
  if (knownToken(directory, computer)?.folder !== folder) return;
  replaceFile(join(directory, FOLDER_NAME), computer.randomBytes(8).toString("hex"), computer);
}

function readToken(path: string, computer: Computer): Token | undefined {
  const text = textOf(path, computer);
  if (!TEXT.test(text)) return undefined;
  const folder = textOf(join(dirname(path), FOLDER_NAME), computer);
  return new Token(Buffer.from(text, "hex"), computer, FOLDER_TEXT.test(folder) ? folder : undefined);
}

/** "" if the file cannot be read. */
function textOf(path: string, { files }: Computer): string {
  try {
    return String(files.readFileSync(path));
  } catch {
    return "";
  }
}
