import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { type Files, thisSystem } from "../files/operatingSystem.ts";
import { isNewer, NewerFormatError, versioned } from "../files/versioned.ts";

/** A line that is left in the file but not used. */
export interface SkippedLogLine {
  /** Counted from 1. */
  readonly line: number;
  /** `repeated`: its sequence number occurred before, so it may be a copy. */
  readonly reason: "damaged" | "repeated";
}

/** The content of a log, in file order. */
export interface LogContent {
  readonly records: readonly { readonly line: number; readonly record: unknown }[];
  readonly skippedLines: readonly SkippedLogLine[];
}

/**
 * One line of a log. It has a record, a reason for being skipped, both if only its tail is intact, or neither if it is
 * empty or the header.
 */
export interface LogLine {
  /** Counted from 1. */
  readonly line: number;
  /** Sequence number of the record; 0 without one, and of the header. */
  readonly sequence: number;
  readonly record: unknown;
  readonly reason: SkippedLogLine["reason"] | undefined;
  /** Whether the line has an intact header. */
  readonly isHeader: boolean;
}

/** The part of a file already read; reading continues after it. */
export interface ReadPart {
  readonly bytes: number;
  readonly lines: number;
  /** Highest sequence number. */
  readonly lastSequence: number;
}

/** An append-only file of records. One writer at a time. */
export interface AppendLog {
  /** The content when the file was opened, without later records. */
  readonly records: readonly unknown[];
  /** Lines skipped when the file was opened. They stay in the file. */
  readonly skippedLines: readonly SkippedLogLine[];
  /**
   * Appends one JSON-serialisable record. On return it survives a crash of the process and, in a `sync` log, of the
   * computer. If it throws, treat the record as not written; the log stays usable.
   */
  append(record: unknown): void;
  /** Appends several records in one write. If it throws, treat none of them as written. */
  appendAll(records: readonly unknown[]): void;
  /** Whether the open file is still the one at its path: it may have been deleted, or replaced by another one. */
  isAtPath(): boolean;
  close(): void;
}

const HEADER_SEQUENCE = 0;

const NEWLINE = 0x0a;
const LINE = /^(\d{1,15}) ([0-9a-f]{8}) /;
/** Length of the longest sequence number and checksum, each with its space. */
const LONGEST_START = 25;
const LINE_START = /\d{1,15} [0-9a-f]{8} /g;

/**
 * Opens or creates a log (mode 0600, folder 0700). A line is `sequence checksum json`; the checksum is the CRC-32 of
 * `sequence json`. Damaged content never throws, only a file that cannot be read or opened does, and one in a newer
 * format (NewerFormatError).
 *
 * The header, `{"version":1}` with sequence number 0, is written together with the first record, so no file waits for a
 * header and a crash leaves at worst both incomplete. A log whose header is damaged is read as version 1, because its
 * records must not be lost, and gets another header with its next record.
 */
export function openAppendLog(options: {
  readonly path: string;
  /** Whether `append` calls fsync. */
  readonly sync: boolean;
  readonly files?: Files;
  /** Throws EEXIST if the file exists: it then belongs to another writer. */
  readonly exclusive?: boolean;
}): AppendLog {
  const { path, sync, files = thisSystem.files, exclusive = false } = options;
  files.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const isNew = !files.existsSync(path);
  const content = isNew ? Buffer.alloc(0) : files.readFileSync(path);
  const { records, skippedLines, lastSequence, hasHeader } = readLines(content);
  const fd = files.openSync(path, exclusive ? "ax" : "a", 0o600);
  if (isNew && sync) syncFolder(dirname(path), files);

  let sequence = lastSequence;
  let needsHeader = !hasHeader;
  let endsInsideLine = content.length > 0 && content.at(-1) !== NEWLINE;

  const appendAll = (more: readonly unknown[]): void => {
    const lines = more.map((record, index) => formatLine(sequence + 1 + index, JSON.stringify(record)));
    const header = needsHeader ? HEADER_LINE : "";
    const bytes = Buffer.from((endsInsideLine ? "\n" : "") + header + lines.join(""));
    const { size } = files.fstatSync(fd);
    try {
      writeAll(files, fd, bytes);
      if (sync) files.fsyncSync(fd);
    } catch (error) {
      if (!truncateTo(files, fd, size)) {
        endsInsideLine = true;
        // Some lines may be complete in the file, so their sequence numbers must not be reused.
        sequence += more.length;
      }
      throw error;
    }
    endsInsideLine = false;
    needsHeader = false;
    sequence += more.length;
  };
  return {
    records: records.map(({ record }) => record),
    skippedLines,
    append: (record) => appendAll([record]),
    appendAll,
    isAtPath: () => isSameFile(files, fd, path),
    close: () => files.closeSync(fd),
  };
}

function isSameFile(files: Files, fd: number, path: string): boolean {
  if (!files.existsSync(path)) return false;
  const [open, named] = [files.fstatSync(fd, { bigint: true }), files.statSync(path, { bigint: true })];
  return open.dev === named.dev && open.ino === named.ino;
}

function formatLine(sequence: number, json: string): string {
  return `${sequence} ${checksum(`${sequence} `, json)} ${json}\n`;
}

const HEADER_LINE = formatLine(HEADER_SEQUENCE, JSON.stringify(versioned({})));

function checksum(start: string, json: string | Buffer): string {
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

/** Removes a partial line. Returns false if that fails too, so that the next record starts on a new line. */
function truncateTo(files: Files, fd: number, size: number): boolean {
  try {
    files.ftruncateSync(fd, size);
    return true;
  } catch {
    return false;
  }
}

/** Reads a log without opening it for writing. Throws only if the file cannot be read or its format is newer. */
export function readAppendLog(path: string, files = thisSystem.files): LogContent {
  return readLines(files.readFileSync(path));
}

/** Whether a log states a newer format in its first line. */
export function isNewerLog(content: Buffer): boolean {
  try {
    eachLine(content).next();
    return false;
  } catch (error) {
    if (error instanceof NewerFormatError) return true;
    throw error;
  }
}

function readLines(
  content: Buffer,
): LogContent & { readonly lastSequence: number; readonly hasHeader: boolean } {
  const records: LogContent["records"][number][] = [];
  const skippedLines: SkippedLogLine[] = [];
  let lastSequence = 0;
  let hasHeader = false;
  for (const { line, sequence, record, reason, isHeader } of eachLine(content)) {
    hasHeader ||= isHeader;
    if (reason) skippedLines.push({ line, reason });
    if (record !== undefined) records.push({ line, record });
    lastSequence = Math.max(lastSequence, sequence);
  }
  return { records, skippedLines, lastSequence, hasHeader };
}

/**
 * Yields the lines of a log; with `before`, only those after an already read part, which ends with a newline. `parse`
 * may read less of a record than all of it. Throws NewerFormatError at the header of a newer format.
 */
export function* eachLine(
  content: Buffer,
  before?: ReadPart,
  parse: (json: string) => unknown = JSON.parse,
): Generator<LogLine> {
  const seen = new Set<number>();
  let line = before?.lines ?? 0;
  for (let start = before?.bytes ?? 0; start < content.length;) {
    const newline = content.indexOf(NEWLINE, start);
    const end = newline === -1 ? content.length : newline;
    const bytes = content.subarray(start, end);
    start = end + 1;
    line += 1;
    if (bytes.length === 0) {
      yield { line, sequence: 0, record: undefined, reason: undefined, isHeader: false };
      continue;
    }
    const whole = readLine(bytes, parse);
    const found = whole ?? readTail(bytes, parse);
    const sequence = found?.sequence ?? 0;
    const isHeader = found?.sequence === HEADER_SEQUENCE;
    if (isHeader) {
      yield { line, sequence, record: undefined, reason: whole ? undefined : "damaged", isHeader };
      continue;
    }
    // A repeated sequence number means a copied line, which would count one order twice.
    const isRepeated = seen.has(sequence);
    seen.add(sequence);
    const record = isRepeated ? undefined : found?.record;
    yield {
      line,
      sequence,
      record,
      reason: !whole ? "damaged" : isRepeated ? "repeated" : undefined,
      isHeader,
    };
  }
}

function readLine(
  bytes: Buffer,
  parse: (json: string) => unknown,
): { sequence: number; record: unknown } | undefined {
  const [start = "", sequence = "", sum] = LINE.exec(bytes.toString("latin1", 0, LONGEST_START)) ?? [];
  const json = bytes.subarray(start.length);
  if (checksum(`${sequence} `, json) !== sum) return undefined;
  const number = Number(sequence);
  if (number === HEADER_SEQUENCE) return readHeader(json.toString());
  try {
    return { sequence: number, record: parse(json.toString()) };
  } catch {
    return undefined;
  }
}

const HEADER = /^\{"version":(\d{1,9})[,}]/;

/** Throws NewerFormatError if the version is newer. */
function readHeader(json: string): { sequence: number; record: unknown } | undefined {
  const version = HEADER.exec(json)?.[1];
  if (version === undefined) return undefined;
  if (isNewer({ version: Number(version) })) throw new NewerFormatError();
  return { sequence: HEADER_SEQUENCE, record: undefined };
}

/** An intact record at the end of a damaged line that lost its newline. */
function readTail(
  bytes: Buffer,
  parse: (json: string) => unknown,
): { sequence: number; record: unknown } | undefined {
  for (const { index } of eachLineStart(bytes.toString("latin1"))) {
    const line = readLine(bytes.subarray(index), parse);
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
 * Makes the names of new files in a folder durable. Where the system cannot open a folder, syncing the file itself must
 * be enough.
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
