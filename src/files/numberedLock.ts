import { join } from "node:path";
import { type OperatingSystem, thisSystem } from "./operatingSystem.ts";
import { createFile } from "./atomicFiles.ts";

/**
 * A lock made of numbered files in a folder, of which the highest holds. A process acquires a number by creating its
 * file, which succeeds only once. Numbers never decrease, so a holder that was replaced while suspended finds a higher
 * one.
 */
export class NumberedLock {
  readonly #directory: string;
  readonly #prefix: string;
  readonly #suffix: string;
  readonly #os: OperatingSystem;

  /** File names are prefix, number, suffix. */
  constructor(directory: string, prefix: string, suffix = "", os = thisSystem) {
    this.#directory = directory;
    this.#prefix = prefix;
    this.#suffix = suffix;
    this.#os = os;
  }

  /** The highest number; undefined if there is none. Throws if the folder cannot be read. */
  get newest(): number | undefined {
    const numbers = this.#numbers();
    return numbers.length === 0 ? undefined : Math.max(...numbers);
  }

  /**
   * Acquires a number above all others; `text` is written to its file. Returns false if another process was faster. Throws if the
   * folder cannot be written.
   */
  take(number: number, text = String(this.#os.pid)): boolean {
    const { files } = this.#os;
    files.mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    if ((this.newest ?? 0) >= number) return false;
    const path = this.pathOf(number);
    if (!createFile(path, text, files)) return false;
    // The number may have been free only because its file was removed after a higher one was acquired.
    if (this.newest !== number) {
      files.rmSync(path, { force: true });
      return false;
    }
    // Keeps the previous number, because a process that lists the folder now must find at least one.
    const [, , ...old] = this.#numbers().sort((a, b) => b - a);
    for (const each of old) files.rmSync(this.pathOf(each), { force: true });
    return true;
  }

  /** Whether this number is still the highest. Also false if the folder is missing or unreadable. */
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
    return this.#os.files.readdirSync(this.#directory).flatMap((name) => {
      if (!name.startsWith(this.#prefix) || !name.endsWith(this.#suffix)) return [];
      const digits = name.slice(this.#prefix.length, name.length - this.#suffix.length);
      return /^\d{1,15}$/.test(digits) ? [Number(digits)] : [];
    });
  }
}
