import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadOrCreateToken } from "../../../src/hub/token.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("the token of a folder", () => {
  let directory: string;
  beforeEach(() => {
    directory = join(temporaryFolder(), "hub");
  });

  it("is the same for all programs that can read the file, and unknown to all others", () => {
    const [first, second] = [loadOrCreateToken(directory), loadOrCreateToken(directory)];
    const signed = first.sign("leader", "a", "b");
    assert.ok(second.verifies(signed, "leader", "a", "b"));
    const stranger = loadOrCreateToken(join(directory, "elsewhere"));
    assert.ok(!stranger.verifies(signed, "leader", "a", "b"));
  });

  it("signs for one purpose and one set of parts: no signature is valid for another", () => {
    const token = loadOrCreateToken(directory);
    const signed = token.sign("leader", "ab", "c");
    for (const [purpose, ...parts] of [
      ["follower", "ab", "c"],
      ["leader", "a", "bc"],
      ["leader", "c", "ab"],
      ["leader", "ab", "c", ""],
    ] as const) {
      assert.ok(!token.verifies(signed, purpose, ...parts));
    }
    assert.ok(!token.verifies(signed.slice(1), "leader", "ab", "c"));
    assert.ok(!token.verifies("", "leader", "ab", "c"));
  });

  it("is 32 bytes in a file and a folder that only the user can read", function () {
    loadOrCreateToken(directory);
    assert.deepEqual(readdirSync(directory), ["token"]);
    assert.match(readFileSync(join(directory, "token"), "utf8"), /^[0-9a-f]{64}$/);
    if (process.platform === "win32") return;
    assert.equal(statSync(join(directory, "token")).mode & 0o777, 0o600);
    assert.equal(statSync(directory).mode & 0o777, 0o700);
  });

  it("is created again if the file was damaged", () => {
    loadOrCreateToken(directory);
    writeFileSync(join(directory, "token"), "half of a tok");
    const made = loadOrCreateToken(directory);
    assert.ok(loadOrCreateToken(directory).verifies(made.sign("x"), "x"));
  });
});
