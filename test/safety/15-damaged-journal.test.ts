import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openAppendLog } from "../../src/storage/appendLog.ts";
import { openOrderJournal } from "../../src/storage/orders/orderJournal.ts";
import type { OrderRecord } from "../../src/storage/orders/records.ts";
import { bidIntent, NOON } from "../support/builders/bidIntent.ts";
import { safetyLine } from "./safetyLine.ts";

/** A text that is the same for equal records, in any order of their fields. */
function textOf(record: object): string {
  return JSON.stringify(record, Object.keys(record).sort());
}

describe("a damaged order journal", () => {
  let folder: string;
  let path: string;
  let whole: Buffer;
  /** Where each line ends, its newline included, and the record in it; the first is the header. */
  let lines: { end: number; record?: OrderRecord }[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "order-journal-"));
    path = join(folder, "orders-2026-11-4100000000-0123456789abcdef.log");
    const records = Array.from({ length: 5 }, (_, index): OrderRecord[] => {
      const intent = bidIntent({ at: NOON + index * 1000 });
      return [
        { kind: "intent", ...intent },
        { kind: "check", id: intent.id, at: intent.at + 1, text: "" },
        { kind: "outcome", id: intent.id, at: intent.at + 2, state: "accepted", orderId: String(index) },
      ];
    }).flat();
    lines = [];
    const log = openAppendLog({ path, sync: false });
    for (const record of records) {
      log.append(record);
      lines.push({ end: readFileSync(path).length, record });
    }
    log.close();
    whole = readFileSync(path);
    lines.unshift({ end: whole.indexOf("\n") + 1 });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Every record that the journal still has: listed with a bid, or counted as skipped if the bid's intent is lost. */
  function read(bytes: Uint8Array): { listed: Set<string>; skippedLines: number } {
    writeFileSync(path, bytes);
    const journal = openOrderJournal({ directory: folder, now: () => NOON });
    const listed = journal
      .orders()
      .flatMap(({ intent, evidence }) => [{ kind: "intent", ...intent }, ...evidence])
      .map(textOf);
    journal.close();
    return { listed: new Set(listed), skippedLines: journal.skippedLines.length };
  }

  /** Checks that the journal has every record whose line is intact. */
  function check(bytes: Uint8Array, intact: readonly OrderRecord[]): number {
    const { listed, skippedLines } = read(bytes);
    const intents = new Set(intact.flatMap((each) => (each.kind === "intent" ? [each.id] : [])));
    const expected = intact.filter((each) => "id" in each && intents.has(each.id));
    assert.deepEqual(listed, new Set(expected.map(textOf)));
    assert.ok(skippedLines >= intact.length - expected.length, "evidence without its intent is counted");
    return skippedLines;
  }

  safetyLine(15, "A damaged byte loses only its own line, and the line is counted", async (proof) => {
    let skippedLines = 0;
    const damages = await proof.property(
      10_000,
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (position, flip) => {
        const damaged = Buffer.from(whole);
        damaged[position] = (damaged[position] ?? 0) ^ flip;
        const hit = lines.findIndex(({ end }) => position < end);
        const counted = check(
          damaged,
          // A damaged newline loses no record: the checksum still finds the ends of both lines.
          lines.flatMap(({ record }, index) => (index === hit || !record ? [] : [record])),
        );
        assert.ok(counted > 0);
        skippedLines += counted;
      }),
    );
    return `${damages} damaged bytes: ${skippedLines} damaged lines, 0 crashes, 0 valid records lost`;
  });

  it("keeps every whole line if the file is cut off at any byte", () => {
    for (let size = 0; size <= whole.length; size++) {
      // A last line without its newline is still whole.
      const intact = lines.filter(({ end }) => end - 1 <= size);
      const skippedLines = check(
        whole.subarray(0, size),
        intact.flatMap(({ record }) => record ?? []),
      );
      const ends = lines.flatMap(({ end }) => [end - 1, end]);
      assert.equal(skippedLines, size === 0 || ends.includes(size) ? 0 : 1);
    }
  });

  it("is read without an exception, with any bytes in its files", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(whole.length), (bytes, cut) => {
        read(bytes);
        const { listed } = read(Buffer.concat([whole.subarray(0, cut), Buffer.from("\n"), bytes]));
        for (const { end, record } of lines) {
          if (record && end <= cut) assert.ok(listed.has(textOf(record)));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
