import type { SkippedLogLine } from "../appendLog.ts";

/**
 * `damaged`, `repeated`: see SkippedLogLine. `noRecord`: intact, but unknown to this version. `contradiction`:
 * contradicts the proof of an earlier record of the order, or the order's intent is missing. `unreadable`: the whole
 * file or folder could not be read last time. `newer`: the whole file was written by a newer version of Bidside.
 */
export type SkippedReason = SkippedLogLine["reason"] | "noRecord" | "contradiction" | "unreadable" | "newer";

/** Content of the journal folder that is ignored. It stays there unchanged. */
export interface SkippedLine {
  /** File name; undefined for the folder itself. */
  readonly file: string | undefined;
  /** Counted from 1; undefined for a whole file, and for a record that this window wrote. */
  readonly line: number | undefined;
  readonly reason: SkippedReason;
}

export interface SkippedLinesOfFile {
  readonly file: string | undefined;
  readonly count: number;
  readonly lines: readonly Pick<SkippedLine, "line" | "reason">[];
}

/** By file name and line. */
export function groupByFile(skippedLines: readonly SkippedLine[]): SkippedLinesOfFile[] {
  const files = Map.groupBy(skippedLines, ({ file }) => file);
  return [...files]
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1))
    .map(([file, found]) => ({
      file,
      count: found.length,
      lines: found
        .map(({ line, reason }) => ({ line, reason }))
        .sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    }));
}
