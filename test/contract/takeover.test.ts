import assert from "node:assert/strict";
import { parseSymbol } from "../../src/market/pair.ts";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { thisComputer, type Computer, type Files } from "../../src/files/computer.ts";
import type { Alert } from "../../src/market/alertRule.ts";
import { AlertFiles } from "../../src/storage/alertFiles.ts";
import { JournalError, openOrderJournal, type OrderJournal } from "../../src/storage/orders/orderJournal.ts";
import { migrateHistory } from "../../src/storage/prices/files.ts";
import { openPriceHistory } from "../../src/storage/prices/history.ts";
import { bidIntent } from "../support/builders/bidIntent.ts";
import {
  alertsOf,
  candlesOf,
  idOf,
  MINUTE,
  NEXT_DAY,
  numberOf,
  ORIGIN,
  pairs,
  recorded,
  type Stored,
  STORED,
  versions,
} from "../support/builders/storedVersions.ts";
import { computerWith } from "../support/fakes/computer.ts";
import { tickerOf } from "../support/fakes/venue.ts";

/** What both versions can do with the journal. */
type SharedJournal = Pick<OrderJournal, "recordIntent" | "recordOutcome" | "claimDraft" | "reread" | "close">;
interface OldVersion {
  openOrderJournal(options: Parameters<typeof openOrderJournal>[0]): SharedJournal;
}
const oldVersion = (await import(
  new URL("../fixtures/stored/readers/journal-0.1.mjs", import.meta.url).href
)) as OldVersion;

/** Real files without fsync: no test here simulates a power loss. */
const writeFileSync: Files["writeFileSync"] = (path, content, { mode, flag }) =>
  thisComputer.files.writeFileSync(path, content, flag === undefined ? { mode } : { mode, flag });
const quickCalls = { fsyncSync: () => undefined, writeFileSync };
const quick = computerWith(quickCalls);

/** Room for a year of prices. */
const maximumBytes = (): number => 5e7;

describe("records of earlier versions, in the editor's folder", () => {
  let folder: string;
  let earlier: string;
  let storage: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "takeover-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A user who has only used that version so far. */
  function stored({ commit }: Stored, name = "person"): void {
    [earlier, storage] = [join(folder, name, "editor"), join(folder, name, "data")];
    cpSync(new URL(`../fixtures/stored/${commit}/globalStorage`, import.meta.url), earlier, {
      recursive: true,
    });
    const drafts = join(earlier, "orders", "drafts");
    for (const draft of readdirSync(drafts)) utimesSync(join(drafts, draft), STORED / 1000, STORED / 1000);
  }

  const openJournal = (computer: Computer = quick, now = NEXT_DAY): OrderJournal =>
    openOrderJournal({
      directory: join(storage, "orders"),
      earlier: join(earlier, "orders"),
      now: () => now,
      computer,
    });
  const openAlerts = (computer: Computer = quick): AlertFiles =>
    new AlertFiles(join(storage, "alerts"), computer, join(earlier, "alerts"));
  const openHistory = () => openPriceHistory({ directory: join(storage, "history"), maximumBytes });
  const statesIn = (journal: OrderJournal): Record<number, string> =>
    Object.fromEntries(journal.orders().map(({ intent, state }) => [numberOf(intent.id), state]));

  /** What a current window does when it opens. */
  async function takeOver(computer: Computer = quick): Promise<void> {
    openJournal(computer).close();
    openAlerts(computer).list();
    await migrateHistory(join(earlier, "history"), join(storage, "history"), computer);
  }

  /** Fails if a record of the version is missing or duplicated. */
  async function assertWhole(version: Stored): Promise<void> {
    const journal = openJournal();
    assert.deepEqual(statesIn(journal), version.orders);
    assert.deepEqual(journal.skippedLines, []);
    const records = journal.orders().reduce((count, { evidence }) => count + 1 + evidence.length, 0);
    assert.equal(records, version.orderRecords);
    assert.deepEqual(
      [91, 92, 93].map((number) => journal.isDraftClaimed(idOf(number))),
      [true, true, false],
    );
    journal.close();
    const alerts = openAlerts();
    assert.deepEqual(alerts.list(), alertsOf(version));
    for (const alert of alerts.list().filter(({ fired }) => fired))
      assert.ok(alerts.isAnnounced(alert), `${alert.id} was announced`);
    await assertPrices();
  }

  async function assertPrices(): Promise<void> {
    for (const [source, start] of recorded)
      for (const symbol of Object.keys(pairs))
        assert.deepEqual(
          await openHistory().candles(
            source,
            parseSymbol(symbol, "quoteFirst") ?? assert.fail(symbol),
            0,
            NEXT_DAY,
          ),
          candlesOf(symbol, start),
          `${source} ${symbol}`,
        );
  }

  for (const version of versions) {
    describe(`by ${version.commit}`, () => {
      beforeEach(() => stored(version));

      it("are all in the user's folder, also after the editor has deleted its own", async () => {
        await takeOver();
        await assertWhole(version);
        rmSync(earlier, { recursive: true });
        await assertWhole(version);
        // A later start, in another month, merges files and reads the same.
        const journal = openJournal(quick, Date.UTC(2026, 11, 2));
        assert.deepEqual(statesIn(journal), version.orders);
        journal.close();
      });
    });
  }

  const [, newest] = versions;

  it("are complete after the window was killed at any step of the migration", async () => {
    assert.ok(newest);
    for (let step = 1, isDone = false; !isDone; step++) {
      stored(newest, `killed-${step}`);
      const doomed = computerKilledAt(step);
      await takeOver(doomed.computer).catch(() => undefined);
      isDone = !doomed.isKilled();
      await takeOver();
      if (step % 2 === 0) rmSync(earlier, { recursive: true });
      await assertWhole(newest);
      rmSync(join(folder, `killed-${step}`), { recursive: true });
    }
  });

  describe("while a window of an earlier version is open", () => {
    beforeEach(() => stored(newest ?? assert.fail("no version")));

    it("lists each order that it places, when the records are read again", async () => {
      const old = oldVersion.openOrderJournal({ directory: join(earlier, "orders"), now: () => NEXT_DAY });
      const journal = openJournal();
      for (const number of [20, 21]) {
        old.recordIntent(bidIntent({ id: idOf(number), at: NEXT_DAY }));
        assert.ok(journal.reread());
        assert.equal(statesIn(journal)[number], "sending");
        old.recordOutcome(idOf(number), { state: "accepted", orderId: String(number) });
        assert.ok(journal.reread());
        assert.equal(statesIn(journal)[number], "accepted");
      }
      assert.equal(journal.reread(), false);
      journal.close();
      old.close();
      rmSync(earlier, { recursive: true });
      const later = openJournal();
      assert.deepEqual([statesIn(later)[20], statesIn(later)[21]], ["accepted", "accepted"]);
      later.close();
    });

    it("gives each account the same name as the records of the editor's folder do", () => {
      const old = openOrderJournal({ directory: join(earlier, "orders"), now: () => NEXT_DAY });
      const name = old.digestOf("example-key");
      old.close();
      const journal = openJournal();
      assert.equal(journal.digestOf("example-key"), name);
      journal.close();
    });

    it("claims a draft once, whichever version submits it first", () => {
      const old = oldVersion.openOrderJournal({ directory: join(earlier, "orders"), now: () => NEXT_DAY });
      const journal = openJournal();
      assert.deepEqual([journal.claimDraft(idOf(95)), old.claimDraft(idOf(95))], [true, false]);
      assert.deepEqual([old.claimDraft(idOf(96)), journal.claimDraft(idOf(96))], [true, false]);
      assert.deepEqual([journal.isDraftClaimed(idOf(95)), journal.isDraftClaimed(idOf(96))], [true, true]);
      journal.close();
      old.close();
    });

    it("takes over an alert that it adds or changes, but not one that was deleted or changed here since", () => {
      const old = new AlertFiles(join(earlier, "alerts"));
      const alerts = openAlerts();
      const [first, second, third] = alerts.list();
      assert.ok(first && second && third);
      const at = (files: AlertFiles, id: string): Alert["rule"] | undefined => files.read(id)?.rule;
      const rule = { kind: "above", price: "1" } as const;
      alerts.remove(first.id);
      old.put({ ...first, isOn: false });
      old.put({ ...second, rule });
      old.put({ ...third, isOn: false });
      const later = Date.now() / 1000 + 5;
      alerts.put({ ...third, rule });
      utimesSync(join(storage, "alerts", `alert-${third.id}.json`), later, later);
      old.put({ ...first, id: idOf(30) });
      const ids = new Set(alerts.list().map(({ id }) => id));
      assert.deepEqual([ids.has(first.id), ids.has(idOf(30))], [false, true]);
      assert.deepEqual([at(alerts, second.id), at(alerts, third.id)], [rule, rule]);
    });

    it("imports the price history that it continues to record", async () => {
      const old = openPriceHistory({ directory: join(earlier, "history"), maximumBytes });
      const record = (minute: number): void =>
        old.record(ORIGIN, NEXT_DAY + minute * MINUTE, [tickerOf("THB_BTC", { last: 2e6 + minute })]);
      for (const minute of [0, 1, 2]) record(minute);
      await takeOver();
      for (const minute of [3, 4, 5]) record(minute);
      await takeOver();
      old.pause();
      await takeOver();
      rmSync(earlier, { recursive: true });
      const found = await openHistory().candles(
        ORIGIN,
        { quote: "THB", base: "BTC" },
        NEXT_DAY,
        NEXT_DAY + 10 * MINUTE,
      );
      assert.deepEqual(
        found.map(({ close }) => close - 2e6),
        [0, 1, 2, 3, 4, 5],
      );
      const recent = await openHistory().candles(
        ORIGIN,
        { quote: "THB", base: "BTC" },
        NEXT_DAY + 4 * MINUTE,
        NEXT_DAY + MINUTE * 9,
      );
      assert.equal(recent.length, 2);
    });
  });

  describe("on a disk that refuses the copies", () => {
    const refuse = (): never => {
      throw Object.assign(new Error("ENOSPC: no room"), { code: "ENOSPC" });
    };

    it("lists every order from where it is", () => {
      assert.ok(newest);
      stored(newest);
      const journal = openJournal(computerWith({ writeFileSync: refuse }));
      assert.deepEqual(statesIn(journal), newest.orders);
      journal.close();
    });

    it("claims a draft in its own folder if the earlier one cannot be written, and not one claimed there", () => {
      assert.ok(newest);
      stored(newest);
      for (const code of ["EACCES", "EPERM", "EROFS", "EIO"]) {
        const openSync: Files["openSync"] = (path, flags, mode) => {
          if (String(path).startsWith(earlier) && flags === "wx")
            throw Object.assign(new Error(code), { code });
          return thisComputer.files.openSync(path, flags, mode);
        };
        const journal = openJournal(computerWith({ ...quickCalls, openSync }));
        const claim = (number: number): boolean => journal.claimDraft(idOf(number));
        if (code === "EIO") assert.throws(() => claim(97), JournalError);
        else assert.deepEqual([claim(91), claim(97), claim(97)], [false, true, false], code);
        journal.close();
        rmSync(join(storage, "orders", "drafts"), { recursive: true, force: true });
      }
    });

    it("reports unreadable alerts instead of losing one", () => {
      assert.ok(newest);
      stored(newest);
      assert.throws(() => openAlerts(computerWith({ writeFileSync: refuse })).list(), /ENOSPC/);
    });

    it("moves prices to another disk, killed at any step", async () => {
      assert.ok(newest);
      for (let step = 1, isDone = false; !isDone; step++) {
        stored(newest, `disk-${step}`);
        const renameSync: Files["renameSync"] = (from, to) => {
          if (from.startsWith(earlier) !== to.startsWith(earlier))
            throw Object.assign(new Error("EXDEV: another disk"), { code: "EXDEV" });
          thisComputer.files.renameSync(from, to);
        };
        const whole = computerWith({ ...quickCalls, renameSync });
        const doomed = computerKilledAt(step, whole.files);
        const folders = [join(earlier, "history"), join(storage, "history")] as const;
        await migrateHistory(...folders, doomed.computer).catch(() => undefined);
        isDone = !doomed.isKilled();
        await migrateHistory(...folders, whole);
        rmSync(earlier, { recursive: true });
        await assertPrices();
        rmSync(join(folder, `disk-${step}`), { recursive: true });
      }
    });
  });

  it("leaves no folder behind where no earlier version was used", async () => {
    [earlier, storage] = [join(folder, "editor"), join(folder, "data")];
    await takeOver();
    const journal = openJournal();
    assert.ok(journal.claimDraft(idOf(1)));
    journal.close();
    assert.equal(existsSync(earlier), false);
  });
});

/** A computer whose process is killed at its `step`-th file change: a write gets half of its bytes onto the disk. */
function computerKilledAt(
  step: number,
  files: Files = quick.files,
): { computer: Computer; isKilled: () => boolean } {
  let steps = 0;
  const die = (): never => {
    throw new Error("The process was killed.");
  };
  const killing =
    <Args extends unknown[], Result>(call: (...args: Args) => Result, halfDone?: (...args: Args) => void) =>
    (...args: Args): Result => {
      steps += 1;
      if (steps < step) return call(...args);
      if (steps === step) halfDone?.(...args);
      return die();
    };
  const half = (content: string | Uint8Array): Uint8Array => {
    const bytes = Buffer.from(content);
    return bytes.subarray(0, bytes.length >> 1);
  };
  const computer = computerWith({
    appendFileSync: killing(files.appendFileSync, (path, bytes, options) =>
      files.appendFileSync(path, half(bytes), options),
    ),
    fsyncSync: killing(() => undefined),
    mkdirSync: killing(files.mkdirSync),
    renameSync: killing(files.renameSync),
    rmSync: killing(files.rmSync),
    writeFileSync: killing(files.writeFileSync, (path, content, options) =>
      files.writeFileSync(path, half(content), options),
    ),
    openSync: (path, flags, mode) => (steps >= step ? die() : files.openSync(path, flags, mode)),
  });
  return { computer, isKilled: () => steps >= step };
}
