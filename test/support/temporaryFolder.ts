import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

// Runs after the hooks of each suite, which close what has files in these folders.
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new folder for the running test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bidside-test-"));
  made.push(folder);
  return folder;
}
