import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterTest } from "./afterTest.ts";

/** A new folder for the running test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bidside-test-"));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
