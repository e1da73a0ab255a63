import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openOrderJournal } from "../../src/storage/orders/orderJournal.ts";
import { bundleScript } from "../support/processes/bundleScript.ts";
import { kill, killAll, linesOf, startAndRead } from "../support/processes/children.ts";
import { waitFor } from "../support/waitFor.ts";
import { safetyLine } from "./safetyLine.ts";

const WRITERS = 3;
/** Size of a window's acknowledgements, about 40 bytes each, before the window is killed. */
const MAX_BYTES = 2000;

describe("three windows writing orders at once", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "killed-windows-"));
  });
  afterEach(async () => {
    await killAll();
    rmSync(folder, { recursive: true, force: true });
  });

  safetyLine(
    16,
    "Windows that are killed (-9) while they write lose no acknowledged record",
    async (proof) => {
      const writer = await bundleScript("test/support/processes/journalWriter.ts", folder);
      let acknowledged = 0;
      let skippedLines = 0;
      const rounds = await proof.each(1000, async ({ random, seed }) => {
        const directory = join(folder, `journal-${seed}`);
        const windows = Array.from({ length: WRITERS }, (_, index) => ({
          path: join(folder, `acknowledged-${seed}-${index}`),
          wanted: 1 + Math.floor(random() * MAX_BYTES),
        }));
        await Promise.all(
          windows.map(async ({ path, wanted }) => {
            const window = await startAndRead<number>(writer, directory, path);
            await waitFor("acknowledgements", () => existsSync(path) && statSync(path).size >= wanted);
            await kill(window.process);
            assert.equal(window.process.signalCode, "SIGKILL", "the window was still writing");
          }),
        );

        const journal = openOrderJournal({ directory, now: Date.now });
        const found = new Set(
          journal
            .orders()
            .flatMap(({ intent, evidence }) => [
              `${intent.id} intent`,
              ...evidence.map(({ id, kind }) => `${id} ${kind}`),
            ]),
        );
        const expected = windows.flatMap(({ path }) => linesOf(path));
        const lost = expected.filter((line) => !found.has(line));
        assert.deepEqual(lost, []);
        for (const { state, evidence } of journal.orders()) {
          assert.equal(state, evidence.some(({ kind }) => kind === "outcome") ? "accepted" : "unknown");
        }
        acknowledged += expected.length;
        skippedLines += journal.skippedLines.length;
        journal.close();
        rmSync(directory, { recursive: true });
        for (const { path } of windows) rmSync(path);
      });
      return (
        `${rounds} rounds × ${WRITERS} windows killed: ${acknowledged} records acknowledged, 0 lost, ` +
        `${skippedLines} torn lines damaged`
      );
    },
  );
});
