import assert from "node:assert/strict";
import fs, { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import fc from "fast-check";
import { openAppendLog } from "../../../../src/storage/appendLog.ts";
import { mergePastMonths } from "../../../../src/storage/orders/compaction.ts";
import { openOrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import type { OrderRecord } from "../../../../src/storage/orders/records.ts";
import type { OwnOrder } from "../../../../src/storage/orders/order.ts";
import type { SkippedLine } from "../../../../src/storage/orders/skippedLines.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import { ENDED, NEWER_LOG } from "../../../support/builders/journalFolder.ts";
import { bundleScript } from "../../../support/processes/bundleScript.ts";
import { runScript } from "../../../support/processes/children.ts";
import { systemWith, filesUsed } from "../../../support/fakes/operatingSystem.ts";
import { assertProperty } from "../../../support/rounds.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const DECEMBER = Date.UTC(2026, 11, 1);

describe("past months' journal files", () => {
  let folder: string;
  let directory: string;

  /** Two bids, spread over the requested number of files; another window wrote the second bid's outcome. */
  function writeMonth(month: string, pids: readonly number[] = [ENDED, ENDED, ENDED]): void {
    const [first, second] = [bidIntent(), bidIntent({ at: NOON + 1000 })];
    const records: OrderRecord[] = [
      { kind: "intent", ...first },
      { kind: "intent", ...second },
      { kind: "outcome", id: first.id, at: NOON + 5, state: "accepted", orderId: "1" },
      { kind: "check", id: second.id, at: NOON + 1001, text: "" },
      { kind: "settled", id: second.id, at: NOON + 9000, by: "user", as: "accepted", evidence: "seen" },
    ];
    for (const [index, pid] of pids.entries()) {
      const name = `orders-${month}-${pid}-${String(index).padStart(16, "0")}.log`;
      const log = openAppendLog({ path: join(directory, name), sync: false });
      for (const [at, record] of records.entries()) if (at % pids.length === index) log.append(record);
      log.close();
    }
  }

  function bidsIn(place: string): { bids: readonly OwnOrder[]; skippedLines: readonly SkippedLine[] } {
    // In the files' own month the files are read and not merged.
    const journal = openOrderJournal({ directory: place, now: () => NOON + 3_600_000 });
    const bids = journal.orders();
    journal.close();
    return { bids, skippedLines: journal.skippedLines };
  }

  const merge = (place = directory): void => mergePastMonths({ directory: place, now: DECEMBER });
  const files = (place = directory): string[] => readdirSync(place).sort();

  beforeEach(() => {
    folder = temporaryFolder();
    directory = join(folder, "journal");
  });

  it("become one file for each month, with every record", () => {
    writeMonth("2026-10");
    writeMonth("2026-11");
    const before = bidsIn(directory);
    assert.equal(before.bids.length, 4);
    merge();
    assert.deepEqual(
      files().map((name) => name.replace(/[0-9a-f]{16}/, "…")),
      ["orders-2026-10-merged-….log", "orders-2026-11-merged-….log"],
    );
    assert.deepEqual(bidsIn(directory), before);
    const merged = files();
    let read = 0;
    const readFile = (path: string): Buffer => {
      read += 1;
      return readFileSync(path);
    };
    mergePastMonths({ directory, now: DECEMBER, os: systemWith({ readFileSync: readFile }) });
    assert.deepEqual(files(), merged, "and are not changed afterwards");
    assert.equal(read, 0, "and not read again");
  });

  it("include a file added later after the next merge", () => {
    writeMonth("2026-11");
    merge();
    writeMonth("2026-11", [ENDED]);
    const before = bidsIn(directory);
    merge();
    assert.equal(files().length, 1);
    assert.deepEqual(bidsIn(directory), before);
  });

  it("are merged when a journal is opened", () => {
    writeMonth("2026-11");
    const journal = openOrderJournal({ directory, now: () => DECEMBER });
    assert.equal(journal.orders().length, 2);
    assert.equal(files().length, 1);
  });

  it("are not merged while their process runs, in their own month, or if damaged", () => {
    writeMonth("2026-11", [process.pid, ENDED]);
    writeMonth("2026-12");
    writeMonth("2026-10", [ENDED, ENDED]);
    const [damaged = ""] = files();
    writeFileSync(join(directory, damaged), "9 damaged\n", { flag: "a" });
    const [before, content] = [files(), bidsIn(directory)];
    assert.deepEqual(content.skippedLines, [{ file: damaged, line: 5, reason: "damaged" }]);
    merge();
    assert.deepEqual(files(), before);
    assert.deepEqual(bidsIn(directory), content);
  });

  it("are left as they are if a newer version wrote them, and the others are merged", () => {
    writeMonth("2026-11");
    const newer = `orders-2026-11-${ENDED}-ffffffffffffffff.log`;
    writeFileSync(join(directory, newer), NEWER_LOG);
    const before = bidsIn(directory);
    assert.deepEqual(before.skippedLines, [{ file: newer, line: undefined, reason: "newer" }]);
    merge();
    assert.equal(files().length, 2);
    assert.equal(readFileSync(join(directory, newer), "utf8"), NEWER_LOG);
    assert.deepEqual(bidsIn(directory), before);
  });

  it("keep every skipped line, byte for byte, for damage at any place", async () => {
    const FILES = 4;
    let remaining = 0;
    const damage = fc.record({
      file: fc.nat(FILES - 1),
      at: fc.nat(),
      flip: fc.integer({ min: 1, max: 255 }),
    });
    const rounds = await assertProperty(
      500,
      fc.property(fc.array(damage, { minLength: 1, maxLength: 5 }), (damages) => {
        rmSync(directory, { recursive: true, force: true });
        writeMonth(
          "2026-10",
          Array.from({ length: FILES }, () => ENDED),
        );
        const names = files();
        for (const { file, at, flip } of damages) {
          const path = join(directory, names[file] ?? "");
          const bytes = readFileSync(path);
          const position = at % bytes.length;
          bytes[position] = (bytes[position] ?? 0) ^ flip;
          writeFileSync(path, bytes);
        }
        const before = bidsIn(directory);
        const inFiles = before.skippedLines.filter(({ reason }) => reason !== "contradiction");
        const damaged = [...new Set(inFiles.map(({ file }) => file ?? ""))].map(
          (name) => [name, readFileSync(join(directory, name))] as const,
        );
        merge();
        for (const [name, bytes] of damaged) assert.deepEqual(readFileSync(join(directory, name)), bytes);
        const whole = FILES - damaged.length;
        assert.equal(files().length, damaged.length + (whole > 1 ? 1 : whole), "the other files are merged");
        const after = bidsIn(directory);
        assert.deepEqual(after.bids, before.bids);
        assert.equal(after.skippedLines.length, before.skippedLines.length);
        assert.deepEqual(
          after.skippedLines.filter(({ reason }) => reason !== "contradiction"),
          inFiles,
        );
        remaining += inFiles.length;
      }),
    );
    assert.ok(remaining >= rounds);
  });

  it("are merged even if another file is unreadable", () => {
    writeMonth("2026-11");
    const before = bidsIn(directory).bids;
    mkdirSync(join(directory, `orders-2026-11-${ENDED}-ffffffffffffffff.log`));
    merge();
    assert.equal(files().length, 2);
    assert.deepEqual(bidsIn(directory).bids, before);
  });

  it("survive a disk that fails, writes half of the bytes, or cannot sync", () => {
    writeMonth("2026-11");
    const [before, content] = [files(), bidsIn(directory)];
    const fails = (): never => {
      throw new Error("ENOSPC");
    };
    for (const calls of [
      { writeSync: fails },
      { writeSync: () => 0 },
      { fsyncSync: fails },
      // A disk that reports a write that it did not do.
      { writeSync: (_: number, bytes: Uint8Array) => bytes.length },
    ]) {
      assert.throws(() => mergePastMonths({ directory, now: DECEMBER, os: systemWith(calls) }));
      assert.deepEqual(
        files().filter((name) => name.endsWith(".log")),
        before,
      );
      assert.deepEqual(bidsIn(directory), content);
    }
    merge();
    assert.equal(files().length, 1, "and the leftovers of failed merges are removed");
  });

  it("keep files of other names when the leftovers of an interrupted merge are removed", () => {
    writeMonth("2026-11");
    const log = "orders-2026-10-merged-0123456789abcdef.log";
    const others = [`my ${log}.next`, `${log}.next.txt`, `${log}.0`, `${log}.backup00`, "orders-notes.txt"];
    for (const name of [`${log}.next`, `${log}.0123abcd`, ...others])
      writeFileSync(join(directory, name), "");
    merge();
    assert.deepEqual(
      files().filter((name) => !name.startsWith("orders-2026-11-")),
      others.toSorted(),
    );
  });

  it("report how much of a merged file is missing, and leave no file open after any merge", () => {
    writeMonth("2026-11");
    const writesNothing = systemWith({ writeSync: (_, bytes) => bytes.length });
    assert.throws(
      () => mergePastMonths({ directory, now: DECEMBER, os: writesNothing }),
      /\.log\.next holds 0 of 5 records/,
    );
    const fails = (): never => {
      throw new Error("EIO");
    };
    for (const calls of [{ writeSync: fails }, { fsyncSync: fails }, {}]) {
      const { held } = filesUsed((os) => mergePastMonths({ directory, now: DECEMBER, os }), calls);
      assert.deepEqual(held, []);
    }
    assert.equal(files().length, 1);
  });

  it("are on the disk, content and name, before their sources are removed, with one sync each", () => {
    writeMonth("2026-11");
    const sources = files();
    const atSync: [string, number][] = [];
    const fsyncSync = (fd: number): void => {
      atSync.push([fs.fstatSync(fd).isDirectory() ? "folder" : "file", files().length]);
      fs.fsyncSync(fd);
    };
    mergePastMonths({ directory, now: DECEMBER, os: systemWith({ fsyncSync }) });
    const all = sources.length + 1;
    assert.deepEqual(atSync, [
      ["file", all],
      ["folder", all],
    ]);
  });

  it("are merged even if another window removes the same files at the same time", () => {
    writeMonth("2026-11");
    const before = bidsIn(directory);
    const fsyncSync = (): void => {
      for (const name of files().filter((each) => each.includes(String(ENDED))))
        rmSync(join(directory, name));
    };
    mergePastMonths({ directory, now: DECEMBER, os: systemWith({ fsyncSync }) });
    assert.deepEqual(bidsIn(directory), before);
  });

  it("lose nothing to a kill between any two steps of a merge, and are merged afterwards", async () => {
    writeMonth("2026-11");
    const before = bidsIn(directory);
    const whole = join(folder, "whole");
    cpSync(directory, whole, { recursive: true });
    const script = await bundleScript("test/support/processes/crashAtCall.ts", folder);
    const run = (place: string, call: number) =>
      runScript(script, place, String(DECEMBER), String(call), "merge");
    const counted = await run(whole, Number.MAX_SAFE_INTEGER);
    const calls = Number(counted.stdout);
    assert.ok(calls > 12, counted.stderr);
    for (let call = 1; call <= calls; call++) {
      const place = join(folder, `killed-${call}`);
      cpSync(directory, place, { recursive: true });
      const { signal } = await run(place, call);
      assert.equal(signal, "SIGKILL");
      assert.deepEqual(bidsIn(place), before, `call ${call}`);
      merge(place);
      assert.deepEqual(bidsIn(place), before, `call ${call}, merged again`);
      assert.equal(files(place).length, 1);
    }
    console.log(`      killed before or within each of ${calls} calls of a merge: 0 records lost`);
  });

  it("are all found by a window that lists them just before they are merged", () => {
    writeMonth("2026-11");
    const before = bidsIn(directory);
    const list = fs.readdirSync;
    const listThenMerge = (...args: Parameters<typeof list>): unknown => {
      const names: unknown = list(...args);
      Object.assign(fs, { readdirSync: list });
      syncBuiltinESMExports();
      merge();
      return names;
    };
    const journal = openOrderJournal({ directory, now: () => NOON });
    writeMonth("2026-11", [ENDED]);
    Object.assign(fs, { readdirSync: listThenMerge });
    syncBuiltinESMExports();
    journal.reread();
    assert.equal(files().length, 1);
    assert.equal(journal.orders().length, before.bids.length + 2);
    assert.deepEqual(journal.skippedLines, []);
  });

  it("lose nothing if a window merges files that another window is about to remove", () => {
    writeMonth("2026-11");
    const before = bidsIn(directory);
    const sources = files().map((name) => [name, readFileSync(join(directory, name))] as const);
    merge();
    // The other window removed nothing: its sources are still there, beside the merged file.
    for (const [name, content] of sources) writeFileSync(join(directory, name), content);
    assert.deepEqual(bidsIn(directory), before, "records found twice count once");
    merge();
    assert.equal(files().length, 1);
    assert.deepEqual(bidsIn(directory), before);
  });
});
