import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fs, { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type OperatingSystem, type Files, thisSystem } from "../../../../src/files/operatingSystem.ts";
import { sweepClaims } from "../../../../src/storage/orders/draftClaims.ts";
import { JournalError } from "../../../../src/storage/orders/orderJournal.ts";
import { openOrderJournal, type OrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import { bidIntent } from "../../../support/builders/bidIntent.ts";
import { systemWith, filesUsed } from "../../../support/fakes/operatingSystem.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const DAY_MS = 24 * 60 * 60_000;

const { files } = thisSystem;

describe("a draft", () => {
  let directory: string;
  let opened: OrderJournal[];

  beforeEach(() => {
    directory = temporaryFolder();
    opened = [];
  });
  afterEach(() => {
    for (const journal of opened) journal.close();
  });

  function open(given: Partial<Parameters<typeof openOrderJournal>[0]> = {}): OrderJournal {
    const journal = openOrderJournal({ directory, now: Date.now, ...given });
    opened.push(journal);
    return journal;
  }

  it("is claimed once by one of all windows, even after every window was reopened", () => {
    const id = randomUUID();
    const [first, second] = [open(), open()];
    assert.equal(first.claimDraft(id), true);
    assert.equal(first.claimDraft(id), false);
    assert.equal(second.claimDraft(id), false);
    assert.equal(second.claimDraft(id.toUpperCase()), false, "the same id in another spelling");
    assert.equal(open().claimDraft(id), false);
    assert.equal(second.claimDraft(randomUUID()), true);
  });

  it("can be looked up as claimed or not claimed, and a lookup claims nothing", () => {
    const id = randomUUID();
    const [first, second] = [open(), open({ directory: join(directory, "not created yet") })];
    assert.equal(first.isDraftClaimed(id), false);
    assert.equal(first.claimDraft(id), true);
    for (const written of [id, id.toUpperCase()]) assert.equal(open().isDraftClaimed(written), true);
    assert.equal(second.isDraftClaimed(id), false);
    assert.equal(first.isDraftClaimed(randomUUID()), false);
    assert.equal(first.isDraftClaimed("../drafts"), false);
  });

  it("is claimed in a folder that does not exist yet", () => {
    assert.equal(open({ directory: join(directory, "a", "b") }).claimDraft(randomUUID()), true);
  });

  it("changes nothing in the list of orders when it is claimed", () => {
    const journal = open();
    journal.claimDraft(randomUUID());
    journal.recordIntent(bidIntent({ at: Date.now() }));
    const later = open();
    assert.equal(later.orders().length, 1);
    assert.deepEqual(later.skippedLines, []);
  });

  it("is rejected without a valid id, so that no name leads out of the folder", () => {
    const journal = open();
    for (const id of ["", ".", "..", "../orders", `../${randomUUID()}`, `${randomUUID()}/..`, "a\0b"]) {
      assert.throws(() => journal.claimDraft(id), JournalError);
    }
    assert.deepEqual(readdirSync(directory), []);
  });

  it("is not claimed if the disk fails", () => {
    const refuse = (): never => {
      throw new Error("no space left on device");
    };
    const journal = open({ os: systemWith({ fsyncSync: refuse }) });
    assert.throws(
      () => journal.claimDraft(randomUUID()),
      /could not be recorded: no space left.*Nothing was sent/,
    );
    writeFileSync(join(directory, "file"), "");
    assert.throws(() => open({ directory: join(directory, "file") }).claimDraft(randomUUID()), JournalError);
    const closed = open();
    closed.close();
    assert.throws(() => closed.claimDraft(randomUUID()), JournalError);
  });

  it("is forgotten a month after its claim, when a journal is opened", () => {
    const [old, young] = [randomUUID(), randomUUID()];
    const journal = open();
    for (const [id, days] of [
      [old, 32],
      [young, 30],
    ] as const) {
      journal.claimDraft(id);
      const at = (Date.now() - days * DAY_MS) / 1000;
      utimesSync(join(directory, "drafts", id), at, at);
    }
    assert.ok(existsSync(join(directory, "drafts", old)));
    open();
    assert.deepEqual(readdirSync(join(directory, "drafts")), [young]);
  });

  it("is durably claimed: claim, name and new folder are synced, and no file stays open", () => {
    const folder = join(directory, "drafts");
    const [first, second] = [randomUUID(), randomUUID()];
    const claim = (id: string) => (os: OperatingSystem) => open({ os }).claimDraft(id);
    assert.deepEqual(filesUsed(claim(first)), { held: [], synced: [join(folder, first), folder, directory] });
    assert.deepEqual(filesUsed(claim(second)), { held: [], synced: [join(folder, second), folder] });
    assert.deepEqual(filesUsed(claim(first)), { held: [], synced: [] });
    const fsyncSync = (): never => {
      throw new Error("EIO");
    };
    assert.deepEqual(filesUsed(claim(randomUUID()), { fsyncSync }).held, []);
  });

  it("counts as claimed only if its claim exists; every other failure is an error", () => {
    open().claimDraft(randomUUID());
    for (const error of [
      Object.assign(new Error("EACCES"), { code: "EACCES" }),
      new Error("EEXIST"),
      "EEXIST",
    ]) {
      const openSync = (): never => {
        throw error;
      };
      const journal = open({ os: systemWith({ openSync }) });
      assert.throws(() => journal.claimDraft(randomUUID()), JournalError);
    }
  });

  it("is kept until the end of its month, even if another window removes an older claim meanwhile", () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
    const folder = join(directory, "drafts");
    const now = Date.UTC(2026, 10, 1);
    const journal = open();
    for (const [id, ms] of [
      [ids[0], 31 * DAY_MS],
      [ids[1], 31 * DAY_MS + 1000],
      [ids[2], 40 * DAY_MS],
    ] as const) {
      journal.claimDraft(id);
      utimesSync(join(folder, id), (now - ms) / 1000, (now - ms) / 1000);
    }
    const gone = join(folder, ids[2]);
    const listThenSweep = (path: string): string[] => [...readdirSync(path), "gone before it was examined"];
    const statThenSweep = (...args: Parameters<typeof fs.statSync>): unknown => {
      const found = fs.statSync(...args);
      if (args[0] === gone) rmSync(gone);
      return found;
    };
    const swept = { readdirSync: listThenSweep, statSync: statThenSweep as Files["statSync"] };
    sweepClaims(directory, now, systemWith(swept).files);
    assert.deepEqual(readdirSync(folder), [ids[0]]);
  });

  it("can be swept without a folder, but a folder that cannot be listed is an error", () => {
    sweepClaims(join(directory, "none"), Date.now(), files);
    writeFileSync(join(directory, "drafts"), "");
    assert.throws(() => sweepClaims(directory, Date.now(), files), /ENOTDIR/);
  });
});
