import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JournalError, type OrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import { JournalFolder } from "../../../support/builders/journalFolder.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { systemWith } from "../../../support/fakes/operatingSystem.ts";

const LIVE = { venue: "live", origin: "https://api.example.com" } as const;
const [FIRST, SECOND, THIRD] = ["1".repeat(16), "2".repeat(16), "3".repeat(16)];
const BTC = { quote: "THB", base: "BTC" };

describe("the accounts of an order journal", () => {
  let folder: JournalFolder;

  beforeEach(() => void (folder = new JournalFolder()));

  it("have one name in all windows and after a restart, which does not contain the key", () => {
    const name = folder.open().digestOf("the-api-key");
    assert.match(name, /^[0-9a-f]{16}$/);
    assert.equal(folder.open().digestOf("the-api-key"), name);
    assert.notEqual(folder.open().digestOf("another-key"), name);
    const elsewhere = new JournalFolder();
    assert.notEqual(elsewhere.open().digestOf("the-api-key"), name, "another computer");
    const path = join(folder.directory, "account-salt");
    assert.match(readFileSync(path, "utf8"), /^\{"version":1,"salt":"[0-9a-f]{64}"\}$/);
    if (process.platform !== "win32") assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it("have no name while another window may be making the salt, and a new one once it died", () => {
    folder.open().digestOf("the-api-key");
    const path = join(folder.directory, "account-salt");
    writeFileSync(path, "");
    utimesSync(path, NOON / 1000, NOON / 1000);
    const window = folder.open();
    assert.throws(() => window.digestOf("the-api-key"), /is being written/);
    folder.clock += 60_000;
    assert.equal(window.digestOf("the-api-key"), folder.open().digestOf("the-api-key"));
  });

  it("have no name while the salt is in a newer format, and no second salt is made", () => {
    const path = join(folder.directory, "account-salt");
    folder.open().digestOf("the-api-key");
    writeFileSync(path, `{"version":2,"salt":"new"}`);
    folder.clock += 60_000;
    assert.throws(() => folder.open().digestOf("the-api-key"), /newer version of Bidside/);
    assert.deepEqual(readdirSync(folder.directory), ["account-salt"]);
  });

  it("have one name in two windows that both replace the salt of a killed one", () => {
    const path = join(folder.directory, "account-salt");
    folder.open().digestOf("the-api-key");
    writeFileSync(path, "");
    utimesSync(path, NOON / 1000, NOON / 1000);
    folder.clock += 60_000;
    const other = folder.open();
    let name: string | undefined;
    const writeFileSyncLater = (...args: Parameters<typeof writeFileSync>): void => {
      // The other window makes its salt while this one is about to write.
      name ??= other.digestOf("the-api-key");
      writeFileSync(...args);
    };
    const window = folder.open(systemWith({ writeFileSync: writeFileSyncLater }));
    assert.equal(window.digestOf("the-api-key"), other.digestOf("the-api-key"));
    assert.equal(name, folder.open().digestOf("the-api-key"));
  });

  it("have one name in two windows that start together, also if their clocks differ", () => {
    let name: string | undefined;
    const writeSlowly = (...[path, content, options]: Parameters<typeof writeFileSync>): void => {
      writeFileSync(path, "", options);
      folder.clock += 3_600_000;
      name ??= folder.open().digestOf("the-api-key");
      folder.clock -= 3_600_000;
      writeFileSync(path, content);
    };
    const window = folder.open(systemWith({ writeFileSync: writeSlowly }));
    assert.equal(window.digestOf("the-api-key"), name);
    assert.equal(folder.open().digestOf("the-api-key"), name);
    assert.deepEqual(readdirSync(folder.directory), ["account-salt"]);
  });

  const report = (journal: OrderJournal, account: string, id = "m1"): void =>
    void journal.recordReports([testReport({ fills: [testFill(id, "1")] })], { ...LIVE, account });
  const sold = (journal: OrderJournal, account: string): string | undefined =>
    journal.trades
      .get({ ...LIVE, account }, BTC)
      ?.trades.map(({ txn }) => txn)
      .join();

  it("keep orders with the same id, their fills and costs separate", () => {
    const journal = folder.open();
    report(journal, FIRST, "m1");
    report(journal, SECOND, "m2");
    report(journal, THIRD, "m3");
    for (const read of [journal, folder.open()]) {
      assert.deepEqual(
        [FIRST, SECOND, THIRD].map((account) => sold(read, account)),
        ["m1", "m2", "m3"],
      );
      assert.equal(read.elsewhere().length, 3);
    }
  });

  it("must be named in every record of a live order, or nothing is recorded or sent", () => {
    const journal = folder.open();
    assert.throws(() => journal.recordIntent(bidIntent(LIVE)), /Nothing was sent/);
    assert.throws(() => journal.recordReports([testReport({})], LIVE), JournalError);
    assert.deepEqual([journal.orders(), journal.elsewhere()], [[], []]);
  });

  it("use the key that was recorded last, in every window and even if the clock was set back", () => {
    const [journal, other] = [folder.open(), folder.open()];
    const [first, second] = ["a".repeat(16), "b".repeat(16)];
    assert.equal(journal.lastKeyOf(FIRST), undefined);
    journal.recordAccountKey(FIRST, first);
    other.reread();
    assert.equal(other.lastKeyOf(FIRST), first);
    folder.clock -= 60_000;
    other.recordAccountKey(FIRST, second);
    journal.reread();
    for (const read of [journal, other, folder.open()]) {
      assert.equal(read.lastKeyOf(FIRST), second);
      assert.equal(read.lastKeyOf(SECOND), undefined);
    }
  });
});
