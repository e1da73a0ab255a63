import assert from "node:assert/strict";
import fs, { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Disk } from "../../../src/journal/appendLog.ts";
import type { BidRecord } from "../../../src/journal/foldBids.ts";
import { openAppendLog } from "../../../src/journal/appendLog.ts";
import { JournalError } from "../../../src/journal/journalError.ts";
import { openOrderJournal, type OrderJournal } from "../../../src/journal/orderJournal.ts";
import { bidIntent, NOON } from "../../support/bidIntents.ts";

/** A pid no system gives out. */
const ENDED = 4_100_000_000;

describe("order journal on a disk", () => {
  let folder: string;
  let directory: string;
  let clock: number;
  const opened: OrderJournal[] = [];

  function open(disk?: Disk): OrderJournal {
    const journal = openOrderJournal({ directory, now: () => clock, ...(disk && { disk }) });
    opened.push(journal);
    return journal;
  }

  function only(journal: OrderJournal): BidRecord {
    const [bid, ...others] = journal.bids();
    assert.ok(bid && others.length === 0, `${journal.bids().length} bids`);
    return bid;
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "order-journal-"));
    directory = join(folder, "journal");
    clock = NOON;
  });
  afterEach(() => {
    for (const journal of opened.splice(0)) journal.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const refusing: Record<string, Disk> = {
    "is full": {
      writeSync: () => {
        throw new Error("ENOSPC: no space left on device");
      },
      fsyncSync: fs.fsyncSync,
    },
    "is full half-way through a line": {
      writeSync: (fd, bytes, offset) => {
        if (offset > 0) throw new Error("ENOSPC: no space left on device");
        return fs.writeSync(fd, bytes, offset, 20);
      },
      fsyncSync: fs.fsyncSync,
    },
    "takes no bytes": { writeSync: () => 0, fsyncSync: fs.fsyncSync },
    "fails to sync": {
      writeSync: fs.writeSync,
      fsyncSync: () => {
        throw new Error("EIO: i/o error");
      },
    },
  };
  for (const [what, disk] of Object.entries(refusing))
    it(`that ${what}, no intent is acknowledged, and none is left behind`, () => {
      const journal = open(disk);
      assert.throws(
        () => journal.recordIntent(bidIntent()),
        (error) =>
          error instanceof JournalError && /could not be recorded.*Nothing was sent/.test(error.message),
      );
      assert.deepEqual(journal.bids(), []);
      assert.deepEqual(open().bids(), []);
    });

  it("that refuses the outcome, the bid stays what it was, and the next record is kept", () => {
    let isFull = false;
    const journal = open({
      writeSync: (fd, bytes, offset) => (isFull ? 0 : fs.writeSync(fd, bytes, offset)),
      fsyncSync: fs.fsyncSync,
    });
    const { id } = bidIntent();
    journal.recordIntent(bidIntent({ id }));
    isFull = true;
    assert.throws(() => journal.recordOutcome(id, { state: "accepted" }), JournalError);
    assert.equal(only(journal).state, "sending");
    clock += 60_001;
    assert.equal(only(journal).state, "unknown");
    isFull = false;
    journal.recordOutcome(id, { state: "accepted" });
    assert.equal(only(open()).state, "accepted");
  });

  it("that takes a few bytes at a time, everything is recorded", () => {
    const journal = open({
      writeSync: (fd, bytes, offset) => fs.writeSync(fd, bytes, offset, Math.min(3, bytes.length - offset)),
      fsyncSync: fs.fsyncSync,
    });
    journal.recordIntent(bidIntent());
    assert.deepEqual(open().bids(), journal.bids());
  });

  it("that is read-only, the journal is still read, and no intent is acknowledged", () => {
    const log = openAppendLog({
      path: join(directory, `orders-2026-11-${ENDED}-0123456789abcdef.log`),
      sync: false,
    });
    log.append({ kind: "intent", ...bidIntent() });
    log.close();
    // Where permissions bind nobody, a file in the folder's place must do for the folder that takes no files.
    const isBound = process.platform !== "win32" && process.getuid?.() !== 0;
    if (isBound) chmodSync(directory, 0o500);
    const journal = open();
    assert.equal(only(journal).state, "unknown");
    if (!isBound) {
      rmSync(directory, { recursive: true });
      writeFileSync(directory, "");
    }
    assert.throws(() => journal.recordIntent(bidIntent()), JournalError);
    assert.equal(only(journal).state, "unknown");
    if (isBound) chmodSync(directory, 0o700);
  });
});
