import { join } from "node:path";
import type { Computer, Files } from "../../files/computer.ts";
import { namesIn } from "../../files/wholeFile.ts";
import { readAppendLog } from "../appendLog.ts";
import { readOrderRecord } from "./records.ts";
import type { JournalLine } from "./replay.ts";
import type { SkippedLine } from "./skippedLines.ts";

const FILE = /^orders-(\d{4}-\d{2})-(?:(\d{1,10})|merged)-[0-9a-f]{16}\.log$/;

/** A journal file by its name: its month (`2026-11`, UTC) and the process that writes it (undefined: merged, final). */
export interface OrderFile {
  readonly name: string;
  readonly month: string;
  readonly pid: number | undefined;
}

/** The content of one file when it was last read. */
export interface FileSnapshot extends OrderFile {
  /** Differs whenever the content may differ. */
  readonly stamp: string;
  readonly records: readonly JournalLine[];
  /** Lines that are damaged or are no records. */
  readonly skippedLines: readonly SkippedLine[];
}

/** A unique name. */
export function newFileName(
  month: string,
  writer: number | "merged",
  { randomBytes }: Pick<Computer, "randomBytes">,
): string {
  return `orders-${month}-${writer}-${randomBytes(8).toString("hex")}.log`;
}

export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** The journal files of the folder, by name; none if the folder does not exist. Throws if it cannot be listed. */
export function listOrderFiles(directory: string, files: Files): OrderFile[] {
  return namesIn(directory, files).flatMap((name) => {
    const [, month, pid] = FILE.exec(name) ?? [];
    return month === undefined ? [] : [{ name, month, pid: pid === undefined ? undefined : Number(pid) }];
  });
}

/** Size and time of change. A reader compares them before it reads again. */
export function fileStamp(directory: string, { name }: OrderFile, files: Files): string {
  const { size, mtimeNs } = files.statSync(join(directory, name), { bigint: true });
  return `${size} ${mtimeNs}`;
}

/** Reads a whole file. The stamp is taken first, so that records added in the meantime are read the next time. */
export function readOrderFile(directory: string, file: OrderFile, files: Files): FileSnapshot {
  const stamp = fileStamp(directory, file, files);
  const log = readAppendLog(join(directory, file.name), files);
  const records: JournalLine[] = [];
  const skippedLines: SkippedLine[] = log.skippedLines.map((found) => ({ file: file.name, ...found }));
  for (const { line, record: found } of log.records) {
    const record = readOrderRecord(found);
    if (record) records.push({ line, record });
    else skippedLines.push({ file: file.name, line, reason: "noRecord" });
  }
  return { ...file, stamp, records, skippedLines };
}
