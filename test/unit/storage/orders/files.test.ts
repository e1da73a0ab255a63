import assert from "node:assert/strict";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openAppendLog } from "../../../../src/storage/appendLog.ts";
import { thisSystem } from "../../../../src/files/operatingSystem.ts";
import {
  fileStamp,
  listOrderFiles,
  newFileName,
  readOrderFile,
} from "../../../../src/storage/orders/files.ts";
import { bidIntent } from "../../../support/builders/bidIntent.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { files } = thisSystem;

describe("an order journal's folder", () => {
  let folder: string;
  const hex = "0123456789abcdef";

  beforeEach(() => void (folder = temporaryFolder()));

  it("lists only files with the exact name of a journal file, in order", () => {
    const names = [
      `orders-2026-10-merged-${hex}.log`,
      `orders-2026-11-1-${hex}.log`,
      `orders-2026-11-4294967295-${hex}.log`,
    ];
    const others = [
      `orders-2026-11-1-${hex}.log.next`,
      `orders-2026-11-1-${hex}.log~`,
      `copy of orders-2026-11-1-${hex}.log`,
      `orders-2026-11-1-${hex}xlog`,
      `orders-2026-11-1-${hex}0.log`,
      `orders-2026-11-1-${hex.slice(1)}.log`,
      `orders-2026-11-1-${hex.toUpperCase()}.log`,
      `orders-2026-11-42949672950-${hex}.log`,
      `orders-2026-11--${hex}.log`,
      `orders-2026-11-other-${hex}.log`,
      `orders-2026-1-1-${hex}.log`,
      `orders-26-11-1-${hex}.log`,
      `orders-12026-11-1-${hex}.log`,
      `orders-2026-011-1-${hex}.log`,
    ];
    for (const name of [...names, ...others].toReversed()) writeFileSync(join(folder, name), "");
    assert.deepEqual(listOrderFiles(folder, files), [
      { name: names[0], month: "2026-10", pid: undefined },
      { name: names[1], month: "2026-11", pid: 1 },
      { name: names[2], month: "2026-11", pid: 4_294_967_295 },
    ]);
  });

  it("is empty before it exists, and a file in its place is an error", () => {
    assert.deepEqual(listOrderFiles(join(folder, "none"), files), []);
    writeFileSync(join(folder, "file"), "");
    assert.throws(() => listOrderFiles(join(folder, "file"), files), /ENOTDIR/);
  });

  it("gets file names that belong to it, each different", () => {
    const made = [
      newFileName("2026-11", 7, thisSystem),
      newFileName("2026-11", 7, thisSystem),
      newFileName("2026-12", "merged", thisSystem),
    ];
    for (const name of made) writeFileSync(join(folder, name), "");
    assert.deepEqual(
      listOrderFiles(folder, files).map(({ month, pid }) => [month, pid]),
      [
        ["2026-11", 7],
        ["2026-11", 7],
        ["2026-12", undefined],
      ],
    );
  });

  it("detects a changed file by its size, or by its time if the size is the same", () => {
    const file = { name: newFileName("2026-11", 7, thisSystem), month: "2026-11", pid: 7 };
    const path = join(folder, file.name);
    const stamps = (["a", "ab", "ab"] as const).map((content, minute) => {
      writeFileSync(path, content);
      utimesSync(path, 1000, content.length === 1 ? 1000 : 1000 + minute);
      return fileStamp(folder, file, files);
    });
    assert.equal(new Set(stamps).size, 3);
    utimesSync(path, 1000, 1002);
    assert.equal(fileStamp(folder, file, files), stamps[2]);
  });

  it("returns a file's records, and counts lines without a record", () => {
    const file = { name: newFileName("2026-11", 7, thisSystem), month: "2026-11", pid: 7 };
    const log = openAppendLog({ path: join(folder, file.name), sync: false });
    const intent = { kind: "intent" as const, ...bidIntent() };
    for (const line of [intent, { kind: "other" }, null, { kind: "check", id: intent.id, at: 1, text: "" }])
      log.append(line);
    log.close();
    writeFileSync(join(folder, file.name), "torn", { flag: "a" });
    const { records, skippedLines, stamp, read, ...same } = readOrderFile(folder, file, files);
    assert.deepEqual(records, [
      { line: 2, record: intent },
      { line: 5, record: { kind: "check", id: intent.id, at: 1, text: "" } },
    ]);
    assert.deepEqual(
      skippedLines.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)),
      [
        { file: file.name, line: 3, reason: "noRecord" },
        { file: file.name, line: 4, reason: "noRecord" },
        { file: file.name, line: 6, reason: "damaged" },
      ],
    );
    assert.equal(stamp, fileStamp(folder, file, files));
    assert.deepEqual(same, file);
    assert.equal(read, undefined, "the torn line may get more bytes");
  });

  /** A file of two records that was read. */
  function knownFile() {
    const file = { name: newFileName("2026-11", 7, thisSystem), month: "2026-11", pid: 7 };
    const path = join(folder, file.name);
    const log = openAppendLog({ path, sync: false });
    const append = (): void => log.append({ kind: "intent", ...bidIntent() });
    append();
    append();
    const known = readOrderFile(folder, file, files);
    return { file, path, log, append, known };
  }

  it("keeps what it knows of a file of which only the time changed, and counts later lines from there", () => {
    const { file, path, log, append, known } = knownFile();
    utimesSync(path, 1000, 1000);
    const touched = readOrderFile(folder, file, files, known);
    assert.notEqual(touched.stamp, known.stamp);
    assert.ok(
      known.records.every((line, index) => line === touched.records[index]),
      "the same objects",
    );
    append();
    assert.deepEqual(readOrderFile(folder, file, files, touched), readOrderFile(folder, file, files));
    log.close();
  });

  it("reads only the added lines of a file that it knows, unless a known line changed or was copied", () => {
    const { file, path, log, append, known } = knownFile();
    append();
    const longer = readOrderFile(folder, file, files, known);
    assert.deepEqual(longer, readOrderFile(folder, file, files), "as if read for the first time");
    assert.ok(
      known.records.every((line, index) => line === longer.records[index]),
      "the same objects",
    );
    log.close();
    const [header, first = "", ...others] = readFileSync(path, "utf8").split("\n");
    for (const copy of [first, others[1] ?? ""]) {
      writeFileSync(path, [header, first, ...others.slice(0, 2), copy, ""].join("\n"));
      const copied = readOrderFile(folder, file, files, longer);
      assert.deepEqual(copied.skippedLines, [{ file: file.name, line: 5, reason: "repeated" }]);
      assert.equal(copied.records.length, 3);
    }
    writeFileSync(path, [header, first.replace("1000", "9000"), ...others].join("\n"));
    const damaged = readOrderFile(folder, file, files, longer);
    assert.deepEqual(damaged.skippedLines, [{ file: file.name, line: 2, reason: "damaged" }]);
    assert.equal(damaged.records.length, 2);
  });
});
