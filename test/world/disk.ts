import type { Files } from "../../src/files/operatingSystem.ts";
import type { Process } from "./process.ts";

/** A file: its bytes, and the number of bytes that were flushed to the disk. */
export interface DiskFile {
  bytes: Buffer;
  synced: number;
  mtimeMs: number;
  mode: number;
  /** The server that listens at the file, if the file is a socket. */
  listener?: unknown;
}

/** Changes the disk's result of single calls. */
export interface DiskTrouble {
  /** Runs before each call that may fail: returns the code of the error, or undefined. */
  fails(
    call: "open" | "write" | "sync" | "read" | "create",
    path: string,
    process: Process,
  ): string | undefined;
  /** Returns how many bytes of this write are taken. */
  takes(path: string, size: number, process: Process): number;
  /** Runs after a successful write or flush: the place to kill a process. */
  done(call: "write" | "sync" | "create", path: string, process: Process): void;
}

interface Open {
  readonly path: string;
  readonly file: DiskFile | undefined;
}

/** One in-memory disk for all processes of a computer, with the calls of `Files` and their errors. */
export class Disk {
  readonly files = new Map<string, DiskFile>();
  readonly #folders = new Set<string>();
  readonly #children = new Map<string, Set<string>>();
  readonly #inodes = new WeakMap<DiskFile, bigint>();
  #lastInode = 0;
  readonly #now: () => number;
  #fd = 10;

  /** `now` is the clock of the computer, ms since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
    this.#makeFolder("/tmp");
  }

  /** The files of a folder by name. */
  list(folder: string): string[] {
    return [...(this.#children.get(slashed(folder)) ?? [])].sort();
  }

  /** Loses all bytes that were not flushed. */
  cutPower(): void {
    for (const file of this.files.values()) file.bytes = file.bytes.subarray(0, file.synced);
  }

  /** Puts a copy of a file at its path, as a program that restores a folder does: who has it open writes to the old one. */
  replace(path: string): void {
    const file = this.files.get(path);
    if (file) this.files.set(path, { ...file });
  }

  /** The calls of one process, whose open files are closed when the process ends. */
  callsOf(process: Process, trouble: DiskTrouble): Files {
    const open = new Map<number, Open>();
    process.onEnd(() => open.clear());
    const attempt = (call: Parameters<DiskTrouble["fails"]>[0], path: string): void => {
      process.check();
      const code = trouble.fails(call, path, process);
      if (code !== undefined) throw failure(code, path);
    };
    const opened = (fd: number): Open & { file: DiskFile } => {
      process.check();
      const found = open.get(fd);
      if (!found?.file) throw failure("EBADF", String(fd));
      return { path: found.path, file: found.file };
    };
    const existing = (path: string): DiskFile => {
      const file = this.files.get(path);
      if (!file) throw failure(this.#folders.has(path) ? "EISDIR" : "ENOENT", path);
      return file;
    };
    /** Writes all bytes to the file, or a part before an error. */
    const write = (path: string, file: DiskFile, bytes: Uint8Array): number => {
      attempt("write", path);
      const count = Math.min(bytes.length, trouble.takes(path, bytes.length, process));
      file.bytes = Buffer.concat([file.bytes, bytes.subarray(0, count)]);
      file.mtimeMs = this.#now();
      trouble.done("write", path, process);
      return count;
    };
    const sync = (path: string, file: DiskFile | undefined): void => {
      attempt("sync", path);
      if (!file) return;
      file.synced = file.bytes.length;
      trouble.done("sync", path, process);
    };
    const create = (path: string, mode: number, isExclusive: boolean): DiskFile => {
      const known = this.files.get(path);
      if (known && isExclusive) throw failure("EEXIST", path);
      if (known) return known;
      attempt("create", path);
      const file = this.add(path, mode);
      trouble.done("create", path, process);
      return file;
    };
    const read = (name: string): Buffer => {
      const path = slashed(name);
      attempt("read", path);
      return Buffer.from(existing(path).bytes);
    };
    const calls: Files = {
      chmodSync: (name, mode) => {
        process.check();
        existing(slashed(name)).mode = mode;
      },
      closeSync: (fd) => {
        process.check();
        open.delete(fd);
      },
      existsSync: (name) => {
        process.check();
        return this.files.has(slashed(name)) || this.#folders.has(slashed(name));
      },
      fstatSync: ((fd: number) => {
        const { file } = opened(fd);
        return { size: file.bytes.length, ...this.#identityOf(file) };
      }) as Files["fstatSync"],
      fsyncSync: (fd) => {
        process.check();
        const found = open.get(fd);
        if (!found) throw failure("EBADF", String(fd));
        sync(found.path, found.file);
      },
      ftruncateSync: (fd, size) => {
        const { file } = opened(fd);
        file.bytes = file.bytes.subarray(0, size);
        file.synced = Math.min(file.synced, size);
        file.mtimeMs = this.#now();
      },
      lstatSync: (name) => {
        process.check();
        const isFolder = this.#folders.has(slashed(name));
        return { uid: 1, mode: isFolder ? 0o040700 : existing(slashed(name)).mode };
      },
      mkdirSync: (name) => {
        process.check();
        return this.#makeFolder(slashed(name));
      },
      openSync: (name, flags, mode = 0o600) => {
        const path = slashed(name);
        attempt("open", path);
        const isFolder = this.#folders.has(path);
        if (isFolder && flags !== "r") throw failure("EISDIR", path);
        const makes = flags.startsWith("a") || flags.startsWith("w");
        const file = isFolder ? undefined : makes ? create(path, mode, flags.endsWith("x")) : existing(path);
        const fd = this.#fd++;
        open.set(fd, { path, file });
        return fd;
      },
      promises: { readFile: async (path) => read(path) },
      readFileSync: read,
      readdirSync: (name) => {
        process.check();
        const path = slashed(name);
        if (!this.#folders.has(path)) throw failure(this.files.has(path) ? "ENOTDIR" : "ENOENT", path);
        return this.list(path);
      },
      readlinkSync: (path) => {
        throw failure("ENOENT", path);
      },
      linkSync: (existingPath, path) => {
        process.check();
        if (this.files.has(slashed(path))) throw failure("EEXIST", path);
        const file = existing(slashed(existingPath));
        this.#enter(slashed(path));
        this.files.set(slashed(path), file);
      },
      renameSync: (from, to) => {
        process.check();
        const file = existing(slashed(from));
        this.remove(slashed(from));
        this.#enter(slashed(to));
        this.files.set(slashed(to), file);
      },
      rmSync: (name, options) => {
        process.check();
        if (!this.files.has(slashed(name)) && !options?.force) throw failure("ENOENT", name);
        this.remove(slashed(name));
      },
      rmdirSync: (name) => {
        process.check();
        const path = slashed(name);
        if (this.list(path).length > 0) throw failure("ENOTEMPTY", path);
        this.#folders.delete(path);
        this.#children.get(parentOf(path))?.delete(path.slice(path.lastIndexOf("/") + 1));
      },
      statSync: ((name: string, options: { bigint?: true }) => {
        process.check();
        const file = this.files.get(slashed(name));
        if (options.bigint !== true) return file && { size: file.bytes.length, mtimeMs: file.mtimeMs };
        const found = existing(slashed(name));
        return {
          ...this.#identityOf(found),
          size: BigInt(found.bytes.length),
          mtimeNs: BigInt(Math.round(found.mtimeMs * 1000)) * 1000n,
        };
      }) as Files["statSync"],
      writeSync: (fd, bytes, offset) => {
        const { path, file } = opened(fd);
        return write(path, file, bytes.subarray(offset));
      },
      writeFileSync: (name, text, { mode, flag, flush }) => {
        const path = slashed(name);
        attempt("open", path);
        const file = create(path, mode, flag === "wx");
        file.bytes = Buffer.alloc(0);
        const bytes = Buffer.from(text);
        for (let written = 0; written < bytes.length;) {
          const count = write(path, file, bytes.subarray(written));
          if (count === 0) throw failure("ENOSPC", path);
          written += count;
        }
        if (flush) sync(path, file);
      },
    };
    return calls;
  }

  #identityOf(file: DiskFile): { dev: bigint; ino: bigint } {
    const ino = this.#inodes.get(file) ?? BigInt(++this.#lastInode);
    this.#inodes.set(file, ino);
    return { dev: 1n, ino };
  }

  /** Adds an empty file. Throws if its folder does not exist. */
  add(path: string, mode: number): DiskFile {
    this.#enter(path);
    const file: DiskFile = { bytes: Buffer.alloc(0), synced: 0, mtimeMs: this.#now(), mode };
    this.files.set(path, file);
    return file;
  }

  remove(path: string): void {
    this.files.delete(path);
    this.#children.get(parentOf(path))?.delete(path.slice(path.lastIndexOf("/") + 1));
  }

  #enter(path: string): void {
    const folder = parentOf(path);
    const children = this.#children.get(folder);
    if (!children) throw failure("ENOENT", path);
    children.add(path.slice(path.lastIndexOf("/") + 1));
  }

  #makeFolder(path: string): string | undefined {
    if (this.#folders.has(path)) return undefined;
    if (this.files.has(path)) throw failure("EEXIST", path);
    const first = path === "/" ? undefined : this.#makeFolder(parentOf(path));
    if (path !== "/") this.#enter(path);
    this.#folders.add(path);
    this.#children.set(path, new Set());
    return first ?? path;
  }
}

/** The one form of a path, on every system: `join` of Windows writes other slashes. */
export function slashed(path: string): string {
  return path.includes("\\") ? path.replaceAll("\\", "/") : path;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

export function failure(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}
