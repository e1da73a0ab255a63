import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { OperatingSystem, Files } from "../../files/operatingSystem.ts";
import { hasCode } from "../../files/hasCode.ts";
import { namesIn } from "../../files/atomicFiles.ts";
import { NewerFormatError } from "../../files/versioned.ts";
import { eachLine, type ReadPart } from "../appendLog.ts";
import { readOrderRecord } from "./records.ts";
import type { JournalLine } from "./foldedOrders.ts";
import type { SkippedLine } from "./skippedLines.ts";

const FILE = /^orders-(\d{4}-\d{2})-(?:(\d{1,10})|merged)-[0-9a-f]{16}\.log$/;

/**
 * A journal file, described by its name: the month (`2026-11`, UTC) and the process writing it (undefined: merged and
 * final).
 */
export interface OrderFile {
  readonly name: string;
  readonly month: string;
  readonly pid: number | undefined;
}

/** One file as last read. */
export interface FileSnapshot extends OrderFile {
  /** Changes whenever the content may have changed. */
  readonly stamp: string;
  readonly records: readonly JournalLine[];
  /** Damaged lines and lines that are not records. */
  readonly skippedLines: readonly SkippedLine[];
  /** The part that was read, with its CRC-32. Undefined if the file ended inside a line that may still grow. */
  readonly read: (ReadPart & { readonly checksum: number }) | undefined;
}

/** The folder as last read. */
export interface FolderContent {
  readonly snapshots: ReadonlyMap<string, FileSnapshot>;
  /** Whole files that could not be read or have a newer format, and the folder if it could not be listed. */
  readonly unreadable: readonly SkippedLine[];
  /** A listed file was gone by the time it was read. */
  readonly vanished: boolean;
}

/** A unique name. */
export function newFileName(
  month: string,
  writer: number | "merged",
  { randomBytes }: OperatingSystem,
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

/** Size and modification time, to skip files that have not changed. */
export function fileStamp(directory: string, { name }: OrderFile, files: Files): string {
  const { size, mtimeNs } = files.statSync(join(directory, name), { bigint: true });
  return `${size} ${mtimeNs}`;
}

/**
 * Reads all files of the folder except the one named `exclude`. A file whose stamp matches its known snapshot is not read again. If a
 * file becomes unreadable, its known lines stay valid.
 */
export function readOrderFiles(
  directory: string,
  files: Files,
  known: ReadonlyMap<string, FileSnapshot>,
  exclude: string | undefined,
): FolderContent {
  const snapshots = new Map<string, FileSnapshot>();
  let listed: OrderFile[];
  try {
    listed = listOrderFiles(directory, files);
  } catch {
    return {
      snapshots: known,
      unreadable: [{ file: undefined, line: undefined, reason: "unreadable" }],
      vanished: false,
    };
  }
  const unreadable: SkippedLine[] = [];
  let vanished = false;
  for (const file of listed) {
    if (file.name === exclude) continue;
    const before = known.get(file.name);
    try {
      const isSame = before?.stamp === fileStamp(directory, file, files);
      snapshots.set(file.name, isSame ? before : readOrderFile(directory, file, files, before));
    } catch (error) {
      vanished ||= hasCode(error, "ENOENT");
      const reason = error instanceof NewerFormatError ? "newer" : "unreadable";
      unreadable.push({ file: file.name, line: undefined, reason });
      if (before) snapshots.set(file.name, before);
    }
  }
  return { snapshots, unreadable, vanished };
}

/**
 * Reads a file; throws if it cannot be read or its format is newer. If it still starts with the known content, only the new lines are parsed and the known records stay the
 * same objects. The stamp is taken first, so that records appended meanwhile are picked up next time.
 */
export function readOrderFile(
  directory: string,
  file: OrderFile,
  files: Files,
  known?: FileSnapshot,
): FileSnapshot {
  const stamp = fileStamp(directory, file, files);
  const content = files.readFileSync(join(directory, file.name));
  const { name, month, pid } = file;
  return { name, month, pid, stamp, ...readLines(name, content, knownStart(content, known)) };
}

type Content = Pick<FileSnapshot, "records" | "skippedLines" | "read">;
type Start = Content & { readonly read: NonNullable<Content["read"]> };

const NOTHING: Start = {
  records: [],
  skippedLines: [],
  read: { bytes: 0, lines: 0, lastSequence: 0, checksum: 0 },
};

/** What is known of the start of a file; nothing if it changed. */
function knownStart(content: Buffer, known: FileSnapshot | undefined): Start {
  const { records, skippedLines, read } = known ?? NOTHING;
  const isSame = read && crc32(content.subarray(0, read.bytes)) === read.checksum;
  return isSame ? { records, skippedLines, read } : NOTHING;
}

/** The known lines plus the new ones. */
function readLines(name: string, content: Buffer, known: Start): Content {
  const records = [...known.records];
  const skippedLines = [...known.skippedLines];
  let { lines, lastSequence } = known.read;
  for (const { line, sequence, record: found, reason } of eachLine(content, known.read)) {
    // Possibly a copy of a known line; only a full read can tell.
    if (sequence > 0 && sequence <= known.read.lastSequence) return readLines(name, content, NOTHING);
    lines = line;
    lastSequence = Math.max(lastSequence, sequence);
    if (reason) skippedLines.push({ file: name, line, reason });
    if (found !== undefined) {
      const record = readOrderRecord(found);
      if (record) records.push({ line, record });
      else skippedLines.push({ file: name, line, reason: "noRecord" });
    }
  }
  const endsWithLine = content.at(-1) === 0x0a;
  const checksum = crc32(content);
  const read = endsWithLine ? { bytes: content.length, lines, lastSequence, checksum } : undefined;
  return { records, skippedLines, read };
}
