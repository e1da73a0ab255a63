import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openOrderJournal } from "../../../src/journal/orderJournal.ts";
import { NOON } from "../../support/bidIntents.ts";
import { kill, killAll, runScript, startAndRead } from "../../support/children.ts";
import { waitFor } from "../../support/waitFor.ts";

/** BIDSIDE_ROUNDS=1000 for the full run, some minutes long. */
const ROUNDS = Number(process.env["BIDSIDE_ROUNDS"] ?? 5);
const WRITERS = 3;
const ROUND_MS = 6000;

/** The whole lines of a file, none where it is not there. */
function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

describe("an order journal whose processes are killed (-9)", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "order-journal-"));
  });
  afterEach(async () => {
    await killAll();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`loses no acknowledged record of ${WRITERS} windows writing at once, ${ROUNDS} rounds`, async function () {
    this.timeout(10_000 + ROUNDS * ROUND_MS);
    let acknowledged = 0;
    let setAside = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const directory = join(folder, `journal-${round}`);
      const paths = Array.from({ length: WRITERS }, (_, writer) =>
        join(folder, `acknowledged-${round}-${writer}`),
      );
      const writers = await Promise.all(
        paths.map((path) => startAndRead<number>("test/support/journalWriter.ts", directory, path)),
      );
      // Killed at a different point of its work each time: after so many bytes acknowledged, and whatever it did since.
      await Promise.all(
        writers.map(async ({ process: writer }, index) => {
          const wanted = 50 + ((round * 7919 + index * 104_729) % 4000);
          const path = paths[index] ?? "";
          await waitFor("acknowledgements", () => existsSync(path) && statSync(path).size >= wanted);
          await kill(writer);
        }),
      );

      const journal = openOrderJournal({ directory, now: Date.now });
      const found = new Set(
        journal
          .bids()
          .flatMap(({ intent, evidence }) => [
            `${intent.id} intent`,
            ...evidence.map(({ id, kind }) => `${id} ${kind}`),
          ]),
      );
      const expected = paths.flatMap(linesOf);
      assert.deepEqual(
        expected.filter((line) => !found.has(line)),
        [],
      );
      for (const { state, evidence } of journal.bids()) {
        assert.equal(state, evidence.some(({ kind }) => kind === "outcome") ? "accepted" : "unknown");
      }
      acknowledged += expected.length;
      setAside += journal.setAside.length;
      journal.close();
      rmSync(directory, { recursive: true });
    }
    assert.ok(acknowledged >= ROUNDS * WRITERS);
    console.log(
      `      ${ROUNDS} rounds × ${WRITERS} writers killed: ${acknowledged} acknowledged, 0 lost, ${setAside} torn lines set aside`,
    );
  });

  it("lists every bid that was sent, and as unknown unless its proof was recorded, at whichever call it is killed", async function () {
    this.timeout(60_000);
    const counted = await runScript(
      "test/support/crashAtCall.ts",
      join(folder, "whole"),
      String(NOON),
      "9999",
      "bid",
    );
    const calls = Number(counted.stdout);
    assert.ok(calls > 8, counted.stderr);
    for (let call = 1; call <= calls; call++) {
      const directory = join(folder, `killed-${call}`);
      const { code } = await runScript(
        "test/support/crashAtCall.ts",
        directory,
        String(NOON),
        String(call),
        "bid",
      );
      assert.notEqual(code, 0, "killed");
      const [sent, ...resent] = linesOf(`${directory}.sent`);
      assert.deepEqual(resent, []);
      const [proved] = linesOf(`${directory}.proved`);
      const journal = openOrderJournal({ directory, now: () => NOON });
      const [bid, ...others] = journal.bids();
      journal.close();
      assert.deepEqual(others, []);
      if (sent !== undefined) assert.equal(bid?.intent.id, sent, `call ${call}`);
      const isProved = bid?.evidence.some(({ kind }) => kind === "outcome") ?? false;
      if (proved !== undefined) assert.ok(isProved, `call ${call}`);
      if (bid) assert.equal(bid.state, isProved ? "accepted" : "unknown", `call ${call}`);
    }
    console.log(`      killed before or within each of ${calls} calls: 0 sent bids unlisted, 0 proofs lost`);
  });
});
