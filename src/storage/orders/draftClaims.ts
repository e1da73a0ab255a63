import { join } from "node:path";
import type { Files } from "../../files/computer.ts";
import { hasCode } from "../../files/hasCode.ts";
import { createFile, namesIn } from "../../files/wholeFile.ts";
import { syncFolder } from "../appendLog.ts";

/** Longer than any draft waits in a window for the outcome of its order. */
const RETENTION_MS = 31 * 24 * 60 * 60_000;

/**
 * Claims a draft for sending. True for the first caller in any window, false for everyone after. Durable on return.
 * Throws if the disk fails: the draft must then not be sent.
 *
 * `id` is a UUID in lower case. Its claim is a file of that name, created exclusively: only one process can do that.
 */
export function claimDraft(directory: string, id: string, files: Files): boolean {
  const folder = folderIn(directory);
  const isNew = files.mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
  let fd: number;
  try {
    fd = files.openSync(join(folder, id), "wx", 0o600);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
  try {
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
  syncFolder(folder, files);
  if (isNew) syncFolder(directory, files);
  return true;
}

/**
 * Whether the draft of this id (as for `claimDraft`) was claimed. This only reads; the claim itself decides. Throws
 * if the disk fails.
 */
export function isDraftClaimed(directory: string, id: string, files: Files): boolean {
  return files.statSync(join(folderIn(directory), id), { throwIfNoEntry: false }) !== undefined;
}

/** Copies the claims of another folder that still count. Throws if the disk fails. */
export function copyClaims(from: string, to: string, now: number, files: Files): void {
  const [source, target] = [folderIn(from), folderIn(to)];
  const have = new Set(namesIn(target, files));
  for (const name of namesIn(source, files)) {
    const madeAt = files.statSync(join(source, name), { throwIfNoEntry: false })?.mtimeMs;
    if (have.has(name) || madeAt === undefined || now - madeAt > RETENTION_MS) continue;
    files.mkdirSync(target, { recursive: true, mode: 0o700 });
    createFile(join(target, name), "", files);
  }
}

/** Removes claims older than a month. Throws if the disk fails. */
export function sweepClaims(directory: string, now: number, files: Files): void {
  const folder = folderIn(directory);
  for (const name of namesIn(folder, files)) {
    const path = join(folder, name);
    const madeAt = files.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - madeAt > RETENTION_MS) files.rmSync(path, { force: true });
  }
}

function folderIn(directory: string): string {
  return join(directory, "drafts");
}
