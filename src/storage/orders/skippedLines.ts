import type { SkippedLogLine } from "../appendLog.ts";

/**
 * `damaged`, `repeated`: see SkippedLogLine. `noRecord`: intact, but a record that this version does not know.
 * `contradiction`: it contradicts the proof of an earlier record of the same order, or the intent of its order is
 * missing. `unreadable`: the whole file or the folder could not be read the last time.
 */
export type SkippedReason = SkippedLogLine["reason"] | "noRecord" | "contradiction" | "unreadable";

/** Content of the journal's folder that belongs to no order. It stays there as it is. */
export interface SkippedLine {
  /** A name in the journal's folder; undefined for the folder itself. */
  readonly file: string | undefined;
  /** Counted from 1; undefined for a whole file, and for a record that this window wrote. */
  readonly line: number | undefined;
  readonly reason: SkippedReason;
}

/** The same, grouped by file. */
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
