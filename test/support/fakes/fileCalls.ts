import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Runs `task` with calls of the file system replaced, for this whole process. */
export function withCalls(calls: Partial<typeof fs>, task: () => void): void {
  const names = Object.keys(calls) as (keyof typeof fs)[];
  const real = Object.fromEntries(names.map((name) => [name, fs[name]]));
  Object.assign(fs, calls);
  syncBuiltinESMExports();
  try {
    task();
  } finally {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  }
}

/** What a task did to files, by their paths. */
export interface FilesUsed {
  /** Opened, and not closed yet when it ended. */
  readonly held: readonly string[];
  /** Synced, in turn. */
  readonly synced: readonly string[];
}

/** Watches what `task` opens, syncs and closes one call at a time. A task that throws is watched to its end. */
export function filesUsed(task: () => void): FilesUsed {
  const { openSync, fsyncSync, closeSync } = fs;
  const open = new Map<number, string>();
  const synced: string[] = [];
  withCalls(
    {
      openSync: (...args: Parameters<typeof openSync>): number => {
        const fd = openSync(...args);
        open.set(fd, String(args[0]));
        return fd;
      },
      fsyncSync: (fd: number): void => {
        synced.push(open.get(fd) ?? "a file opened before");
        fsyncSync(fd);
      },
      closeSync: (fd: number): void => {
        open.delete(fd);
        closeSync(fd);
      },
    },
    () => {
      try {
        task();
      } catch {
        // What it left open is what was asked for.
      }
    },
  );
  return { held: [...open.values()], synced };
}
