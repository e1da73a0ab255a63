import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import type { OwnOrder } from "../../../../src/storage/orders/order.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import { ENDED, JournalFolder } from "../../../support/builders/journalFolder.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";

const live = { venue: "live", origin: "https://api.example.com", account: "1".repeat(16) } as const;

describe("the orders of a reread journal", () => {
  let folder: JournalFolder;

  beforeEach(() => (folder = new JournalFolder()));

  const intents = [1, 2, 3].map((minute) => bidIntent({ at: NOON - minute * 60_001 }));
  const [{ id } = bidIntent()] = intents;
  /** Which of the orders are other objects than before. */
  const changed = (before: readonly OwnOrder[], after: readonly OwnOrder[]): number[] =>
    after.flatMap((order, index) => (order === before[index] ? [] : [index]));

  it("are the same objects, except for the one changed by this window", () => {
    const journal = folder.open();
    for (const intent of intents) journal.recordIntent(intent);
    const before = journal.orders();
    journal.recordOutcome(id, { state: "accepted", orderId: "7" });
    const after = journal.orders();
    assert.deepEqual(changed(before, after), [0]);
    assert.equal(after[0]?.state, "accepted");
    journal.recordIntent(bidIntent({ at: NOON }));
    assert.deepEqual(journal.orders().slice(1), after);
    assert.deepEqual(changed(after, journal.orders().slice(1)), []);
  });

  it("are the same objects, except for the one changed by another window", () => {
    const other = folder.open();
    for (const intent of intents) other.recordIntent(intent);
    const journal = folder.open();
    const before = journal.orders();
    other.recordCheck(id, { text: "no change" });
    assert.ok(journal.reread());
    assert.deepEqual(changed(before, journal.orders()), [0]);
    assert.equal(journal.orders()[0]?.evidence.length, 1);
  });

  it("are the same array while only reports of unknown orders or nothing new is read", () => {
    const other = folder.open();
    const journal = folder.open();
    for (const intent of intents) journal.recordIntent(intent);
    const before = journal.orders();
    journal.recordReports([testReport({ status: "open", fills: [testFill("1", "4")] })], live);
    assert.equal(journal.orders(), before);
    other.recordReports([testReport({ status: "open", fills: [testFill("2", "1")] })], live);
    assert.ok(journal.reread());
    assert.equal(journal.orders(), before);
    assert.equal(journal.elsewhere()[0]?.known?.fills.length, 2);
  });

  it("follow the files if lines were lost or changed on disk", () => {
    const paths = intents.map((intent) => folder.write(ENDED, { ...intent, kind: "intent" }));
    const journal = folder.open();
    assert.equal(journal.orders().length, 3);
    appendFileSync(paths[0] ?? "", "torn");
    assert.ok(journal.reread());
    assert.deepEqual([journal.orders().length, journal.skippedLines.length], [3, 1]);
    const { skippedLines } = journal;
    journal.recordCheck(id, { text: "no change" });
    assert.equal(journal.skippedLines, skippedLines, "the same array");
  });

  it("begin with an outcome that was recorded before its intent was read", () => {
    const journal = folder.open();
    folder.write(ENDED, { kind: "outcome", id, at: NOON, state: "accepted", orderId: "7" });
    journal.reread();
    assert.deepEqual([journal.orders().length, journal.skippedLines.length], [0, 1]);
    folder.write(ENDED, { ...bidIntent({ id, at: NOON - 1 }), kind: "intent" });
    journal.reread();
    assert.deepEqual([journal.orders()[0]?.state, journal.skippedLines.length], ["accepted", 0]);
  });
});
