import assert from "node:assert/strict";
import fs, { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { JournalError } from "../../../../src/storage/orders/orderJournal.ts";
import { openOrderJournal, type OrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import type { Outcome } from "../../../../src/storage/orders/records.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import { ENDED } from "../../../support/builders/journalFolder.ts";
import { systemWith } from "../../../support/fakes/operatingSystem.ts";
import { assertProperty } from "../../../support/rounds.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const WINDOWS = 3;
const DAY_MS = 86_400_000;

/** All proofs of one bid are the same; the bid's number decides which. */
const OUTCOMES: readonly Outcome[] = [
  { state: "accepted", orderId: "1" },
  { state: "rejected", code: 18 },
  { state: "notSent", reason: "unreachable" },
  { state: "unknown", reason: "timeout" },
];
const PREFIX = "00000000-0000-4000-8000-";
const idOf = (count: number): string => PREFIX + String(count).padStart(12, "0");
const outcomeOf = (id: string): Outcome =>
  OUTCOMES[Number(id.slice(PREFIX.length)) % OUTCOMES.length] ?? { state: "accepted" };

const step = fc.record({
  window: fc.nat(WINDOWS - 1),
  action: fc.oneof(
    { weight: 3, arbitrary: fc.constant("intent" as const) },
    { weight: 8, arbitrary: fc.constantFrom("outcome", "settle", "check") },
    { weight: 2, arbitrary: fc.constantFrom("reread", "end", "month") },
  ),
  pick: fc.nat(),
  /** How many more bytes the disk takes; undefined for no limit. */
  room: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(400) }),
  isClockBack: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe("several windows' order journals", () => {
  let directory: string;

  beforeEach(() => void (directory = temporaryFolder()));

  /** Every record that a window opened now would list. */
  function listed(now: number): { records: Set<string>; skippedLines: number } {
    const journal = openOrderJournal({ directory, now: () => now });
    const records = recordsOf(journal);
    const { length: skippedLines } = journal.skippedLines;
    journal.close();
    return { records, skippedLines };
  }

  function recordsOf(journal: OrderJournal): Set<string> {
    return new Set(
      journal
        .orders()
        .flatMap(({ intent, evidence }) => [{ kind: "intent", ...intent }, ...evidence])
        .map((record) => JSON.stringify(record)),
    );
  }

  /** Runs a schedule; returns the latest time, and every acknowledged record. */
  function run(steps: readonly Step[]): { now: number; acknowledged: Set<string> } {
    let clock = NOON;
    let room: number | undefined;
    const os = systemWith({
      writeSync: (fd, bytes, offset) => {
        const count = Math.min(bytes.length - offset, room ?? bytes.length);
        if (room !== undefined) room -= count;
        return count === 0 ? 0 : fs.writeSync(fd, bytes, offset, count);
      },
      fsyncSync: () => undefined,
    });
    const open = (): OrderJournal => openOrderJournal({ directory, now: () => clock, os });
    const windows = Array.from({ length: WINDOWS }, open);
    const acknowledged = new Set<string>();
    for (const [count, { window, action, pick, room: left, isClockBack }] of steps.entries()) {
      const journal = windows[window];
      assert.ok(journal);
      clock += isClockBack ? -1500 : 1000;
      room = left;
      const before = recordsOf(journal);
      const bids = journal.orders();
      const { id = "" } = bids[pick % Math.max(bids.length, 1)]?.intent ?? {};
      try {
        if (action === "intent") journal.recordIntent(bidIntent({ id: idOf(count), at: clock }));
        else if (action === "outcome") journal.recordOutcome(id, outcomeOf(id));
        else if (action === "settle")
          journal.settle(id, { by: "user", as: "accepted", evidence: String(pick) });
        else if (action === "check") journal.recordCheck(id, { text: String(pick) });
        else if (action === "reread") journal.reread();
        else if (action === "month") clock += 31 * DAY_MS;
        else {
          journal.close();
          windows[window] = open();
        }
      } catch (error) {
        assert.ok(error instanceof JournalError);
        assert.deepEqual(recordsOf(journal), before, "a refused record is not listed");
        continue;
      } finally {
        room = undefined;
      }
      for (const record of recordsOf(journal)) acknowledged.add(record);
    }
    for (const journal of windows) journal.close();
    return { now: clock, acknowledged };
  }

  /** Gives every file the name of a process that ended, so that past months are merged. */
  function endProcesses(): void {
    for (const name of readdirSync(directory)) {
      renameSync(join(directory, name), join(directory, name.replace(`-${process.pid}-`, `-${ENDED}-`)));
    }
  }

  const clear = (): void => {
    for (const name of readdirSync(directory)) rmSync(join(directory, name));
  };

  it("keep each acknowledged record over all schedules of disk and clock faults", async () => {
    await assertProperty(
      500,
      fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
        clear();
        const { now, acknowledged } = run(steps);
        assert.deepEqual(listed(now), { records: acknowledged, skippedLines: 0 }, "read");
        endProcesses();
        assert.deepEqual(listed(now + 31 * DAY_MS), { records: acknowledged, skippedLines: 0 }, "merged");
        const months = readdirSync(directory).map((name) => name.slice(0, "orders-2026-11".length));
        assert.equal(new Set(months).size, months.length, "one file for each month");
      }),
    );
  });

  it("lose to a damaged byte only its line's record and that intent's bid, and count both", async () => {
    let lost = 0;
    const schedule = fc.array(step, { minLength: 10, maxLength: 40, size: "max" });
    const rounds = await assertProperty(
      500,
      fc.property(
        schedule,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (steps, file, byte, flip) => {
          clear();
          const { now, acknowledged } = run(steps);
          const names = readdirSync(directory);
          const path = join(directory, names[file % Math.max(names.length, 1)] ?? "none");
          if (names.length === 0 || readFileSync(path).length === 0) return;
          const bytes = readFileSync(path);
          const position = byte % bytes.length;
          const line = bytes.subarray(0, position).filter((value) => value === 0x0a).length;
          const hit = bytes.toString().split("\n")[line] ?? "";
          bytes[position] = (bytes[position] ?? 0) ^ flip;
          writeFileSync(path, bytes);
          const after = listed(now);
          const missing = [...acknowledged].filter((record) => !after.records.has(record));
          const [id = "none"] = /[0-9a-f-]{36}/.exec(hit) ?? [];
          const isIntent = hit.includes('"kind":"intent"');
          for (const record of missing)
            assert.ok(isIntent ? record.includes(id) : hit.includes(record), record);
          assert.ok(after.skippedLines >= Math.max(missing.length, 1), "counted");
          lost += missing.length;
        },
      ),
    );
    if (rounds >= 20) assert.ok(lost > 0);
  });
});
