import assert from "node:assert/strict";
import * as vscode from "vscode";
import { groupByFile, type SkippedLine } from "../../src/storage/orders/skippedLines.ts";
import {
  skippedLinesItem,
  skippedLinesTooltip,
  type SkippedLinesRow,
} from "../../src/ui/orders/skippedLineRows.ts";

const FILE = "orders-2026-11-77-0123456789abcdef.log";

type Row = Parameters<typeof skippedLinesItem>[0];

function tooltipText(row: Row): string {
  const tooltip = skippedLinesTooltip(row);
  assert.notEqual(tooltip.isTrusted, true);
  return tooltip.value.replaceAll("&nbsp;", " ").replaceAll("\\", "");
}

function rowOf(skippedLines: readonly SkippedLine[]): {
  head: SkippedLinesRow;
  item: vscode.TreeItem;
  files: readonly Row[];
} {
  const head = { files: groupByFile(skippedLines) };
  return { head, item: skippedLinesItem(head), files: head.files };
}

function textsOf(row: Row | undefined): unknown[] {
  const { label, description } = skippedLinesItem(row ?? assert.fail());
  return [label, description];
}

describe("the journal's row in the Orders view", () => {
  it("says how many lines were skipped, where and why, and that no other order is lost", () => {
    const { head, item, files } = rowOf([
      { file: FILE, line: 9, reason: "damaged" },
      { file: FILE, line: 4, reason: "contradiction" },
      { file: "orders-2026-10-merged-0123456789abcdef.log", line: 1, reason: "noRecord" },
    ]);
    assert.deepEqual([item.label, item.description], ["Journal", "3 damaged journal lines"]);
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
    const text = tooltipText(head);
    assert.match(text, /no other order is affected/);
    assert.match(text, /Compare this list with your orders on the exchange/);
    assert.match(text, new RegExp(`${FILE}: 2 damaged journal lines: 4, 9`));
    assert.deepEqual(files.map(textsOf), [
      ["1 damaged journal line: 1", "orders-2026-10-merged-0123456789abcdef.log"],
      ["2 damaged journal lines: 4, 9", FILE],
    ]);
    assert.match(tooltipText(files[1] ?? assert.fail()), /Line 4: conflicts[^]+Line 9: damaged/);
  });

  it("is collapsed at first if many files are damaged", () => {
    const lines = [1, 2, 3, 4].map((file) => ({ file: `${file}.log`, line: 9, reason: "damaged" as const }));
    assert.equal(rowOf(lines).item.collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
  });

  it("says what a file of a newer version means, and to update", () => {
    const { head, item, files } = rowOf([{ file: FILE, line: undefined, reason: "newer" }]);
    assert.equal(item.description, "written by a newer version: 1");
    assert.match(tooltipText(head), /neither show nor follow. Update Bidside and reload this window/);
    assert.match(tooltipText(head), /Nothing was deleted or changed/);
    assert.match(tooltipText(files[0] ?? assert.fail()), /written by a newer version of Bidside/);
  });

  it("says nothing about other orders if the folder cannot be read", () => {
    const { head, item, files } = rowOf([{ file: undefined, line: undefined, reason: "unreadable" }]);
    assert.equal(item.description, "unreadable: 1");
    assert.doesNotMatch(tooltipText(head), /no other order is affected/);
    assert.match(tooltipText(head), /orders may be missing here/);
    assert.deepEqual(textsOf(files[0]), ["unreadable: 1", "Journal folder"]);
  });

  it("names the first lines of a heavily damaged file, and all of them in its tooltip", () => {
    const { files } = rowOf(
      Array.from({ length: 100 }, (_, index) => ({
        file: FILE,
        line: index + 1,
        reason: "damaged" as const,
      })),
    );
    assert.equal(textsOf(files[0])[0], "100 damaged journal lines: 1, 2, 3, 4, 5, 6, 7, 8, …");
    assert.match(tooltipText(files[0] ?? assert.fail()), /Line 100: damaged/);
  });
});
