import { join } from "node:path";
import { type Computer, thisComputer } from "./computer.ts";
import { createFile } from "./wholeFile.ts";

/**
 * A lock of numbered files in a folder. Only the highest number counts. A process takes a number by creating its file,
 * which succeeds only once. Numbers never fall, so a replaced holder sees a higher one, however long it slept.
 */
export class NumberedLock {
  readonly #directory: string;
  readonly #prefix: string;
  readonly #suffix: string;
  readonly #computer: Computer;

  /** A file's name is the prefix, the number and the suffix. */
  constructor(directory: string, prefix: string, suffix = "", computer = thisComputer) {
    this.#directory = directory;
    this.#prefix = prefix;
    this.#suffix = suffix;
    this.#computer = computer;
  }

  /** The number that counts; undefined if there never was one. Throws if the folder cannot be read. */
  get newest(): number | undefined {
    const numbers = this.#numbers();
    return numbers.length === 0 ? undefined : Math.max(...numbers);
  }

  /**
   * Takes a number above all others; `text` is the content of its file. False if another process was faster. Throws
   * if the folder cannot be written.
   */
  take(number: number, text = String(this.#computer.pid)): boolean {
    const { files } = this.#computer;
    files.mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    if ((this.newest ?? 0) >= number) return false;
    const path = this.pathOf(number);
    if (!createFile(path, text, files)) return false;
    // The number may have been free only because its file was removed after a higher number was taken.
    if (this.newest !== number) {
      files.rmSync(path, { force: true });
      return false;
    }
    // The number before stays: a process that lists the folder right now must find at least one.
    const [, , ...old] = this.#numbers().sort((a, b) => b - a);
    for (const each of old) files.rmSync(this.pathOf(each), { force: true });
    return true;
  }

  /** Whether this number still counts. Also false if the folder is gone or unreadable. */
  isHeld(number: number): boolean {
    try {
      return this.newest === number;
    } catch {
      return false;
    }
  }

  pathOf(number: number): string {
    return join(this.#directory, `${this.#prefix}${number}${this.#suffix}`);
  }

  #numbers(): number[] {
    return this.#computer.files.readdirSync(this.#directory).flatMap((name) => {
      if (!name.startsWith(this.#prefix) || !name.endsWith(this.#suffix)) return [];
      const digits = name.slice(this.#prefix.length, name.length - this.#suffix.length);
      return /^\d{1,15}$/.test(digits) ? [Number(digits)] : [];
    });
  }
}
