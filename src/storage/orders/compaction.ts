import { join } from "node:path";
import { type OperatingSystem, type Files, thisSystem } from "../../files/operatingSystem.ts";
import { openAppendLog, readAppendLog, syncFolder } from "../appendLog.ts";
import {
  type FileSnapshot,
  listOrderFiles,
  monthOf,
  newFileName,
  type OrderFile,
  readOrderFile,
} from "./files.ts";

const LEFTOVER = /^orders-.*\.log\.(?:next|[0-9a-f]{8})$/;

/**
 * Merges each past month's files of exited processes into one. Damaged or unreadable files are left alone for manual
 * inspection, and so are files in a newer format. Throws if the disk fails; every record is then still in some file.
 *
 * The merged file is written under a new name, never over an existing file, and its sources are deleted only once it is
 * on disk and reads back completely. A crash at any point therefore leaves at worst duplicate records, which count
 * once, and two windows that merge at the same moment cannot destroy each other's work.
 */
export function mergePastMonths(options: {
  readonly directory: string;
  readonly now: number;
  readonly os?: OperatingSystem;
}): void {
  const { directory, now, os = thisSystem } = options;
  const current = monthOf(now);
  const ended = listOrderFiles(directory, os.files).filter(
    ({ month, pid }) => month < current && (pid === undefined || !os.isRunning(pid)),
  );
  for (const [month, files] of Map.groupBy(ended, ({ month }) => month)) {
    if (files.length < 2) continue;
    const whole = files.flatMap((file) => readWhole(directory, file, os.files) ?? []);
    if (whole.length > 1) mergeFiles(directory, month, whole, os);
  }
}

/**
 * The records of a file; undefined if any part is unreadable, because only the original file is then complete.
 */
function readWhole(directory: string, file: OrderFile, files: Files): FileSnapshot | undefined {
  try {
    const snapshot = readOrderFile(directory, file, files);
    return snapshot.skippedLines.length === 0 ? snapshot : undefined;
  } catch {
    return undefined;
  }
}

function mergeFiles(
  directory: string,
  month: string,
  sources: readonly FileSnapshot[],
  os: OperatingSystem,
): void {
  const { files } = os;
  // Left by an interrupted merge. If that merge is in fact still running, its rename fails and it deletes nothing.
  for (const name of files.readdirSync(directory))
    if (LEFTOVER.test(name)) files.rmSync(join(directory, name));

  const lines = new Set(
    sources.flatMap(({ records }) => records.map(({ record }) => JSON.stringify(record))),
  );
  const path = join(directory, newFileName(month, "merged", os));
  const next = `${path}.next`;
  const log = openAppendLog({ path: next, sync: false, files, exclusive: true });
  try {
    for (const line of lines) log.append(JSON.parse(line));
  } finally {
    log.close();
  }
  flush(next, files);
  const written = readAppendLog(next, files).records.length;
  if (written !== lines.size) throw new Error(`${next} holds ${written} of ${lines.size} records.`);
  files.renameSync(next, path);
  syncFolder(directory, files);
  for (const { name } of sources) files.rmSync(join(directory, name), { force: true });
}

function flush(path: string, files: Files): void {
  const fd = files.openSync(path, "r+");
  try {
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
}
