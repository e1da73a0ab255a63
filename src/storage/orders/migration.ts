import { join } from "node:path";
import type { Computer } from "../../files/computer.ts";
import { hasCode } from "../../files/hasCode.ts";
import { copyFile } from "../../files/wholeFile.ts";
import { copySalt } from "./accountKeys.ts";
import { copyClaims } from "./draftClaims.ts";
import { listOrderFiles } from "./files.ts";

/** The journal's folder, and the one in which windows of an earlier version may still write. */
export interface MigrationOptions {
  readonly earlier: string;
  readonly directory: string;
  /** ms since the epoch. */
  readonly now: number;
  readonly computer: Computer;
}

/**
 * Copies what an earlier version recorded, or has added since the last time. The originals stay: its windows read them.
 * A journal file has a unique name and is only appended to, so a copy of another length is replaced as a whole.
 *
 * Nothing is remembered, so a kill at any moment needs no repair. Returns the names of the files that could not be
 * copied: they must be read where they are. Throws if the earlier folder cannot be listed.
 */
export function migrateOrders({ earlier, directory, now, computer }: MigrationOptions): ReadonlySet<string> {
  const { files } = computer;
  // First: with another salt, each account of the records would have another name.
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
      // Merged into another file meanwhile, which the next listing shows.
      if (!hasCode(error, "ENOENT") || files.existsSync(source)) failed.add(name);
    }
  }
  try {
    copyClaims(earlier, directory, now, files);
  } catch {
    // Both folders are asked for a claim, so the copy matters only when the earlier folder is removed.
  }
  return failed;
}
