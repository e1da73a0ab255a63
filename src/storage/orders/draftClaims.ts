import { join } from "node:path";
import type { Files } from "../../files/operatingSystem.ts";
import { hasCode } from "../../files/hasCode.ts";
import { removeOlder } from "../../files/atomicFiles.ts";
import { syncFolder } from "../appendLog.ts";

/** Longer than a window can hold a draft that waits for its order's outcome. */
const RETENTION_MS = 31 * 24 * 60 * 60_000;

/**
 * Claims a draft for sending. Returns true for the first caller in any window and false for everyone after. Durable on
 * return. Throws if the disk fails: the draft must then not be sent.
 *
 * `id` is a lower-case UUID. The claim is a file of that name, created exclusively, so only one process can succeed.
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
 * Whether this draft was claimed (`id` as in `claimDraft`). A hint only: the claim itself decides. Throws if the disk
 * fails.
 */
export function isDraftClaimed(directory: string, id: string, files: Files): boolean {
  return files.statSync(join(folderIn(directory), id), { throwIfNoEntry: false }) !== undefined;
}

/** Removes claims older than a month. Throws if the disk fails. */
export function sweepClaims(directory: string, now: number, files: Files): void {
  removeOlder(folderIn(directory), RETENTION_MS, now, files);
}

function folderIn(directory: string): string {
  return join(directory, "drafts");
}
