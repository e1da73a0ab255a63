import assert from "node:assert/strict";
import fs, { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { NewerFormatError } from "../../../src/files/versioned.ts";
import { isNewerLog, openAppendLog, readAppendLog, type AppendLog } from "../../../src/storage/appendLog.ts";
import { systemWith, filesUsed } from "../../support/fakes/operatingSystem.ts";
import { assertProperty } from "../../support/rounds.ts";
import type { OperatingSystem, Files } from "../../../src/files/operatingSystem.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const NEWLINE = 0x0a;

describe("append log", () => {
  let folder: string;
  let path: string;
  const open: AppendLog[] = [];

  function openLog(calls: Partial<Files> = {}): AppendLog {
    const log = openAppendLog({ path, sync: false, files: systemWith(calls).files });
    open.push(log);
    return log;
  }

  function write(...records: unknown[]): Buffer {
    const log = openLog();
    for (const record of records) log.append(record);
    return readFileSync(path);
  }

  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "deep", "er", "orders.log");
  });
  afterEach(() => {
    for (const log of open.splice(0)) log.close();
  });

  function recordsIn(file: string): unknown[] {
    return readAppendLog(file).records.map(({ record }) => record);
  }

  it("returns every record in order, with any text", () => {
    const records = [{ a: 1 }, "line\nbreak", [null, "ก\u2028\u0000"], "12 0123abcd {}", 7, { "": "\ud800" }];
    write(...records);
    const log = openLog();
    assert.deepEqual(log.records, records);
    assert.deepEqual(log.skippedLines, []);
  });

  it("creates the folder, and a file that only its owner can read", function () {
    if (process.platform === "win32") return;
    write(1);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder, "deep", "er")).mode & 0o777, 0o700);
  });

  it("syncs once per record in sync mode, and never otherwise", () => {
    write("the file is there already");
    for (const sync of [true, false]) {
      let syncs = 0;
      const fsyncSync = (): void => void (syncs += 1);
      const log = openAppendLog({ path, sync, files: systemWith({ fsyncSync }).files });
      log.append(1);
      log.append(2);
      log.close();
      assert.equal(syncs, sync ? 2 : 0);
    }
  });

  it("skips a torn last line, and starts the next record on a new line", () => {
    const whole = write("one", "two", "three");
    for (let cut = 1; cut < whole.length - whole.lastIndexOf("3 "); cut++) {
      writeFileSync(path, whole.subarray(0, whole.length - cut));
      const torn = openLog();
      // A line that lacks only its newline is complete, as its checksum proves.
      assert.deepEqual(torn.records, cut === 1 ? ["one", "two", "three"] : ["one", "two"]);
      assert.equal(torn.skippedLines.length, cut === 1 ? 0 : 1);
      torn.append("four");
      assert.deepEqual(openLog().records, [...torn.records, "four"]);
    }
  });

  it("loses no undamaged line to damaged bytes, and counts the damaged lines", async () => {
    const records = Array.from({ length: 12 }, (_, index) => ({
      id: index,
      text: `bid ${index}`,
      n: index * 7,
    }));
    const whole = write(...records);
    const lines = whole.toString("utf8").trimEnd().split("\n");
    const ends = lines.map((_, index) => lines.slice(0, index + 1).join("\n").length);
    await assertProperty(
      10_000,
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (position, flip) => {
        const damaged = Buffer.from(whole);
        damaged[position] = (damaged[position] ?? 0) ^ flip;
        writeFileSync(path, damaged);
        const log = openAppendLog({ path, sync: false });
        log.close();
        const hit = ends.findIndex((end) => position <= end);
        assert.deepEqual(log.records, hit === 0 ? records : records.toSpliced(hit - 1, 1));
        // One line, or two lines if the byte is now a newline.
        assert.ok([1, 2].includes(log.skippedLines.length), `${log.skippedLines.length} set aside`);
        // A newline in place of a line's first byte leaves an empty line before it, which is no damaged one.
        const isFirst = position === 0 || whole[position - 1] === NEWLINE;
        const line = isFirst && damaged[position] === NEWLINE ? hit + 2 : hit + 1;
        assert.deepEqual(log.skippedLines[0], { line, reason: "damaged" });
      }),
    );
  });

  it("never throws on a file of any bytes, and keeps the records added to it", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        rmSync(path, { force: true });
        openAppendLog({ path, sync: false }).close();
        writeFileSync(path, bytes);
        const log = openAppendLog({ path, sync: false });
        log.append("added");
        log.close();
        const again = openAppendLog({ path, sync: false });
        again.close();
        assert.equal(again.records.at(-1), "added");
      }),
      { numRuns: 500 },
    );
  });

  it("counts a line once if the line was copied", () => {
    const whole = write("one", "two");
    writeFileSync(path, Buffer.concat([whole, whole]));
    const log = openLog();
    assert.deepEqual(log.records, ["one", "two"]);
    assert.deepEqual(log.skippedLines, [
      { line: 5, reason: "repeated" },
      { line: 6, reason: "repeated" },
    ]);
  });

  it("continues to write if the disk takes only a few bytes at a time", () => {
    openLog({ writeSync: (fd, bytes, offset) => fs.writeSync(fd, bytes, offset, 1) }).append({
      text: "ก ข ค",
    });
    assert.deepEqual(openLog().records, [{ text: "ก ข ค" }]);
  });

  it("leaves nothing of a half-written record, and accepts the next", () => {
    let isFull = false;
    const writeSync: Files["writeSync"] = (fd, bytes, offset) => {
      if (isFull && offset > 0) throw new Error("ENOSPC");
      return fs.writeSync(fd, bytes, offset, isFull ? 5 : bytes.length - offset);
    };
    const log = openLog({ writeSync });
    log.append("one");
    isFull = true;
    assert.throws(() => log.append("two"), /ENOSPC/);
    isFull = false;
    log.append("three");
    const again = openLog();
    assert.deepEqual(again.records, ["one", "three"]);
    assert.match(readFileSync(path, "utf8"), /\n1 \w{8} "one"\n2 \w{8} "three"\n$/);
    assert.deepEqual(again.skippedLines, []);
  });

  it("fails and leaves nothing if the disk cannot confirm the record", () => {
    const fsyncSync = (): never => {
      throw new Error("EIO");
    };
    const log = openAppendLog({ path, sync: true, files: systemWith({ fsyncSync }).files });
    assert.throws(() => log.append("one"), /EIO/);
    log.close();
    assert.deepEqual(openLog().records, []);
  });

  it("loses no record if a failed record cannot be removed", () => {
    const cutOff = fs.ftruncateSync;
    const set = (ftruncateSync: typeof cutOff): void => {
      Object.assign(fs, { ftruncateSync });
      syncBuiltinESMExports();
    };
    const fails = (): never => {
      throw new Error("EIO");
    };
    for (const part of [0, 5, Number.POSITIVE_INFINITY]) {
      rmSync(path, { force: true });
      let refuses = false;
      const writeSync: Files["writeSync"] = (fd, bytes, offset) => {
        if (!refuses) return fs.writeSync(fd, bytes, offset);
        if (offset > 0 || part === 0) return fails();
        return fs.writeSync(fd, bytes, 0, Math.min(part, bytes.length));
      };
      const fsyncSync = (): void => (refuses ? fails() : undefined);
      const log = openAppendLog({ path, sync: true, files: systemWith({ writeSync, fsyncSync }).files });
      const refuse = (record: string): void => {
        refuses = true;
        assert.throws(() => log.append(record), /EIO/);
        refuses = false;
      };
      log.append("one");
      set(fails);
      try {
        refuse("refused, and left there");
      } finally {
        set(cutOff);
      }
      log.append("two");
      refuse("refused, and taken off");
      log.append("three");
      log.close();
      assert.match(readFileSync(path, "utf8"), /(^|\n)3 \w{8} "two"\n4 \w{8} "three"\n$/);
      const { records } = openLog();
      assert.deepEqual(
        records.filter((record) => record !== "refused, and left there"),
        ["one", "two", "three"],
        `${part} bytes`,
      );
    }
  });

  it("fails if the disk takes no bytes and reports no error", () => {
    const log = openLog({ writeSync: () => 0 });
    assert.throws(() => log.append("one"), /took no more bytes/);
  });

  it("makes a new file's name durable with the file, and syncs the folder at no other time", () => {
    const opening =
      (sync: boolean) =>
      ({ files }: OperatingSystem) =>
        openAppendLog({ path, sync, files }).close();
    const none = { held: [], synced: [] };
    assert.deepEqual(filesUsed(opening(false)), none);
    assert.deepEqual(filesUsed(opening(true)), none, "the file already exists");
    rmSync(path);
    assert.deepEqual(filesUsed(opening(true)), { held: [], synced: [join(folder, "deep", "er")] });
  });

  it("works on a system that cannot open or sync a folder", () => {
    const refusals: Partial<Files>[] = [
      {
        openSync: (file, flags, mode) => {
          if (flags === "r") throw new Error("EISDIR");
          return fs.openSync(file, flags, mode);
        },
      },
      {
        fsyncSync: (fd) => {
          if (fs.fstatSync(fd).isDirectory()) throw new Error("EINVAL");
          fs.fsyncSync(fd);
        },
      },
    ];
    for (const [index, calls] of refusals.entries()) {
      const own = join(folder, `${index}.log`);
      const log = openAppendLog({ path: own, sync: true, files: systemWith(calls).files });
      log.append("one");
      log.close();
      assert.deepEqual(recordsIn(own), ["one"]);
    }
  });

  it("adds only the bytes of the record's line to an undamaged file", () => {
    const before = write("one");
    openLog().append("two");
    const after = readFileSync(path, "utf8");
    assert.match(after, /^.+\n1 [0-9a-f]{8} "one"\n2 [0-9a-f]{8} "two"\n$/);
    assert.ok(after.startsWith(before.toString()));
  });

  it("rejects records after it is closed", () => {
    const log = openAppendLog({ path, sync: false });
    log.close();
    assert.throws(() => log.append("late"), /EBADF/);
    assert.deepEqual(recordsIn(path), []);
  });

  it("rejects an existing file in exclusive mode, without changing it", () => {
    const before = write("another's");
    assert.throws(() => openAppendLog({ path, sync: false, exclusive: true }), /EEXIST/);
    assert.deepEqual(readFileSync(path), before);
    openAppendLog({ path: `${path}.new`, sync: false, exclusive: true }).close();
  });

  /** A line with a correct checksum, as any program could write it. */
  function line(sequence: string, json: string): string {
    return `${sequence} ${crc32(`${sequence} ${json}`).toString(16).padStart(8, "0")} ${json}`;
  }

  it("skips a line that only resembles a log line, and finds the line after it", () => {
    write();
    const good = line("7", '"good"');
    for (const bad of [
      line("7", "{"),
      line("7", ""),
      `x${good}`,
      ` ${good}`,
      good.toUpperCase(),
      good.replace(" ", "  "),
      good.replaceAll(" ", "\t"),
      `-${good}`,
      line("1".repeat(16), '"long"'),
      line("x", '"word"'),
      line("", '"none"'),
    ]) {
      writeFileSync(path, `${bad}\n`);
      assert.deepEqual(readAppendLog(path).skippedLines, [{ line: 1, reason: "damaged" }], bad);
      assert.deepEqual(recordsIn(path), bad.includes(good) ? ["good"] : [], bad);
      writeFileSync(path, `${bad}${line("19", '"behind"')}\n`);
      assert.deepEqual(recordsIn(path), ["behind"], bad);
    }
    writeFileSync(path, `\n${line("1".repeat(15), '"longest"')}\n\n${good}`);
    assert.deepEqual(readAppendLog(path).records, [
      { line: 2, record: "longest" },
      { line: 4, record: "good" },
    ]);
    assert.deepEqual(readAppendLog(path).skippedLines, []);
  });

  const HEADER = line("0", '{"version":1}');

  it("starts with the version of its format, written together with the first record", () => {
    let writes = 0;
    const writeSync: Files["writeSync"] = (fd, bytes, offset) => {
      writes += 1;
      return fs.writeSync(fd, bytes, offset);
    };
    const log = openLog({ writeSync });
    assert.equal(readFileSync(path, "utf8"), "");
    log.append("one");
    assert.equal(writes, 1);
    openLog().append("two");
    assert.equal(readFileSync(path, "utf8"), `${HEADER}\n${line("1", '"one"')}\n${line("2", '"two"')}\n`);
  });

  it("gets its header after empty lines, too", () => {
    write();
    writeFileSync(path, "\n");
    openLog().append("one");
    assert.equal(readFileSync(path, "utf8"), `\n${HEADER}\n${line("1", '"one"')}\n`);
  });

  it("writes several records as a line each, in one write", () => {
    let writes = 0;
    const writeSync: Files["writeSync"] = (fd, bytes, offset) => {
      writes += 1;
      return fs.writeSync(fd, bytes, offset);
    };
    const log = openLog({ writeSync });
    log.appendAll(["one", "two"]);
    log.append("three");
    assert.equal(writes, 2);
    assert.match(readFileSync(path, "utf8"), /^.+\n1 \w{8} "one"\n2 \w{8} "two"\n3 \w{8} "three"\n$/);
  });

  it("keeps every later record if a crash cuts off its first write at any byte", () => {
    const first = write("one");
    for (let size = 0; size <= first.length; size++) {
      writeFileSync(path, first.subarray(0, size));
      openLog().append("two");
      openLog().append("three");
      // The record is whole without its newline.
      assert.deepEqual(recordsIn(path), [...(size >= first.length - 1 ? ["one"] : []), "two", "three"]);
      assert.equal(readFileSync(path, "utf8").split(HEADER).length, 2, "one intact header");
    }
  });

  it("writes its header again if the first write failed and could not be undone", () => {
    let left = HEADER.length - 3;
    const log = openLog({
      writeSync: (fd, bytes, offset) => {
        if (left === 0) throw new Error("ENOSPC");
        const count = fs.writeSync(fd, bytes, offset, Math.min(left, bytes.length - offset));
        left -= count;
        return count;
      },
      ftruncateSync: () => {
        throw new Error("EIO");
      },
    });
    assert.throws(() => log.append("one"), /ENOSPC/);
    left = 1000;
    log.append("two");
    log.append("three");
    assert.deepEqual(recordsIn(path), ["two", "three"]);
    assert.ok(readFileSync(path, "utf8").includes(`\n${HEADER}\n`));
  });

  it("is neither read nor changed if its format is newer, whatever the header says besides", () => {
    write();
    for (const json of ['{"version":2}', '{"version":10,"more":[]}']) {
      const newer = `${line("0", json)}\n${line("1", '"one"')}\n`;
      writeFileSync(path, newer);
      assert.throws(() => readAppendLog(path), NewerFormatError);
      assert.throws(() => openLog(), NewerFormatError);
      assert.equal(readFileSync(path, "utf8"), newer);
      assert.ok(isNewerLog(Buffer.from(newer)));
    }
    for (const content of ["", "damaged", `${HEADER}\n${line("1", '"one"')}\n`])
      assert.ok(!isNewerLog(Buffer.from(content)), content);
  });

  it("is read if its header is damaged or no header of any version", () => {
    write();
    for (const header of [
      '0 00000000 {"version":2}',
      line("0", '{"version":"2"}'),
      line("0", "2"),
      `x${HEADER}`,
    ]) {
      writeFileSync(path, `${header}\n${line("1", '"one"')}\n`);
      assert.deepEqual(recordsIn(path), ["one"]);
      assert.deepEqual(readAppendLog(path).skippedLines, [{ line: 1, reason: "damaged" }]);
    }
  });

  it("continues from the highest line number, for every order of lines", () => {
    write();
    writeFileSync(path, `${line("12", '"later"')}\n${line("5", '"earlier"')}\n`);
    openLog().append("next");
    assert.deepEqual(openLog().records, ["later", "earlier", "next"]);
    assert.match(readFileSync(path, "utf8"), /\n13 [0-9a-f]{8} "next"\n$/);
  });

  it("fails to open a read-only file", function () {
    if (process.platform === "win32" || process.getuid?.() === 0) {
      writeFileSync(join(folder, "file"), "");
      assert.throws(() => openAppendLog({ path: join(folder, "file", "orders.log"), sync: true }));
      return;
    }
    chmodSync(folder, 0o500);
    assert.throws(() => openLog());
    chmodSync(folder, 0o700);
  });
});
