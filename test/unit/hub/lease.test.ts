import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Lease } from "../../../src/hub/lease.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("the lease", () => {
  let directory: string;
  let lease: Lease;
  beforeEach(() => {
    directory = temporaryFolder();
    lease = new Lease(directory);
  });

  it("belongs to the window with the highest number", () => {
    assert.equal(lease.newest, undefined);
    assert.ok(lease.take(1));
    assert.ok(lease.isHeld(1));
    assert.ok(lease.take(2));
    assert.ok(!lease.isHeld(1));
    assert.ok(lease.isHeld(2));
  });

  it("gives each number to one window only, and no number below the highest", () => {
    assert.ok(lease.take(7));
    assert.ok(!lease.take(7));
    assert.ok(!lease.take(3));
    assert.equal(lease.newest, 7);
  });

  it("stays lost for a window that slept while many other windows led", () => {
    assert.ok(lease.take(1));
    for (let number = 2; number < 50; number += 1) {
      assert.ok(lease.take(number));
      assert.ok(!lease.isHeld(1));
    }
    assert.deepEqual(readdirSync(directory).sort(), ["lead-48", "lead-49"]);
  });

  it("is free when its folder is gone, and can be acquired again", () => {
    assert.ok(lease.take(4));
    rmSync(directory, { recursive: true });
    assert.ok(!lease.isHeld(4));
    assert.ok(lease.take(1));
    assert.ok(lease.isHeld(1));
  });

  it("ignores files that are not its own", () => {
    for (const name of ["lead-", "lead-x", "lead-99x", "token", "lead-1e3"])
      writeFileSync(join(directory, name), "");
    mkdirSync(join(directory, "sub"));
    assert.equal(lease.newest, undefined);
    assert.ok(lease.take(1));
  });
});
