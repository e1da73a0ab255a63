import { join } from "node:path";
import type { Computer } from "../../files/computer.ts";
import { hasCode } from "../../files/hasCode.ts";
import { copyFile } from "../../files/wholeFile.ts";
import { copySalt } from "./accountKeys.ts";
import { copyClaims } from "./draftClaims.ts";
import { listOrderFiles } from "./files.ts";

/** The journal folder, and the earlier one that windows of an earlier version may still write to. */
export interface MigrationOptions {
  readonly earlier: string;
  readonly directory: string;
  /** ms since the epoch. */
  readonly now: number;
  readonly computer: Computer;
}

/**
 * Copies what an earlier version has recorded since the last call. The originals stay, because its windows read them.
 * Journal files have unique names and are append-only, so a copy of a different length is replaced as a whole.
 *
 * No progress is stored, so a crash at any point needs no repair. Returns the names of files that could not be copied
 * and must be read in place. Throws if the earlier folder cannot be listed.
 */
export function migrateOrders({ earlier, directory, now, computer }: MigrationOptions): ReadonlySet<string> {
  const { files } = computer;
  // First, because with a different salt every account of the records would get a different name.
  copySalt(earlier, directory, computer);
  const failed = new Set<string>();
  for (const { name } of listOrderFiles(earlier, files)) {
    const [source, copy] = [join(earlier, name), join(directory, name)];
    try {
      const { size } = files.statSync(source, { throwIfNoEntry: false }) ?? {};
      if (size === undefined || size === files.statSync(copy, { throwIfNoEntry: false })?.size) continue;
      files.mkdirSync(directory, { recursive: true, mode: 0o700 });
      copyFile(source, copy, computer);
    } catch (error) {
      // Already merged into another file, which the next listing shows.
      if (!hasCode(error, "ENOENT") || files.existsSync(source)) failed.add(name);
    }
  }
  try {
    copyClaims(earlier, directory, now, files);
  } catch {
    // Both folders are checked for claims; the copy matters only once the earlier folder is removed.
  }
  return failed;
}
