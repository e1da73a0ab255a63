import assert from "node:assert/strict";
import { groupByFile } from "../../../../src/storage/orders/skippedLines.ts";

describe("the skipped lines of a journal", () => {
  it("are listed by file, the folder first, and by line, a whole file first", () => {
    const reason = "damaged";
    const whole = { line: undefined, reason: "unreadable" } as const;
    assert.deepEqual(
      groupByFile([
        { file: "b", line: 12, reason },
        { file: "c", line: 1, reason },
        { file: "b", line: 3, reason: "noRecord" },
        { file: "a", line: 2, reason },
        { file: "b", ...whole },
        { file: undefined, ...whole },
      ]),
      [
        { file: undefined, count: 1, lines: [whole] },
        { file: "a", count: 1, lines: [{ line: 2, reason }] },
        { file: "b", count: 3, lines: [whole, { line: 3, reason: "noRecord" }, { line: 12, reason }] },
        { file: "c", count: 1, lines: [{ line: 1, reason }] },
      ],
    );
    assert.deepEqual(groupByFile([]), []);
  });

  it("begin with the folder, whatever the names of the files are", () => {
    const folder = { file: undefined, line: undefined, reason: "unreadable" } as const;
    const ofFile = { file: "2026-11.log", line: 1, reason: "damaged" } as const;
    for (const found of [
      [folder, ofFile],
      [ofFile, folder],
    ])
      assert.deepEqual(
        groupByFile(found).map(({ file }) => file),
        [undefined, "2026-11.log"],
      );
  });
});
