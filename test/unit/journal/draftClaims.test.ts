import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JournalError } from "../../../src/journal/journalError.ts";
import { openOrderJournal, type OrderJournal } from "../../../src/journal/orderJournal.ts";
import { bidIntent } from "../../support/bidIntents.ts";

const DAY_MS = 24 * 60 * 60_000;

describe("a draft", () => {
  let directory: string;
  let opened: OrderJournal[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "draft-claims-"));
    opened = [];
  });
  afterEach(() => {
    for (const journal of opened) journal.close();
    rmSync(directory, { recursive: true, force: true });
  });

  function open(given: Partial<Parameters<typeof openOrderJournal>[0]> = {}): OrderJournal {
    const journal = openOrderJournal({ directory, now: Date.now, ...given });
    opened.push(journal);
    return journal;
  }

  it("is claimed once: by one window of all, now and after every one of them was opened anew", () => {
    const id = randomUUID();
    const [first, second] = [open(), open()];
    assert.equal(first.claimDraft(id), true);
    assert.equal(first.claimDraft(id), false);
    assert.equal(second.claimDraft(id), false);
    assert.equal(second.claimDraft(id.toUpperCase()), false, "the same id, however it is written");
    assert.equal(open().claimDraft(id), false);
    assert.equal(second.claimDraft(randomUUID()), true);
  });

  it("is claimed in a folder that is not there yet", () => {
    assert.equal(open({ directory: join(directory, "a", "b") }).claimDraft(randomUUID()), true);
  });

  it("changes nothing in the list of orders by being claimed", () => {
    const journal = open();
    journal.claimDraft(randomUUID());
    journal.recordIntent(bidIntent({ at: Date.now() }));
    const later = open();
    assert.equal(later.bids().length, 1);
    assert.deepEqual(later.setAside, []);
  });

  it("is refused without an id that is one: no name leads out of the folder", () => {
    const journal = open();
    for (const id of ["", ".", "..", "../orders", `../${randomUUID()}`, `${randomUUID()}/..`, "a\0b"]) {
      assert.throws(() => journal.claimDraft(id), JournalError);
    }
    assert.deepEqual(readdirSync(directory), []);
  });

  it("is not claimed where the disk refuses", () => {
    const refuse = (): never => {
      throw new Error("no space left on device");
    };
    const journal = open({ disk: { writeSync, fsyncSync: refuse } });
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

  it("is forgotten a month after it was claimed, when a journal is opened", () => {
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
});
