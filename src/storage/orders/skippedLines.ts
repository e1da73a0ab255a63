import type { SetAsideLine } from "../appendLog.ts";

/**
 * `damaged`, `repeated`: see SetAsideLine. `noRecord`: intact, but a record that this version does not know.
 * `contradiction`: it contradicts the proof of an earlier record of the same bid, or the intent of its bid is
 * missing. `unreadable`: the whole file or the folder could not be read the last time.
 */
export type SetAsideReason = SetAsideLine["reason"] | "noRecord" | "contradiction" | "unreadable";

/** Content of the journal's folder that belongs to no bid. It stays there as it is. */
export interface SetAside {
  /** A name in the journal's folder; undefined for the folder itself. */
  readonly file: string | undefined;
  /** Counted from 1; undefined for a whole file, and for a record that this window wrote. */
  readonly line: number | undefined;
  readonly reason: SetAsideReason;
}

/** The same, grouped by file. */
export interface SetAsideFile {
  readonly file: string | undefined;
  readonly count: number;
  readonly lines: readonly Pick<SetAside, "line" | "reason">[];
}

/** By file name and line. */
export function groupByFile(setAside: readonly SetAside[]): SetAsideFile[] {
  const files = Map.groupBy(setAside, ({ file }) => file);
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
