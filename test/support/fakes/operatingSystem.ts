import fs from "node:fs";
import { type OperatingSystem, type Files, thisSystem } from "../../../src/files/operatingSystem.ts";

/** This computer with some file system calls replaced. */
export function systemWith(calls: Partial<Files>): OperatingSystem {
  const files: Files = Object.assign(Object.create(fs), calls);
  return { ...thisSystem, files };
}

/** Real files without the wait for fsync, for tests without a power cut. */
export const unsyncedSystem = systemWith({ fsyncSync: () => undefined });

/** File operations of a task, by path. */
interface FilesUsed {
  /** Opened but not closed when it ended. */
  readonly held: readonly string[];
  /** Synced, in order. */
  readonly synced: readonly string[];
}

/** Observes which files `task` opens, syncs and closes on a computer with these calls, even if it throws. */
export function filesUsed(task: (os: OperatingSystem) => unknown, calls: Partial<Files> = {}): FilesUsed {
  const { files } = systemWith(calls);
  const open = new Map<number, string>();
  const synced: string[] = [];
  const os = systemWith({
    ...calls,
    openSync: (path, flags, mode) => {
      const fd = files.openSync(path, flags, mode);
      open.set(fd, path);
      return fd;
    },
    fsyncSync: (fd) => {
      synced.push(open.get(fd) ?? "a file opened before");
      files.fsyncSync(fd);
    },
    closeSync: (fd) => {
      open.delete(fd);
      files.closeSync(fd);
    },
  });
  try {
    task(os);
  } catch {
    // Files that the task left open are part of the result.
  }
  return { held: [...open.values()], synced };
}
