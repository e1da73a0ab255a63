import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Computer, Files } from "../../files/computer.ts";
import { hasCode } from "../../files/hasCode.ts";
import { namesIn } from "../../files/wholeFile.ts";

/** A file of another program may lie where a source's folder would. */
const ABSENT = ["ENOENT", "ENOTDIR"];
const FILE = /^prices-(\d{8}T\d{4})\.log$/;
/** A file of an earlier version on its way into the folder. */
const MOVING = /^prices-\d{8}T\d{4}\.log\.taking-[0-9a-f]{8}$/;
const NAME_LENGTH = "prices-20261119T0930.log".length;

/** A file of recorded prices. Its name is the minute it begins with (UTC), so that names sort by age. */
export interface PriceFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
}

/** Where the prices of one source are kept. Each text names a folder of its own. */
export function sourceFolder(directory: string, source: string): string {
  return join(directory, encodeURIComponent(source));
}

export function newPriceFile(folder: string, at: number, files: Files): PriceFile {
  files.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = nameFor(at);
  return { path: join(folder, name), name, bytes: sizeOf(join(folder, name), files) ?? 0 };
}

/** The files of a folder, oldest first; none if it does not exist. Throws if it cannot be listed. */
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

/** Deletes the oldest files until `wanted` bytes fit. Returns the number of bytes left. A file in use stays. */
export function makeRoom(directory: string, wanted: number, maximum: number, disk: Files): number {
  const files = listAllPriceFiles(directory, disk);
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { path, bytes } of files) {
    if (total + wanted <= maximum) break;
    try {
      disk.rmSync(path, { force: true });
      total -= bytes;
    } catch {
      // Another program has it open: it is deleted the next time.
    }
  }
  return total;
}

/** The contents of the files that may have minutes at `from` (ms) or later, oldest first, one at a time. */
export async function* readPriceFiles(folder: string, from: number, disk: Files): AsyncGenerator<Buffer> {
  const files = priceNames(folder, disk);
  for (const [index, name] of files.entries()) {
    // All minutes of this file are earlier than the first minute of the next file.
    if ((files[index + 1] ?? "~") <= nameFor(from)) continue;
    // Deleted in the meantime, because it was the oldest.
    const content = await disk.promises.readFile(join(folder, name)).catch((error: unknown) => {
      if (!hasCode(error, ...ABSENT)) throw error;
    });
    if (content) yield content;
  }
}

/**
 * Moves the prices that an earlier version recorded. Its windows may go on: they then begin a new file of an old name,
 * whose minutes are added to the newest file here the next time. A kill leaves at worst some minutes twice, which are
 * joined on reading. Throws if the disk fails; every minute is then still in one of both folders.
 */
export async function migrateHistory(
  from: string,
  to: string,
  { files, randomBytes }: Computer,
): Promise<void> {
  for (const source of namesIn(from, files, ABSENT)) {
    for (const name of namesIn(join(from, source), files, ABSENT)) {
      if (!FILE.test(name) && !MOVING.test(name)) continue;
      try {
        const moving = MOVING.test(name) ? name : `${name}.taking-${randomBytes(4).toString("hex")}`;
        const path = join(from, source, moving);
        // From now on, a window of the earlier version writes to another file.
        if (moving !== name) files.renameSync(join(from, source, name), path);
        movePrices(path, join(to, source), name.slice(0, NAME_LENGTH), files);
      } catch (error) {
        // Another window has moved it.
        if (!hasCode(error, "ENOENT")) throw error;
      }
      await setImmediate();
    }
  }
}

function movePrices(path: string, folder: string, name: string, files: Files): void {
  files.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const newest = priceNames(folder, files).at(-1) ?? "";
  if (newest < name) {
    try {
      return files.renameSync(path, join(folder, name));
    } catch (error) {
      if (!hasCode(error, "EXDEV")) throw error;
    }
  }
  // The newest file is read for every later minute, so it may have minutes of all times before.
  const target = join(folder, newest < name ? name : newest);
  files.appendFileSync(target, files.readFileSync(path), { mode: 0o600 });
  const fd = files.openSync(target, "r+");
  try {
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
  files.rmSync(path, { force: true });
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
