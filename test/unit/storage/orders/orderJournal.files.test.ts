import assert from "node:assert/strict";
import fs, { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { thisSystem } from "../../../../src/files/operatingSystem.ts";
import { JournalError } from "../../../../src/storage/orders/orderJournal.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import { ENDED, JournalFolder, onlyBid } from "../../../support/builders/journalFolder.ts";
import { systemWith, filesUsed } from "../../../support/fakes/operatingSystem.ts";

describe("an order journal in several files", () => {
  let folder: JournalFolder;

  beforeEach(() => void (folder = new JournalFolder()));

  it("lists again if a listed file is gone, a limited number of times", () => {
    const ghost = `orders-2026-11-${ENDED}-0123456789abcdef.log`;
    let [listings, times] = [0, 0];
    const listGhost = (path: string): string[] => {
      listings += 1;
      return [...readdirSync(path), ...(listings <= times ? [ghost] : [])];
    };
    const journal = folder.open(systemWith({ readdirSync: listGhost }));
    journal.recordIntent(bidIntent());
    const rereadWithGhost = (given: number): void => {
      [listings, times] = [0, given];
      journal.reread();
    };
    rereadWithGhost(0);
    assert.equal(listings, 1, "no file is missing");
    rereadWithGhost(1);
    assert.equal(listings, 2);
    assert.equal(journal.skippedLines.length, 0);
    rereadWithGhost(100);
    assert.equal(listings, 6);
    assert.equal(journal.skippedLines.length, 1, "counted, and the other bids listed");
    onlyBid(journal);
  });

  it("tries only once to list an unreadable folder", () => {
    let [listings, isRefused] = [0, false];
    const list = (path: string): string[] => {
      if (!isRefused) return readdirSync(path);
      listings += 1;
      throw new Error("EACCES");
    };
    const journal = folder.open(systemWith({ readdirSync: list }));
    isRefused = true;
    assert.equal(journal.reread(), true, "the failure counts as a change");
    assert.equal(journal.reread(), false);
    assert.equal(listings, 2);
    assert.equal(journal.skippedLines.length, 1);
  });

  it("never writes to another window's file, even if both chose the same name", () => {
    const sameName = { ...thisSystem, randomBytes: (size: number) => Buffer.alloc(size) };
    const [one, other] = [folder.open(sameName), folder.open(sameName)];
    one.recordIntent(bidIntent());
    const lines = folder.lines();
    assert.throws(() => other.recordIntent(bidIntent()), JournalError);
    assert.deepEqual(folder.lines(), lines);
  });

  it("names its own file if the contradicting record is its own", () => {
    const journal = folder.open();
    const own = bidIntent({ at: NOON + 1 });
    journal.recordIntent(own);
    const [file] = folder.files();
    folder.write(ENDED, { kind: "intent", ...own, at: NOON, amount: "2000" });
    journal.reread();
    assert.deepEqual(journal.skippedLines, [{ file, line: undefined, reason: "contradiction" }]);
  });

  it("reports that one of two files changed, disappeared, or can no longer be read", () => {
    const [first, second] = [bidIntent(), bidIntent()];
    const paths = [first, second].map((intent) => folder.write(ENDED, { kind: "intent", ...intent }));
    const journal = folder.open();
    assert.equal(journal.reread(), false);
    const [path = ""] = paths;
    fs.appendFileSync(path, "torn");
    assert.equal(journal.reread(), true);
    assert.equal(journal.skippedLines.length, 1);
    rmSync(path);
    fs.mkdirSync(path);
    assert.equal(journal.reread(), true);
    assert.equal(journal.orders().length, 2, "its earlier records still count");
    rmSync(path, { recursive: true });
    assert.equal(journal.reread(), true);
    assert.equal(onlyBid(journal).intent.id, second.id);
    const [, other = ""] = paths;
    rmSync(other);
    assert.equal(journal.reread(), true);
    assert.deepEqual(journal.orders(), []);
    fs.mkdirSync(path);
    assert.equal(journal.reread(), true);
    rmSync(path, { recursive: true });
    fs.mkdirSync(other);
    assert.equal(journal.reread(), true, "another file now");
  });

  it("lists its own bids and the rest of a file when lines of another window are gone", () => {
    const lost = { kind: "intent", ...bidIntent() };
    const path = folder.write(ENDED, { kind: "intent", ...bidIntent() }, lost, {
      kind: "intent",
      ...bidIntent(),
    });
    const journal = folder.open();
    const own = bidIntent();
    journal.recordIntent(own);
    assert.equal(journal.orders().length, 4);
    const [header = "", first = "", , third = ""] = fs.readFileSync(path, "utf8").split("\n");
    fs.writeFileSync(path, `${header}\n${first}\n${third}\n`);
    assert.ok(journal.reread());
    const ids = journal.orders().map(({ intent }) => intent.id);
    assert.equal(ids.length, 3);
    assert.ok(ids.includes(own.id) && !ids.includes(lost.id));
    rmSync(path);
    assert.ok(journal.reread());
    assert.equal(onlyBid(journal).intent.id, own.id);
  });

  it("names a damaged line also after more lines were added behind it", () => {
    const path = folder.write(ENDED, { kind: "intent", ...bidIntent() });
    fs.appendFileSync(path, "torn\n");
    const journal = folder.open();
    const damaged = { file: folder.files()[0], line: 3, reason: "damaged" };
    assert.deepEqual(journal.skippedLines, [damaged]);
    fs.appendFileSync(path, "torn again\n");
    assert.ok(journal.reread());
    assert.deepEqual(journal.skippedLines, [damaged, { ...damaged, line: 4 }]);
  });

  it("creates no file if a response reports nothing new", () => {
    const journal = folder.open();
    assert.equal(journal.recordReports([], { venue: "practice", origin: "http://127.0.0.1:40000" }), false);
    assert.ok(!fs.existsSync(folder.directory) || folder.files().length === 0);
  });

  it("reports that a bid is no longer being sent, even if other bids were settled long ago", () => {
    const { id } = bidIntent();
    folder.write(
      process.ppid,
      { kind: "intent", ...bidIntent({ id, at: NOON - 1 }) },
      { kind: "outcome", id, at: NOON, state: "accepted" },
      { kind: "intent", ...bidIntent() },
    );
    const journal = folder.open();
    const states = (): string[] => journal.orders().map(({ state }) => state);
    assert.deepEqual(states(), ["sending", "accepted"]);
    folder.clock += 60_001;
    assert.deepEqual(states(), ["unknown", "accepted"]);
  });

  it("lists the same bids until something changes", () => {
    const journal = folder.open();
    const { id } = bidIntent();
    journal.recordIntent(bidIntent({ id }));
    journal.recordOutcome(id, { state: "accepted" });
    const bids = journal.orders();
    assert.equal(journal.orders(), bids, "the same array");
    journal.reread();
    assert.equal(journal.orders(), bids);
    journal.recordIntent(bidIntent());
    assert.equal(journal.orders().length, 2);
  });

  it("keeps one file open while it writes, and no file after it is closed", () => {
    const files = filesUsed((os) => {
      const journal = folder.open(os);
      const { id } = bidIntent();
      journal.recordIntent(bidIntent({ id }));
      folder.clock = Date.UTC(2026, 11, 1);
      journal.recordCheck(id, { text: "no change" });
      rmSync(folder.directory, { recursive: true });
      journal.recordOutcome(id, { state: "accepted" });
    });
    const [name = ""] = readdirSync(folder.directory);
    assert.deepEqual(files.held, [join(folder.directory, name)]);
    const closed = filesUsed((os) => {
      const journal = folder.open(os);
      journal.recordIntent(bidIntent());
      journal.close();
    });
    assert.deepEqual(closed.held, []);
  });

  it("has each record on disk when it returns, the first with the file's name", () => {
    const { synced } = filesUsed((os) => {
      const journal = folder.open(os);
      const { id } = bidIntent();
      journal.recordIntent(bidIntent({ id }));
      journal.recordCheck(id, { text: "no change" });
    });
    const [name = ""] = readdirSync(folder.directory);
    const file = join(folder.directory, name);
    assert.deepEqual(synced, [folder.directory, file, file]);
  });

  it("keeps every record if another file takes the place of the open one", () => {
    const journal = folder.open();
    const [first, second] = [bidIntent(), bidIntent()];
    journal.recordIntent(first);
    const path = join(folder.directory, readdirSync(folder.directory)[0] ?? "");
    const copy = `${path}.copy`;
    fs.copyFileSync(path, copy);
    fs.renameSync(copy, path);
    journal.recordIntent(second);
    const ids = new Set([first.id, second.id]);
    assert.deepEqual(
      new Set(
        folder
          .open()
          .orders()
          .map(({ intent }) => intent.id),
      ),
      ids,
    );
    journal.reread();
    assert.equal(journal.orders().length, 2);
  });

  it("rejects a record if its file keeps being deleted during the write", () => {
    let isDeleted = true;
    const existsSync = (path: string): boolean => !isDeleted && fs.existsSync(path);
    const journal = folder.open(systemWith({ existsSync }));
    assert.throws(
      () => journal.recordIntent(bidIntent()),
      /could not be recorded: its file is deleted while it is written\. Nothing was sent/,
    );
    isDeleted = false;
    assert.deepEqual(journal.orders(), []);
    journal.recordIntent(bidIntent());
    onlyBid(journal);
    const before = readdirSync(folder.directory).length;
    journal.recordIntent(bidIntent());
    assert.equal(readdirSync(folder.directory).length, before, "and creates only the necessary new files");
  });
});

describe("the errors of an order journal", () => {
  let folder: JournalFolder;
  let refuses: boolean;
  const os = systemWith({
    writeSync: (fd, bytes, offset) => {
      if (refuses) throw new Error("no space left on device");
      return fs.writeSync(fd, bytes, offset);
    },
  });

  beforeEach(() => {
    folder = new JournalFolder();
    refuses = false;
  });

  function refusal(task: () => void): JournalError {
    try {
      task();
    } catch (error) {
      assert.ok(error instanceof JournalError && error.name === "JournalError");
      return error;
    }
    return assert.fail("the record was not refused");
  }

  it("say that nothing was sent, why, and what to do", () => {
    const journal = folder.open(os);
    refuses = true;
    const { message, cause } = refusal(() => journal.recordIntent(bidIntent()));
    assert.equal(
      message,
      "The order could not be recorded: no space left on device. Nothing was sent. " +
        `Make room for files in ${folder.directory}, and place the order again.`,
    );
    assert.ok(cause instanceof Error && cause.message === "no space left on device");
    assert.match(
      refusal(() => journal.recordIntent(bidIntent({ amount: "1e3" }))).message,
      /its record would be incomplete\. Nothing was sent\.$/,
    );
    assert.match(
      refusal(() => journal.claimDraft("1")).message,
      /could not be recorded, because its draft has no valid id/,
    );
  });

  it("say what state an order keeps whose outcome could not be recorded", () => {
    const journal = folder.open(os);
    const { id } = bidIntent();
    journal.recordIntent(bidIntent({ id }));
    refuses = true;
    const { message, cause } = refusal(() => journal.recordOutcome(id, { state: "accepted" }));
    assert.equal(
      message,
      "The outcome of the order could not be recorded: no space left on device. " +
        `The journal still lists the order with its earlier state. Make room for files in ${folder.directory}.`,
    );
    assert.ok(cause instanceof Error);
    refuses = false;
    assert.match(
      refusal(() => journal.recordCheck(id, { available: "-1", text: "" })).message,
      /^The outcome of the order could not be recorded: the record would be unreadable\.$/,
    );
    assert.match(
      refusal(() => journal.recordIntent(bidIntent({ id }))).message,
      /already in the journal\. It is not sent a second time\.$/,
    );
  });

  it("reject every record of a bid whose intent is lost", () => {
    const { id } = bidIntent();
    folder.write(ENDED, { kind: "check", id, at: NOON, text: "" });
    const journal = folder.open();
    assert.match(
      refusal(() => journal.recordOutcome(id, { state: "accepted" })).message,
      /not in the journal, so nothing can be added to it/,
    );
    assert.throws(() => journal.recordIntent(bidIntent({ id })), /already in the journal/);
  });

  it("reject every record and claim after the journal is closed", () => {
    const journal = folder.open();
    const { id } = bidIntent();
    journal.recordIntent(bidIntent({ id }));
    journal.close();
    assert.throws(
      () => journal.recordOutcome(id, { state: "accepted" }),
      /could not be recorded: the journal is closed\. The journal still lists the order/,
    );
    for (const task of [
      () => journal.recordIntent(bidIntent()),
      () => void journal.claimDraft(bidIntent().id),
    ])
      assert.match(refusal(task).message, /could not be recorded: the journal is closed\. Nothing was sent/);
  });
});
