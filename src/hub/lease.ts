import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = /^lead-(\d{1,15})$/;

/**
 * The lease decides who leads. It consists of numbered files in a folder, and only the highest number counts. A
 * window takes a number by creating its file, which succeeds only once. Numbers never fall, so a replaced leader sees
 * a higher one, however long it slept.
 */
export class Lease {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The number that leads; undefined if there never was one. Throws if the folder cannot be read. */
  get newest(): number | undefined {
    const numbers = this.#numbers();
    return numbers.length === 0 ? undefined : Math.max(...numbers);
  }

  /** Takes a number above all others. False if another window was faster. Throws if the folder cannot be written. */
  take(number: number): boolean {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    if ((this.newest ?? 0) >= number) return false;
    const path = this.#path(number);
    try {
      writeFileSync(path, String(process.pid), { mode: 0o600, flag: "wx" });
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
      throw error;
    }
    if (this.newest !== number) {
      rmSync(path, { force: true });
      return false;
    }
    // The number before stays: a window that lists the folder right now must find at least one.
    const [, , ...old] = this.#numbers().sort((a, b) => b - a);
    for (const each of old) rmSync(this.#path(each), { force: true });
    return true;
  }

  /** Whether this number still leads. Also false if the folder is gone or unreadable. */
  isHeld(number: number): boolean {
    try {
      return this.newest === number;
    } catch {
      return false;
    }
  }

  #numbers(): number[] {
    return readdirSync(this.#directory).flatMap((name) => {
      const match = FILE.exec(name);
      return match ? [Number(match[1])] : [];
    });
  }

  #path(number: number): string {
    return join(this.#directory, `lead-${number}`);
  }
}
