import assert from "node:assert/strict";
import fs, { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { JournalError } from "../../../../src/storage/orders/orderJournal.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import { ENDED, JournalFolder, NEWER_LOG, onlyBid } from "../../../support/builders/journalFolder.ts";
import { systemWith } from "../../../support/fakes/operatingSystem.ts";

describe("order journal", () => {
  let folder: JournalFolder;

  beforeEach(() => void (folder = new JournalFolder()));

  it("is on the disk when an intent is recorded, in a file that only this window writes", () => {
    const syncs: string[] = [];
    const fsyncSync = (fd: number): void =>
      void syncs.push(fs.fstatSync(fd).isDirectory() ? "folder" : "file");
    const journal = folder.open(systemWith({ fsyncSync }));
    assert.equal(fs.existsSync(folder.directory), false, "no file before the first bid");
    journal.recordIntent(bidIntent());
    assert.deepEqual(syncs, ["folder", "file"]);
    const [name] = readdirSync(folder.directory);
    assert.match(name ?? "", new RegExp(`^orders-2026-11-${process.pid}-[0-9a-f]{16}\\.log$`));
  });

  it("lists a bid from sending to accepted, with all recorded details", () => {
    const journal = folder.open();
    const intent = bidIntent();
    journal.recordIntent(intent);
    assert.equal(onlyBid(journal).state, "sending");
    folder.clock += 10;
    journal.recordCheck(intent.id, { text: "no change" });
    folder.clock += 90;
    journal.recordOutcome(intent.id, { state: "accepted", orderId: "9007199254740993" });
    const bid = onlyBid(journal);
    assert.deepEqual(bid, {
      ...bid,
      intent,
      state: "accepted",
      since: NOON + 100,
      orderId: "9007199254740993",
      evidence: [
        { kind: "check", id: intent.id, at: NOON + 10, text: "no change" },
        { kind: "outcome", id: intent.id, at: NOON + 100, state: "accepted", orderId: "9007199254740993" },
      ],
    });
    journal.close();
    assert.deepEqual(onlyBid(folder.open()), bid, "read back from the disk");
  });

  it("lists the newest bid first", () => {
    const journal = folder.open();
    const intents = [2, 0, 1].map((minute) => bidIntent({ at: NOON + minute * 60_000 }));
    for (const intent of intents) journal.recordIntent(intent);
    assert.deepEqual(
      journal.orders().map(({ intent }) => intent.at),
      [NOON + 120_000, NOON + 60_000, NOON],
    );
  });

  it("shows a bid as unknown if its window ended without an outcome, because it may have been sent", () => {
    folder.write(ENDED, { kind: "intent", ...bidIntent() });
    assert.equal(onlyBid(folder.open()).state, "unknown");
  });

  it("shows a bid of a running window as sending, for 60 s, and as unknown after that", () => {
    folder.write(process.ppid, { kind: "intent", ...bidIntent() });
    const journal = folder.open();
    assert.equal(onlyBid(journal).state, "sending");
    folder.clock += 60_000;
    assert.equal(onlyBid(journal).state, "sending");
    folder.clock += 1;
    assert.equal(onlyBid(journal).state, "unknown", "the process number may now be another program's");
    folder.clock = NOON - 3_600_000;
    assert.equal(onlyBid(folder.open()).state, "unknown", "also after the clock was set back");
  });

  it("lets a user's decision override any check, and proof override both", () => {
    const journal = folder.open();
    const { id } = bidIntent();
    journal.recordIntent(bidIntent({ id }));
    journal.recordOutcome(id, { state: "unknown", reason: "no answer (timeout)" });
    assert.equal(onlyBid(journal).state, "unknown");
    journal.recordCheck(id, { available: "249000.5", text: "1000 less than before" });
    assert.equal(onlyBid(journal).state, "unknown", "evidence alone settles nothing");
    journal.settle(id, { by: "check", as: "unresolved", evidence: "Four checks found nothing" });
    assert.equal(onlyBid(journal).state, "unresolved");
    journal.settle(id, { by: "user", as: "notPlaced", evidence: "Not on the service's page" });
    journal.settle(id, { by: "check", as: "accepted", evidence: "Late" });
    assert.equal(onlyBid(journal).state, "notPlaced");
    journal.settle(id, { by: "user", as: "unresolved", evidence: "Not so sure" });
    assert.equal(onlyBid(journal).state, "unresolved");
    journal.settle(id, { by: "check", as: "accepted", evidence: "Now it is there" });
    assert.equal(onlyBid(journal).state, "accepted", "the user's unresolved decides nothing");
    journal.settle(id, { by: "check", as: "unresolved", evidence: "Checked by another window" });
    assert.equal(onlyBid(journal).state, "accepted", "a check without a result takes back no result");
    journal.recordOutcome(id, { state: "rejected", code: 18, message: "insufficient balance" });
    assert.equal(onlyBid(journal).state, "rejected");
    assert.equal(onlyBid(journal).evidence.length, 9);
    assert.equal(journal.skippedLines.length, 0);
  });

  for (const proof of [
    { state: "accepted", orderId: "7" },
    { state: "rejected", code: "invalid_amount" },
    { state: "notSent", reason: "unreachable" },
  ] as const)
    it(`keeps a bid that is ${proof.state} in that state, for all later records`, () => {
      const journal = folder.open();
      const { id } = bidIntent();
      journal.recordIntent(bidIntent({ id }));
      journal.recordOutcome(id, proof);
      const { since } = onlyBid(journal);
      journal.recordOutcome(id, { state: "unknown", reason: "late" });
      journal.settle(id, {
        by: "user",
        as: proof.state === "accepted" ? "notPlaced" : "accepted",
        evidence: "",
      });
      assert.equal(journal.skippedLines.length, 0);
      journal.recordOutcome(
        id,
        proof.state === "accepted" ? { state: "notSent", reason: "" } : { state: "accepted" },
      );
      assert.deepEqual([onlyBid(journal).state, onlyBid(journal).since], [proof.state, since]);
      const [contradiction, ...others] = journal.skippedLines;
      assert.deepEqual([contradiction?.reason, others.length], ["contradiction", 0]);
      journal.close();
      assert.equal(folder.open().skippedLines[0]?.line, 6, "and found again in the file");
    });

  it("keeps the sequence of a bid's records if the clock is set back", () => {
    const journal = folder.open();
    const { id } = bidIntent();
    journal.recordIntent(bidIntent({ id }));
    journal.settle(id, { by: "user", as: "accepted", evidence: "seen" });
    folder.clock -= 3_600_000;
    journal.settle(id, { by: "user", as: "notPlaced", evidence: "was another order" });
    assert.equal(onlyBid(journal).state, "notPlaced");
  });

  it("shows the records of other windows after a reread, and reads only changed files", () => {
    const [mine, other] = [folder.open(), folder.open()];
    const intent = bidIntent();
    other.recordIntent(intent);
    assert.deepEqual(mine.orders(), []);
    assert.equal(mine.reread(), true);
    assert.equal(onlyBid(mine).state, "sending");
    assert.equal(mine.reread(), false);
    mine.settle(intent.id, { by: "user", as: "accepted", evidence: "seen on the service's page" });
    assert.equal(mine.reread(), false, "its own file counts as unchanged");
    other.recordOutcome(intent.id, { state: "unknown", reason: "timeout" });
    assert.equal(onlyBid(other).state, "unknown");
    assert.equal(other.reread(), true);
    assert.equal(onlyBid(other).state, "accepted");
    assert.equal(mine.reread(), true);
    assert.deepEqual(mine.orders(), other.orders());
  });

  it("begins a new file with a new month, and still lists the bids of the old file", () => {
    const journal = folder.open();
    const { id } = bidIntent();
    journal.recordIntent(bidIntent({ id }));
    folder.clock = Date.UTC(2026, 11, 1);
    journal.recordOutcome(id, { state: "accepted" });
    assert.deepEqual(
      readdirSync(folder.directory).map((name) => name.slice(0, 14)),
      ["orders-2026-11", "orders-2026-12"],
    );
    journal.reread();
    assert.equal(onlyBid(journal).evidence.length, 1);
    assert.equal(onlyBid(folder.open()).state, "accepted");
  });

  it("writes everything again if its folder is deleted", () => {
    const journal = folder.open();
    const { id } = bidIntent();
    journal.recordIntent(bidIntent({ id }));
    rmSync(folder.directory, { recursive: true });
    journal.recordOutcome(id, { state: "accepted", orderId: "1" });
    assert.deepEqual(onlyBid(folder.open()), onlyBid(journal));
  });

  it("writes everything again with the next record if the disk refused the new folder at first", () => {
    let room = Number.POSITIVE_INFINITY;
    const journal = folder.open(
      systemWith({
        writeSync: (fd, bytes, offset) => (room-- > 0 ? fs.writeSync(fd, bytes, offset) : 0),
      }),
    );
    const [first, second, third] = [bidIntent(), bidIntent(), bidIntent()];
    for (const intent of [first, second]) journal.recordIntent(intent);
    rmSync(folder.directory, { recursive: true });
    room = 1;
    assert.throws(() => journal.recordIntent(third), JournalError);
    room = Number.POSITIVE_INFINITY;
    journal.recordOutcome(first.id, { state: "accepted" });
    assert.deepEqual(
      folder
        .open()
        .orders()
        .map(({ state }) => state)
        .sort(),
      ["accepted", "sending"],
    );
  });

  it("shows a bid as unknown if its outcome cannot be written, and accepts the next record", () => {
    let isFull = false;
    const journal = folder.open(
      systemWith({ writeSync: (fd, bytes, offset) => (isFull ? 0 : fs.writeSync(fd, bytes, offset)) }),
    );
    const { id } = bidIntent();
    journal.recordIntent(bidIntent({ id }));
    isFull = true;
    assert.throws(() => journal.recordOutcome(id, { state: "accepted" }), JournalError);
    assert.equal(onlyBid(journal).state, "unknown", "nothing is in flight");
    isFull = false;
    journal.recordOutcome(id, { state: "accepted" });
    assert.equal(onlyBid(folder.open()).state, "accepted");
  });

  it("rejects a second intent with the same id, because an order is never sent twice", () => {
    const journal = folder.open();
    const intent = bidIntent();
    journal.recordIntent(intent);
    const isJournalError = (error: unknown): boolean => error instanceof JournalError;
    assert.throws(() => journal.recordIntent(intent), isJournalError);
    assert.throws(() => folder.open().recordIntent({ ...intent, amount: "1001" }), isJournalError);
  });

  it("rejects records of an unlisted bid, and any after it is closed", () => {
    const journal = folder.open();
    assert.throws(() => journal.recordOutcome(bidIntent().id, { state: "accepted" }), /not in the journal/);
    journal.close();
    assert.throws(() => journal.recordIntent(bidIntent()), /could not be recorded.*closed/);
  });

  it("skips and locates an invalid or contradicting record, and hides no bid because of it", () => {
    const intent = bidIntent();
    const path = folder.write(
      ENDED,
      { kind: "intent", ...intent },
      { kind: "intent", ...intent, amount: "5", at: NOON + 1 },
      { kind: "outcome", id: bidIntent().id, at: NOON, state: "accepted" },
      { kind: "check", id: intent.id, at: NOON, apiSecret: "0011", text: "" },
      { kind: "check", id: intent.id, at: -1, text: "" },
      "text",
      null,
    );
    const journal = folder.open();
    assert.equal(onlyBid(journal).intent.amount, "1000");
    assert.deepEqual(
      journal.skippedLines
        .map(({ file, line, reason }) => [file, line, reason])
        .sort(([, a], [, b]) => Number(a) - Number(b)),
      [
        [basename(path), 3, "contradiction"],
        [basename(path), 4, "contradiction"],
        [basename(path), 5, "noRecord"],
        [basename(path), 6, "noRecord"],
        [basename(path), 7, "noRecord"],
        [basename(path), 8, "noRecord"],
      ],
    );
  });

  it("leaves a file of a newer version as it is, names it, and lists the bids of the others", () => {
    folder.write(ENDED, { kind: "intent", ...bidIntent() });
    const file = `orders-2026-11-${ENDED}-ffffffffffffffff.log`;
    fs.writeFileSync(join(folder.directory, file), NEWER_LOG);
    const journal = folder.open();
    assert.deepEqual(journal.skippedLines, [{ file, line: undefined, reason: "newer" }]);
    assert.equal(onlyBid(journal).state, "unknown");
    journal.recordIntent(bidIntent());
    assert.equal(fs.readFileSync(join(folder.directory, file), "utf8"), NEWER_LOG);
    assert.equal(journal.reread(), false, "nothing changed");
  });

  it("names a file that it cannot read, and lists the bids of the others", () => {
    folder.write(ENDED, { kind: "intent", ...bidIntent() });
    const file = `orders-2026-11-${ENDED}-ffffffffffffffff.log`;
    fs.mkdirSync(join(folder.directory, file));
    const journal = folder.open();
    assert.deepEqual(journal.skippedLines, [{ file, line: undefined, reason: "unreadable" }]);
    assert.equal(onlyBid(journal).state, "unknown");
    assert.equal(journal.reread(), false);
    const [name = ""] = readdirSync(folder.directory);
    rmSync(join(folder.directory, name));
    fs.mkdirSync(join(folder.directory, name));
    assert.equal(journal.reread(), true);
    assert.deepEqual(
      journal.skippedLines.map(({ file }) => file),
      [name, file],
    );
    assert.equal(onlyBid(journal).state, "unknown", "its earlier records still count");
  });

  it("reports an unreadable folder, and rejects the first record", () => {
    writeFileSync(folder.directory, "");
    const journal = folder.open();
    assert.deepEqual(journal.skippedLines, [{ file: undefined, line: undefined, reason: "unreadable" }]);
    assert.throws(() => journal.recordIntent(bidIntent()), JournalError);
  });

  it("accepts only known fields and valid values of a bid", () => {
    const journal = folder.open();
    const wrong: Record<string, unknown>[] = [
      { apiKey: "0011" },
      { secret: "0011" },
      { signature: "0011" },
      { headers: {} },
      { amount: "1e3" },
      { amount: "-1" },
      { amount: "1,000" },
      { amount: 1000 },
      { rate: "" },
      { quantity: "๑" },
      { availableBefore: "NaN" },
      { id: "1" },
      { at: 1.5 },
      { at: Number.NaN },
      { venue: "paper" },
      { origin: "https://user:word@127.0.0.1" },
      { origin: "https://127.0.0.1/path?key=0011" },
      { symbol: "THB_BTC\n" },
      { quote: "<b>" },
    ];
    for (const fields of wrong) {
      assert.throws(
        () => journal.recordIntent({ ...bidIntent(), ...fields }),
        (error) => error instanceof JournalError && !error.message.includes("0011"),
        JSON.stringify(fields),
      );
    }
    const { id } = bidIntent();
    journal.recordIntent(bidIntent({ id }));
    const withKey = { state: "accepted", apiKey: "0011" } as const;
    assert.throws(() => journal.recordOutcome(id, withKey), JournalError);
    const [name = ""] = readdirSync(folder.directory);
    assert.doesNotMatch(readFileSync(join(folder.directory, name), "utf8"), /0011/);
    assert.equal(onlyBid(journal).state, "unknown");
  });

  it("accepts any exchange's origin, and a bid without optional fields", () => {
    const journal = folder.open();
    const addresses = [
      "http://[::1]:80",
      "https://a_b.test:8443/x",
      "https://ตลาด.test",
      "http://127.0.0.1:1/",
    ];
    for (const address of addresses) {
      journal.recordIntent(bidIntent({ origin: new URL(address).origin, availableBefore: undefined }));
    }
    for (const { intent } of journal.orders()) {
      journal.recordOutcome(intent.id, { state: "rejected", code: 1, message: undefined });
    }
    assert.deepEqual(folder.open().orders(), journal.orders());
    assert.equal(journal.orders().length, addresses.length);
  });

  it("truncates a long message so that its outcome is recorded", () => {
    const journal = folder.open();
    const { id } = bidIntent();
    journal.recordIntent(bidIntent({ id }));
    journal.recordOutcome(id, { state: "rejected", code: 99, message: "ก".repeat(10_000) });
    journal.close();
    const [event] = onlyBid(folder.open()).evidence;
    assert.ok(event?.kind === "outcome" && event.state === "rejected");
    assert.equal(event.message, `${"ก".repeat(499)}…`);
  });
});
