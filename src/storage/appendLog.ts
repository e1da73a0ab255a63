import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { type Files, thisComputer } from "../files/computer.ts";

/** A line that stays in its file and is not used as a record. */
export interface SkippedLogLine {
  /** Counted from 1. */
  readonly line: number;
  /** `repeated`: its sequence number occurred before, so it may be a copy. */
  readonly reason: "damaged" | "repeated";
}

/** The content of a file of records, in order. */
export interface LogContent {
  readonly records: readonly { readonly line: number; readonly record: unknown }[];
  readonly skippedLines: readonly SkippedLogLine[];
}

/** One line of a file. It has a record, or it was skipped; both if only its tail is intact, neither if it is empty. */
export interface LogLine {
  /** Counted from 1. */
  readonly line: number;
  /** The sequence number of the record; 0 without one. */
  readonly sequence: number;
  readonly record: unknown;
  readonly reason: SkippedLogLine["reason"] | undefined;
}

/** The part of a file that was read before: a reader of more of the file starts behind it. */
export interface ReadPart {
  readonly bytes: number;
  readonly lines: number;
  /** The highest sequence number. */
  readonly lastSequence: number;
}

/** A file of records that is only appended to. One writer at a time. */
export interface AppendLog {
  /** The content of the file when it was opened, in order, without later records. */
  readonly records: readonly unknown[];
  /** Found when the file was opened: kept in the file, left out of `records`. */
  readonly skippedLines: readonly SkippedLogLine[];
  /**
   * Appends one JSON-serialisable record. When this returns, the record survives the end of the process and, in a
   * `sync` log, of the computer. If it throws, treat the record as not written; the log stays usable.
   */
  append(record: unknown): void;
  /** The same for several records, which the disk gets at once. If it throws, treat none of them as written. */
  appendAll(records: readonly unknown[]): void;
  close(): void;
}

const NEWLINE = 0x0a;
const LINE = /^(\d{1,15}) ([0-9a-f]{8}) /;
const LINE_START = /\d{1,15} [0-9a-f]{8} /g;

/**
 * Opens or creates a log (mode 0600, folder 0700). A line is `sequence checksum json`, with the CRC-32 of `sequence
 * json` as its checksum. Damage never makes this throw: only a file that cannot be read or opened does.
 */
export function openAppendLog(options: {
  readonly path: string;
  /** Whether `append` waits until the disk has the record. */
  readonly sync: boolean;
  readonly files?: Files;
  /** Throws (EEXIST) if the file exists: the log then belongs to another writer. */
  readonly exclusive?: boolean;
}): AppendLog {
  const { path, sync, files = thisComputer.files, exclusive = false } = options;
  files.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const isNew = !files.existsSync(path);
  const content = isNew ? Buffer.alloc(0) : files.readFileSync(path);
  const { records, skippedLines, lastSequence } = readLines(content);
  const fd = files.openSync(path, exclusive ? "ax" : "a", 0o600);
  if (isNew && sync) syncFolder(dirname(path), files);

  let sequence = lastSequence;
  let endsInsideLine = content.length > 0 && content.at(-1) !== NEWLINE;

  const appendAll = (more: readonly unknown[]): void => {
    const lines = more.map((record, index) => formatLine(sequence + 1 + index, JSON.stringify(record)));
    const bytes = Buffer.from((endsInsideLine ? "\n" : "") + lines.join(""));
    const { size } = files.fstatSync(fd);
    try {
      writeAll(files, fd, bytes);
      if (sync) files.fsyncSync(fd);
    } catch (error) {
      if (!truncateTo(files, fd, size)) {
        endsInsideLine = true;
        // Lines may be complete in the file, and the next record must not look like the copy of one.
        sequence += more.length;
      }
      throw error;
    }
    endsInsideLine = false;
    sequence += more.length;
  };
  return {
    records: records.map(({ record }) => record),
    skippedLines,
    append: (record) => appendAll([record]),
    appendAll,
    close: () => files.closeSync(fd),
  };
}

function formatLine(sequence: number, json: string): string {
  return `${sequence} ${checksum(`${sequence} `, json)} ${json}\n`;
}

/** `start` is the sequence number and a space. */
function checksum(start: string, json: string): string {
  return crc32(json, crc32(start)).toString(16).padStart(8, "0");
}

function writeAll(files: Files, fd: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    const count = files.writeSync(fd, bytes, written);
    if (count === 0) throw new Error("The disk took no more bytes.");
    written += count;
  }
}

/** Removes half a line. False if that fails too, so that the next record starts on a new line. */
function truncateTo(files: Files, fd: number, size: number): boolean {
  try {
    files.ftruncateSync(fd, size);
    return true;
  } catch {
    return false;
  }
}

/** The content of a log, for a reader that must not write to it. Throws only if the file cannot be read. */
export function readAppendLog(path: string, files = thisComputer.files): LogContent {
  return readLines(files.readFileSync(path));
}

function readLines(content: Buffer): LogContent & { readonly lastSequence: number } {
  const records: LogContent["records"][number][] = [];
  const skippedLines: SkippedLogLine[] = [];
  let lastSequence = 0;
  for (const { line, sequence, record, reason } of eachLine(content)) {
    if (reason) skippedLines.push({ line, reason });
    if (record !== undefined) records.push({ line, record });
    lastSequence = Math.max(lastSequence, sequence);
  }
  return { records, skippedLines, lastSequence };
}

/**
 * The lines of a log's bytes. With `before`, only the lines behind a part that was read before and
 * that ends with a newline.
 */
export function* eachLine(content: Buffer, before?: ReadPart): Generator<LogLine> {
  const seen = new Set<number>();
  let line = before?.lines ?? 0;
  for (let start = before?.bytes ?? 0; start < content.length;) {
    const newline = content.indexOf(NEWLINE, start);
    const end = newline === -1 ? content.length : newline;
    const text = content.toString("utf8", start, end);
    start = end + 1;
    line += 1;
    if (text === "") {
      yield { line, sequence: 0, record: undefined, reason: undefined };
      continue;
    }
    const whole = readLine(text);
    const found = whole ?? readTail(text);
    const sequence = found?.sequence ?? 0;
    // A repeated sequence number means a copied line. Using it would count one order as two.
    const isRepeated = found !== undefined && seen.has(sequence);
    if (found) seen.add(sequence);
    const record = isRepeated ? undefined : found?.record;
    yield { line, sequence, record, reason: !whole ? "damaged" : isRepeated ? "repeated" : undefined };
  }
}

function readLine(text: string): { sequence: number; record: unknown } | undefined {
  const [start = "", sequence = "", sum] = LINE.exec(text) ?? [];
  const json = text.slice(start.length);
  if (checksum(`${sequence} `, json) !== sum) return undefined;
  try {
    return { sequence: Number(sequence), record: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

/** The intact line behind a damaged one that lost its newline: both are one line of the file. */
function readTail(text: string): { sequence: number; record: unknown } | undefined {
  for (const { index } of eachLineStart(text)) {
    const line = readLine(text.slice(index));
    if (line) return line;
  }
  return undefined;
}

/**
 * Every position where a line could start, including overlapping ones, because the damaged byte may look like a
 * digit.
 */
function* eachLineStart(text: string): Generator<RegExpExecArray> {
  const pattern = new RegExp(LINE_START);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    yield match;
    pattern.lastIndex = match.index + 1;
  }
}

/**
 * Makes the new file's name durable too. Some systems cannot open a folder; there the file's own sync must be enough.
 */
export function syncFolder(folder: string, files: Files): void {
  let fd: number;
  try {
    fd = files.openSync(folder, "r");
  } catch {
    return;
  }
  try {
    files.fsyncSync(fd);
  } catch {
    // If a folder refuses fsync, the guarantee is left to the file system.
  } finally {
    files.closeSync(fd);
  }
}
