import { join } from "node:path";
import { namesIn, replaceFile } from "../files/atomicFiles.ts";
import { type OperatingSystem, thisSystem } from "../files/operatingSystem.ts";
import { hasCode } from "../files/hasCode.ts";

const SUFFIX = ".json";

/**
 * Notifications that a channel has not delivered yet, each in a file of its own, so that another window delivers them
 * if this one is killed.
 */
export class Outbox {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #os: OperatingSystem;

  /** `channel` becomes part of file names. */
  constructor(folder: string, channel: string, os = thisSystem) {
    this.#folder = folder;
    this.#prefix = `${channel}-`;
    this.#os = os;
  }

  /** Keys of the waiting notifications. Throws if the disk fails. */
  keys(): string[] {
    return namesIn(this.#folder, this.#os.files).flatMap((name) =>
      name.startsWith(this.#prefix) && name.endsWith(SUFFIX)
        ? [name.slice(this.#prefix.length, -SUFFIX.length)]
        : [],
    );
  }

  /** The stored text of a notification; undefined if it no longer waits. Throws if the disk fails. */
  read(key: string): string | undefined {
    try {
      return String(this.#os.files.readFileSync(this.#pathOf(key)));
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined;
      throw error;
    }
  }

  /** Stores a notification until it is removed. Throws if the disk fails. */
  put(key: string, text: string): void {
    const { files } = this.#os;
    files.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    if (!files.existsSync(this.#pathOf(key))) replaceFile(this.#pathOf(key), text, this.#os);
  }

  /** Throws if the disk fails. */
  remove(key: string): void {
    this.#os.files.rmSync(this.#pathOf(key), { force: true });
  }

  #pathOf(key: string): string {
    return join(this.#folder, `${this.#prefix}${key}${SUFFIX}`);
  }
}
