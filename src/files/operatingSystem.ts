import { randomBytes } from "node:crypto";
import { connect, createServer, type Server, type Socket } from "node:net";
import { isRunning } from "./isRunning.ts";
import { retryingFiles } from "./retryingFiles.ts";

/** Two names or descriptors with equal numbers are one file. */
interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** The `node:fs` functions that Bidside uses, with the arguments it passes. All throw system errors. */
export interface Files {
  readonly chmodSync: (path: string, mode: number) => void;
  readonly closeSync: (fd: number) => void;
  readonly existsSync: (path: string) => boolean;
  readonly fstatSync: {
    (fd: number): { readonly size: number };
    (fd: number, options: { bigint: true }): FileIdentity;
  };
  readonly fsyncSync: (fd: number) => void;
  readonly ftruncateSync: (fd: number, size: number) => void;
  /** Throws EEXIST if `path` exists. */
  readonly linkSync: (existing: string, path: string) => void;
  readonly lstatSync: (path: string) => { readonly uid: number; readonly mode: number };
  readonly mkdirSync: (path: string, options: { recursive: true; mode: number }) => string | undefined;
  readonly promises: { readonly readFile: (path: string) => Promise<Buffer> };
  readonly openSync: (path: string, flags: string, mode?: number) => number;
  readonly readFileSync: (path: string) => Buffer;
  readonly readdirSync: (path: string) => string[];
  readonly readlinkSync: (path: string) => string;
  readonly renameSync: (from: string, to: string) => void;
  readonly rmSync: (path: string, options?: { force: boolean }) => void;
  readonly rmdirSync: (path: string) => void;
  readonly statSync: {
    /** Undefined if the file does not exist. */
    (
      path: string,
      options: { throwIfNoEntry: false },
    ): { readonly size: number; readonly mtimeMs: number } | undefined;
    (
      path: string,
      options: { bigint: true },
    ): FileIdentity & { readonly size: bigint; readonly mtimeNs: bigint };
  };
  /** Returns the number of bytes written, which may be less than requested. */
  readonly writeSync: (fd: number, bytes: Uint8Array, offset: number) => number;
  /** `flush`: the bytes are on disk when the call returns. */
  readonly writeFileSync: (
    path: string,
    content: string | Uint8Array,
    options: { mode: number; flag?: string; flush?: boolean },
  ) => void;
}

/** What a process uses of the operating system, replaceable in tests. */
export interface OperatingSystem {
  readonly files: Files;
  readonly pid: number;
  /** Whether a process with this id runs on this computer, under any user. */
  readonly isRunning: (pid: number) => boolean;
  /** Cryptographically secure. */
  readonly randomBytes: (size: number) => Buffer;
  /** On `win32`, named pipes replace Unix sockets. */
  readonly platform: string;
  /** Undefined on systems without numeric user ids. */
  readonly uid: number | undefined;
  /** Connects to a Unix socket or named pipe. */
  readonly connect: (address: string) => Socket;
  readonly createServer: () => Server;
}

// Not imported: a bundle would copy every export at startup.
const files = process.getBuiltinModule("node:fs");

export const thisSystem: OperatingSystem = {
  files: process.platform === "win32" ? retryingFiles(files) : files,
  pid: process.pid,
  isRunning,
  randomBytes,
  platform: process.platform,
  uid: process.getuid?.(),
  connect: (address) => connect(address),
  createServer: () => createServer(),
};
