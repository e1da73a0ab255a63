import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installOnce } from "../../../tools/editor/installOnce.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const quiet = (): void => undefined;

async function broken(temporary: string): Promise<void> {
  writeFileSync(join(temporary, "tool"), "half");
  throw new Error("no network");
}

describe("An install", () => {
  let parent: string;
  let folder: string;

  beforeEach(() => {
    parent = temporaryFolder();
    folder = join(parent, "tool");
  });

  it("is done once, also if many runs need the install at the same time", async () => {
    let fills = 0;
    const fill = async (temporary: string): Promise<void> => {
      fills += 1;
      writeFileSync(join(temporary, "tool"), "whole");
    };
    await Promise.all([
      installOnce(folder, "a tool", quiet, fill),
      installOnce(folder, "a tool", quiet, fill),
    ]);
    assert.equal(fills, 1);
    assert.equal(readFileSync(join(folder, "tool"), "utf8"), "whole");
  });

  it("that failed leaves nothing behind, and is done again", async () => {
    await assert.rejects(installOnce(folder, "a tool", quiet, broken), /no network/);
    assert.equal(existsSync(folder), false);
    await installOnce(folder, "a tool", quiet, async () => undefined);
    assert.equal(existsSync(folder), true);
  });

  it("that was killed half-way is done again", async () => {
    // No process has this number: Linux ends at 2^22.
    writeFileSync(`${folder}.lock`, "9999999");
    await installOnce(folder, "a tool", quiet, async () => undefined);
    assert.equal(existsSync(folder), true);
    assert.equal(existsSync(`${folder}.lock`), false);
  });
});
