import { thisComputer } from "./computer.ts";
import { hasCode } from "./hasCode.ts";

/** The names in a folder, sorted; none if listing fails with a code of `absent`. Throws if it fails otherwise. */
export function namesIn(folder: string, files = thisComputer.files, absent = ["ENOENT"]): string[] {
  try {
    return files.readdirSync(folder).sort();
  } catch (error) {
    if (hasCode(error, ...absent)) return [];
    throw error;
  }
}

/**
 * Creates a file (mode 0600). False if it exists: of several processes, only one creates it. Throws if it cannot be
 * written.
 */
export function createFile(path: string, text = "", files = thisComputer.files): boolean {
  try {
    files.writeFileSync(path, text, { mode: 0o600, flag: "wx" });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/**
 * Writes a file (mode 0600) in one step: a reader sees the old text or the new one, never a part, also after a power
 * cut. If this throws, the old file is still there.
 */
export function replaceFile(
  path: string,
  content: string | Uint8Array,
  { files, randomBytes } = thisComputer,
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

/** Copies a file in one step, as `replaceFile` does: onto another disk too. Throws if it cannot be read or written. */
export function copyFile(from: string, to: string, computer = thisComputer): void {
  replaceFile(to, computer.files.readFileSync(from), computer);
}
