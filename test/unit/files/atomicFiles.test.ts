import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFile, namesIn, replaceFile } from "../../../src/files/atomicFiles.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("a file written in one step", () => {
  let folder: string;

  beforeEach(() => void (folder = temporaryFolder()));

  it("is created once, readable only by its owner, and the first text stays", () => {
    const path = join(folder, "a");
    assert.deepEqual([createFile(path, "first"), createFile(path, "second")], [true, false]);
    assert.equal(readFileSync(path, "utf8"), "first");
    if (process.platform !== "win32") assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.throws(() => createFile(join(folder, "none", "a")), { code: "ENOENT" });
  });

  it("is replaced without leftovers, also if the replacement fails", () => {
    const path = join(folder, "a");
    replaceFile(path, "old");
    replaceFile(path, "new");
    assert.equal(readFileSync(path, "utf8"), "new");
    assert.throws(() => replaceFile(folder, "text"));
    assert.throws(() => replaceFile(join(folder, "none", "a"), "text"), { code: "ENOENT" });
    assert.deepEqual(namesIn(folder), ["a"]);
  });

  it("is listed by name; a missing folder has no files", () => {
    for (const name of ["b", "a", "c"]) writeFileSync(join(folder, name), "");
    assert.deepEqual(namesIn(folder), ["a", "b", "c"]);
    assert.deepEqual(namesIn(join(folder, "none")), []);
    assert.throws(() => namesIn(join(folder, "a")), { code: "ENOTDIR" });
  });
});
