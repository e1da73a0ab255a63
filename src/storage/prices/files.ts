import { join } from "node:path";
import type { Files } from "../../files/operatingSystem.ts";
import { hasCode } from "../../files/hasCode.ts";
import { namesIn } from "../../files/atomicFiles.ts";
import { isNewerLog } from "../appendLog.ts";

/** Another program's file may be where a source's folder would be. */
const ABSENT = ["ENOENT", "ENOTDIR"];
const FILE = /^prices-(\d{8}T\d{4})\.log$/;

/** A file of recorded prices. Its name is its first minute (UTC), so names sort by age. */
export interface PriceFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
}

/** The folder of one source. */
export function sourceFolder(directory: string, source: string): string {
  return join(directory, encodeURIComponent(source));
}

export function newPriceFile(folder: string, at: number, files: Files): PriceFile {
  files.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = nameFor(at);
  return { path: join(folder, name), name, bytes: sizeOf(join(folder, name), files) ?? 0 };
}

/** The files of a folder, oldest first; empty if it does not exist. Throws if it cannot be listed. */
export function listPriceFiles(folder: string, disk: Files): PriceFile[] {
  return priceNames(folder, disk).flatMap((name) => {
    const path = join(folder, name);
    const bytes = sizeOf(path, disk);
    return bytes === undefined ? [] : [{ path, name, bytes }];
  });
}

/** The files of every source, oldest first. */
function listAllPriceFiles(directory: string, disk: Files): PriceFile[] {
  const files = namesIn(directory, disk, ABSENT).flatMap((name) =>
    listPriceFiles(join(directory, name), disk),
  );
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Deletes the oldest files until `wanted` bytes fit. Returns the total size of the remaining files. Files in use stay, and
 * so do those of a newer version.
 */
export function makeRoom(directory: string, wanted: number, maximum: number, disk: Files): number {
  const files = listAllPriceFiles(directory, disk);
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { path, bytes } of files) {
    if (total + wanted <= maximum) break;
    try {
      if (isNewerLog(disk.readFileSync(path))) continue;
      disk.rmSync(path, { force: true });
      total -= bytes;
    } catch {
      // Open in another program: deleted next time.
    }
  }
  return total;
}

/**
 * Yields the contents of files that may cover `from` (ms) or later, oldest first. Files of a newer version are passed to
 * `onNewer` instead.
 */
export async function* readPriceFiles(
  folder: string,
  from: number,
  disk: Files,
  onNewer: (path: string) => void,
): AsyncGenerator<Buffer> {
  const files = priceNames(folder, disk);
  for (const [index, name] of files.entries()) {
    // The next file starts before `from`, so this one ends before it.
    if ((files[index + 1] ?? "~") <= nameFor(from)) continue;
    // Deleted meanwhile to make room.
    const path = join(folder, name);
    const content = await disk.promises.readFile(path).catch((error: unknown) => {
      if (!hasCode(error, ...ABSENT)) throw error;
    });
    if (!content) continue;
    if (isNewerLog(content)) onNewer(path);
    else yield content;
  }
}

function nameFor(at: number): string {
  return `prices-${new Date(at).toISOString().slice(0, 16).replaceAll(/[-:]/g, "")}.log`;
}

function priceNames(folder: string, disk: Files): string[] {
  return namesIn(folder, disk, ABSENT).filter((name) => FILE.test(name));
}

function sizeOf(path: string, files: Files): number | undefined {
  return files.statSync(path, { throwIfNoEntry: false })?.size;
}
