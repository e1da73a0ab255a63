import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Desk } from "../../src/desk/desk.ts";
import type { OrderOutcome } from "../../src/desk/orders/orderPlacer.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { openOrderJournal } from "../../src/storage/orders/orderJournal.ts";
import { watchedClient } from "../support/builders/client.ts";
import { testPair } from "../support/builders/practiceRequest.ts";
import { bid, close, liveAt, openTestDesk, readAll, testLog, unattended } from "../support/desks/testDesk.ts";
import { type DiskFault, FailingDisk } from "../support/fakes/failingDisk.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { loadUi } from "../support/fakes/vscode.ts";
import { safetyLine } from "./safetyLine.ts";
import { BID } from "../support/builders/formDraft.ts";

const NOBODY = 65_534;
const MINUTE_MS = 60_000;

/** Faults of single calls, by their plain names. */
const faults: Readonly<Record<string, DiskFault>> = {
  full: { call: "writeSync", code: "ENOSPC" },
  "full half-way": { call: "writeSync", code: "ENOSPC", takes: 20 },
  "full after the last byte but one": { call: "writeSync", code: "ENOSPC", takes: -1 },
  "over quota": { call: "writeSync", code: "EDQUOT", takes: 1 },
  "failing to write": { call: "writeSync", code: "EIO" },
  "failing to write and to cut off": { call: "writeSync", code: "EIO", takes: 40, keeps: true },
  "failing to sync": { call: "fsyncSync", code: "EIO" },
  "failing to sync and to cut off": { call: "fsyncSync", code: "EIO", keeps: true },
  "out of file handles": { call: "openSync", code: "EMFILE" },
  "without room for a file": { call: "openSync", code: "ENOSPC" },
  "read-only": { call: "openSync", code: "EROFS" },
  "without room for a folder": { call: "mkdirSync", code: "ENOSPC" },
};
const onOpening: ReadonlySet<DiskFault["call"]> = new Set(["openSync", "mkdirSync"]);

describe("a disk that fails", () => {
  /** The clock does not run, so no order becomes old enough for a check of the balance. */
  const timers = new FakeTimers();
  let folder: string;
  /** The windows' storage, which contains the folder of their order journal. */
  let storage: string;
  let directory: string;
  let disk: FailingDisk;
  let exchange: ProxiedPractice;
  let desks: Desk[];
  let troubles: number;
  /** Breaks the disk when the exchange has answered, so that the outcome cannot be recorded. */
  let breakOnAnswer: DiskFault | undefined;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "failing-disk-"));
    chmodSync(folder, 0o755);
    disk = new FailingDisk();
    exchange = await startProxiedPractice({ credentials: testPair, now: timers.now });
    desks = [];
    troubles = 0;
  });
  afterEach(async () => {
    await closeDesks();
    await exchange.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function openDesk(): Promise<Desk> {
    const desk = await openTestDesk({
      ...liveAt(exchange.baseUrl),
      storage,
      timers,
      os: disk.os,
      window: unattended,
      log: { ...testLog, error: () => (troubles += 1) },
      createClient: (options) => watchedClient(options, () => (disk.fault = breakOnAnswer)),
    });
    desks.push(desk);
    await readAll(desk);
    return desk;
  }

  async function closeDesks(): Promise<void> {
    await Promise.all(desks.splice(0).map(close));
  }

  /** A bid while the disk has the fault. */
  async function placeWith(desk: Desk, fault: DiskFault, amount: string): Promise<OrderOutcome> {
    const failures = disk.failures;
    disk.fault = fault;
    const outcome = await bid(desk, amount);
    disk.fault = undefined;
    assert.ok(disk.failures > failures, "the disk was asked, and refused");
    return outcome;
  }

  /** A bid in a folder that the file system itself does not let anyone write into. */
  async function placeInReadOnly(amount: string): Promise<OrderOutcome> {
    mkdirSync(directory, { recursive: true });
    const desk = await openDesk();
    chmodSync(directory, 0o555);
    const isRoot = process.geteuid?.() === 0;
    // Permissions do not stop root.
    if (isRoot) process.seteuid?.(NOBODY);
    try {
      return await bid(desk, amount);
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(directory, 0o755);
    }
  }

  /** A bid while a file has the folder's name. */
  async function placeInFile(desk: Desk, amount: string): Promise<OrderOutcome> {
    const away = `${directory}.away`;
    mkdirSync(directory, { recursive: true });
    renameSync(directory, away);
    writeFileSync(directory, "");
    try {
      return await bid(desk, amount);
    } finally {
      rmSync(directory);
      renameSync(away, directory);
    }
  }

  async function sentenceOf(outcome: OrderOutcome): Promise<string> {
    const { outcomeTexts } = await loadUi(() => import("../../src/ui/ticket/outcomeText.ts"));
    const { AmountText } = await loadUi(() => import("../../src/ui/text/amountText.ts"));
    return outcomeTexts(outcome, BID, new AmountText(false)).notice?.text ?? "";
  }

  safetyLine(7, "A bid that cannot be recorded is not sent, and the journal stays whole", async (proof) => {
    const refusals = new Map<string, number>();
    let sent = 0;
    let unrecorded = 0;
    let leftBehind = 0;
    const rounds = await proof.each(1000, async ({ random, seed }) => {
      storage = join(folder, `storage-${seed}`);
      directory = join(storage, "orders");
      mkdirSync(storage);
      const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
      /** The states that a window opened now may list, by amount: two if a refused line may be left. */
      const expected = new Map<string, readonly (string | undefined)[]>();
      let desk = await openDesk();
      let uncutFiles = 0;
      disk.uncut = 0;

      for (let order = 0; order < 4; order++) {
        const amount = `${10 + order}.${Math.floor(random() * 100)}1`;
        const posts = exchange.requests.placeBid;
        const what = pick(["nothing", "short writes", "answer", "folder", "file", ...Object.keys(faults)]);
        const fault = faults[what];
        // A file is opened, and the folder made, for a window's first record only.
        if (what === "folder" || (fault && !isOfRecord(fault))) {
          await closeDesks();
          if (what !== "folder") desk = await openDesk();
        }
        let outcome: OrderOutcome;
        if (fault) outcome = await placeWith(desk, fault, amount);
        else if (what === "folder") {
          outcome = await placeInReadOnly(amount);
          desk = desks[0] ?? assert.fail();
        } else if (what === "file") outcome = await placeInFile(desk, amount);
        else {
          disk.shortWrites = what === "short writes" ? 1 + Math.floor(random() * 40) : undefined;
          breakOnAnswer = what === "answer" ? pick(Object.values(faults).filter(isOfRecord)) : undefined;
          outcome = await bid(desk, amount);
          disk.shortWrites = undefined;
          disk.fault = undefined;
        }

        if (outcome.kind === "accepted") {
          assert.equal(exchange.requests.placeBid, posts + 1, `${what}: one POST`);
          assert.equal(fault, undefined, what);
          sent += 1;
          if (breakOnAnswer) unrecorded += 1;
          const listed = desk.orders.own.find(({ intent }) => intent.amount === amount);
          assert.equal(listed?.state, breakOnAnswer ? "unknown" : "accepted", `${what}: as on the disk`);
          // The next reading of the journal records an outcome that the disk refused; the next bid makes one too.
          const isRead = breakOnAnswer !== undefined && random() < 0.5;
          if (isRead) await desk.orders.reread();
          expected.set(amount, breakOnAnswer && !isRead ? ["unknown", "accepted"] : ["accepted"]);
          breakOnAnswer = undefined;
          await readAll(desk);
        } else {
          assert.equal(outcome.kind, "notRecorded", what);
          assert.equal(exchange.requests.placeBid, posts, `${what}: no POST`);
          assert.match(
            await sentenceOf(outcome),
            /^Not sent: the order could not be recorded\. Nothing was spent/,
          );
          assert.deepEqual(
            desk.orders.own.filter(({ intent }) => intent.amount === amount),
            [],
            "a bid that was not sent is not listed",
          );
          // A refused line that could not be cut off is a bid without proof.
          const mayStay = fault?.keeps ?? what === "file";
          if (what === "file") uncutFiles += 1;
          expected.set(amount, mayStay ? [undefined, "unknown"] : [undefined]);
          refusals.set(what, (refusals.get(what) ?? 0) + 1);
        }
      }
      await closeDesks();

      const journal = openOrderJournal({ directory, now: () => timers.now() + 2 * MINUTE_MS });
      const listed = new Map(journal.orders().map(({ intent, state }) => [intent.amount, state]));
      for (const [amount, states] of expected) {
        assert.ok(states.includes(listed.get(amount)), `${amount} is ${listed.get(amount)}, not ${states}`);
      }
      assert.deepEqual(
        [...listed.keys()].filter((amount) => !expected.has(amount)),
        [],
      );
      assert.ok(
        journal.skippedLines.length <= uncutFiles + disk.uncut,
        "only lines that could not be cut off are damaged",
      );
      leftBehind += journal.skippedLines.length;
      journal.close();
      assert.equal((await bid(await openDesk(), "99")).kind, "accepted", "the next bid is accepted");
      await closeDesks();
      sent += 1;
    });
    assert.equal(exchange.requests.placeBid, sent);
    assert.equal(troubles, unrecorded);
    const refused = [...refusals.values()].reduce((sum, count) => sum + count, 0);
    return (
      `${rounds} journals on a disk failing in ${refusals.size} ways: ${refused} bids not recorded, 0 of them sent; ` +
      `${sent} recorded and sent once, ${unrecorded} of them without room for the outcome; 0 recorded lines lost, ` +
      `${leftBehind} half-written lines damaged`
    );
  });
});

/** Whether the fault meets every record, and not only a window's first. */
function isOfRecord({ call }: DiskFault): boolean {
  return !onOpening.has(call);
}
