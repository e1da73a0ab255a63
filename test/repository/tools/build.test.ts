import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setImmediate as turn } from "node:timers/promises";

describe("A build", () => {
  let folder: string;
  const leftover = join("dist", "test", "editor", "renamed.test.js");

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "bidside-builds-"));
    cpSync("esbuild.mjs", join(folder, "esbuild.mjs"));
    for (const name of ["src", "test", "tools", "node_modules"])
      symlinkSync(resolve(name), join(folder, name), "junction");
    for (const name of ["package.json", "tsconfig.json"]) cpSync(name, join(folder, name));
    mkdirSync(join(folder, dirname(leftover)), { recursive: true });
    writeFileSync(join(folder, leftover), "");
    await Promise.all([build(), build("--suite")]);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function build(...flags: readonly string[]): Promise<void> {
    const child = spawn(process.execPath, ["esbuild.mjs", "--production", ...flags], { cwd: folder });
    let output = "";
    child.stderr.on("data", (text: Buffer) => (output += text.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    assert.equal(code, 0, output);
  }

  /** Every built file, and its content. */
  function built(): ReadonlyMap<string, string> {
    const files = globSync("dist/**/*.*", { cwd: folder }).sort();
    return new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
  }

  it("removes the built tests whose sources are gone, because the suite runs all files of its folder", () => {
    assert.ok(!built().has(leftover));
  });

  it("never removes or truncates a file that another program reads, even during another build", async () => {
    const before = built();
    for (const file of ["extension.js", join("test", "editor", "suite.js")])
      assert.ok(before.has(join("dist", file)));
    const ended = new AbortController();
    const builds = Promise.all([build(), build("--suite")]).finally(() => ended.abort());
    let reads = 0;
    try {
      while (!ended.signal.aborted) {
        for (const [file, content] of before) {
          assert.equal(readFileSync(join(folder, file), "utf8"), content, file);
          reads += 1;
          await turn();
        }
      }
    } finally {
      await builds;
    }
    assert.ok(reads >= before.size);
    assert.deepEqual(built(), before, "No unfinished file is left.");
  });
});
