import { join } from "node:path";
import { type Files, thisSystem } from "./operatingSystem.ts";
import { hasCode } from "./hasCode.ts";

/** Sorted names of the files in a folder; empty if listing fails with one of the `absent` codes. Throws on any other error. */
export function namesIn(folder: string, files = thisSystem.files, absent = ["ENOENT"]): string[] {
  try {
    return files.readdirSync(folder).sort();
  } catch (error) {
    if (hasCode(error, ...absent)) return [];
    throw error;
  }
}

/** Removes the files of a folder that were not modified for `ms`. `now`: ms since the epoch. Throws if the disk fails. */
export function removeOlder(folder: string, ms: number, now: number, files: Files): void {
  for (const path of namesIn(folder, files).map((name) => join(folder, name))) {
    const { mtimeMs = now } = files.statSync(path, { throwIfNoEntry: false }) ?? {};
    if (now - mtimeMs > ms) files.rmSync(path, { force: true });
  }
}

/**
 * Creates a file (mode 0600). Returns false if it exists, so that only one of several processes creates it. Throws if
 * it cannot be written.
 */
export function createFile(path: string, text = "", files = thisSystem.files): boolean {
  try {
    files.writeFileSync(path, text, { mode: 0o600, flag: "wx" });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/**
 * Replaces a file atomically (mode 0600): readers see the old or the new content, even after a power loss. If it throws, the old
 * file is unchanged.
 */
export function replaceFile(
  path: string,
  content: string | Uint8Array,
  { files, randomBytes } = thisSystem,
): void {
  const next = `${path}.${randomBytes(4).toString("hex")}`;
  try {
    files.writeFileSync(next, content, { mode: 0o600, flush: true });
    files.renameSync(next, path);
  } catch (error) {
    files.rmSync(next, { force: true });
    throw error;
  }
}
