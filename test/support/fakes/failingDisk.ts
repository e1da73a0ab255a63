import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

type Call = "mkdirSync" | "openSync" | "writeSync" | "fsyncSync";

/** What a disk does instead of what it was asked to. */
export interface DiskFault {
  readonly call: Call;
  /** What the call fails with. */
  readonly code: string;
  /** Bytes that a write takes before the next one fails, from the end where below zero; without it, none. */
  readonly takes?: number;
  /** Nor can what was written be taken off again. */
  readonly keeps?: true;
}

const names = ["mkdirSync", "openSync", "writeSync", "fsyncSync", "ftruncateSync", "closeSync"] as const;
type Real = { [Name in (typeof names)[number]]: (...args: unknown[]) => unknown };

/** Stands between this process and the files below one folder, and fails as it is told to. All else is left alone. */
export class FailingDisk {
  fault: DiskFault | undefined;
  /** Takes this many bytes a write, and says so: a full disk's neighbour, and no fault. */
  shortWrites: number | undefined;
  /** How often a call failed. */
  failures = 0;
  readonly #real = Object.fromEntries(names.map((name) => [name, fs[name]])) as unknown as Real;
  readonly #folder: string;
  readonly #files = new Set<unknown>();

  constructor(folder: string) {
    this.#folder = folder;
    const { mkdirSync, openSync, writeSync, fsyncSync, ftruncateSync, closeSync } = this.#real;
    this.#install({
      mkdirSync: (path, ...rest) => this.#try("mkdirSync", this.#isOurs(path)) ?? mkdirSync(path, ...rest),
      openSync: (path, flags, mode) => {
        const isWritten = this.#isOurs(path) && flags !== "r";
        this.#try("openSync", isWritten);
        const fd = openSync(path, flags, mode);
        if (isWritten) this.#files.add(fd);
        return fd;
      },
      writeSync: (fd, bytes, offset, ...rest) => {
        const isOurs = this.#files.has(fd);
        const { fault } = this;
        const most = fault?.call === "writeSync" ? (fault.takes ?? 0) : this.shortWrites;
        if (!isOurs || most === undefined || !(bytes instanceof Uint8Array))
          return writeSync(fd, bytes, offset, ...rest);
        const start = Number(offset);
        const takes = most < 0 ? bytes.length + most : most;
        if (start >= takes) this.#try("writeSync", true);
        return writeSync(fd, bytes, start, Math.min(takes, bytes.length - start));
      },
      fsyncSync: (fd) => this.#try("fsyncSync", this.#files.has(fd)) ?? fsyncSync(fd),
      ftruncateSync: (fd, size) => {
        if (this.#files.has(fd) && this.fault?.keeps) this.#fail("EIO");
        return ftruncateSync(fd, size);
      },
      closeSync: (fd) => {
        this.#files.delete(fd);
        return closeSync(fd);
      },
    });
  }

  /** Gives the process its own calls back. */
  remove(): void {
    this.#install(this.#real);
  }

  #isOurs(path: unknown): boolean {
    return String(path).startsWith(this.#folder);
  }

  #try(call: Call, isOurs: boolean): void {
    if (isOurs && this.fault?.call === call) this.#fail(this.fault.code);
  }

  #fail(code: string): never {
    this.failures += 1;
    throw Object.assign(new Error(`${code}: refused by the disk`), { code });
  }

  #install(calls: Real): void {
    Object.assign(fs, calls);
    syncBuiltinESMExports();
  }
}
