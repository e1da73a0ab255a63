import { randomBytes } from "node:crypto";
import type { Server, Socket } from "node:net";
import { isRunning } from "./isRunning.ts";

/** The calls of `node:fs` that Bidside makes, with the arguments that it uses. Each throws errors of the system. */
export interface Files {
  readonly appendFileSync: (path: string, bytes: Uint8Array, options: { mode: number }) => void;
  readonly chmodSync: (path: string, mode: number) => void;
  readonly closeSync: (fd: number) => void;
  readonly existsSync: (path: string) => boolean;
  readonly fstatSync: (fd: number) => { readonly size: number };
  readonly fsyncSync: (fd: number) => void;
  readonly ftruncateSync: (fd: number, size: number) => void;
  readonly lstatSync: (path: string) => { readonly uid: number; readonly mode: number };
  readonly mkdirSync: (path: string, options: { recursive: true; mode: number }) => string | undefined;
  readonly promises: { readonly readFile: (path: string) => Promise<Buffer> };
  readonly openSync: (path: string, flags: string, mode?: number) => number;
  readonly readFileSync: (path: string) => Buffer;
  readonly readdirSync: (path: string) => string[];
  /** The text of a symbolic link. */
  readonly readlinkSync: (path: string) => string;
  readonly renameSync: (from: string, to: string) => void;
  readonly rmSync: (path: string, options?: { force: boolean }) => void;
  readonly rmdirSync: (path: string) => void;
  readonly statSync: {
    /** Undefined if there is no such file. */
    (
      path: string,
      options: { throwIfNoEntry: false },
    ): { readonly size: number; readonly mtimeMs: number } | undefined;
    (path: string, options: { bigint: true }): { readonly size: bigint; readonly mtimeNs: bigint };
  };
  /** Returns the number of bytes that were written, which may be less than all. */
  readonly writeSync: (fd: number, bytes: Uint8Array, offset: number) => number;
  /** `flush`: the bytes are on the disk on return. */
  readonly writeFileSync: (
    path: string,
    content: string | Uint8Array,
    options: { mode: number; flag?: string; flush?: boolean },
  ) => void;
}

/** The services of a computer that a process uses. */
export interface Computer {
  readonly files: Files;
  /** The number of this process. */
  readonly pid: number;
  /** Whether a process of this number runs on this computer, of any user. */
  readonly isRunning: (pid: number) => boolean;
  /** Random bytes that nobody can guess. */
  readonly randomBytes: (size: number) => Buffer;
  /** `win32` has named pipes in place of sockets with a path. */
  readonly platform: string;
  /** The number of this user, on systems with such numbers. */
  readonly uid: number | undefined;
  /** Connects to the socket or named pipe of another process of this computer. */
  readonly connect: (address: string) => Socket;
  readonly createServer: () => Server;
}

export const thisComputer: Computer = {
  // Not imported: a bundle would copy all its names at the start.
  files: process.getBuiltinModule("node:fs"),
  pid: process.pid,
  isRunning,
  randomBytes,
  platform: process.platform,
  uid: process.getuid?.(),
  // Loaded at the first use: activation needs no socket.
  connect: (address) => process.getBuiltinModule("node:net").connect(address),
  createServer: () => process.getBuiltinModule("node:net").createServer(),
};
