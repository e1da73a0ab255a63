import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SkippedLine } from "../../src/storage/orders/skippedLines.ts";
import { type OrderJournal, openOrderJournal } from "../../src/storage/orders/orderJournal.ts";
import type { OwnOrder } from "../../src/storage/orders/order.ts";
import { hasEnded } from "../../src/market/orderReport.ts";
import { bidIntent, NOON } from "../support/builders/bidIntent.ts";
import { testFill, testReport } from "../support/builders/reports.ts";
import { unsyncedComputer } from "../support/fakes/computer.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

/** What both versions can do. */
interface OldJournal extends Pick<
  OrderJournal,
  "recordIntent" | "recordOutcome" | "recordCheck" | "settle" | "skippedLines" | "close"
> {
  bids(): readonly OwnOrder[];
}
interface OldVersion {
  openOrderJournal(options: Parameters<typeof openOrderJournal>[0]): OldJournal;
}

const oldReader = new URL("../fixtures/stored/readers/journal-0.1.mjs", import.meta.url).href;

/** An order and its records, as both versions write them. */
function recordOrder(
  journal: Pick<OldJournal, "recordIntent" | "recordOutcome" | "recordCheck" | "settle">,
  random: Random,
  at: number,
  id: string,
): void {
  journal.recordIntent(bidIntent({ id, at }));
  if (random() < 0.3) journal.recordCheck(id, { text: "no change", state: "unknown" });
  const end = random();
  if (end < 0.5) journal.recordOutcome(id, { state: "accepted", orderId: id.slice(0, 8) });
  else if (end < 0.7) journal.recordOutcome(id, { state: "rejected", code: 18 });
  else if (end < 0.9) journal.settle(id, { by: "user", as: "notPlaced", evidence: "" });
}

/** Records that version 0.1 does not know. Returns how many. */
function recordPlacedOrder(journal: OrderJournal, random: Random, index: number): number {
  const place = { venue: "practice", origin: "http://127.0.0.1:40000" } as const;
  const order = { orderId: String(index), symbol: "THB_BTC", side: pick(random, ["buy", "sell"] as const) };
  switch (pick(random, ["reports", "cancel", "cost"] as const)) {
    case "reports": {
      const fills = random() < 0.5 ? [] : [testFill("1", "3"), testFill("2", "4", "100", 9000)];
      journal.recordReports([testReport({ ...order, fills, status: "cancelled" })], place);
      return 1 + fills.length;
    }
    case "cancel":
      journal.recordCancel({ ...place, ...order, quote: "THB", base: "BTC", step: "asked" });
      return 1;
    case "cost":
      journal.recordCost({
        ...place,
        quote: "THB",
        base: "BTC",
        quantity: "1",
        cost: String(index),
      });
      return 1;
  }
}

function statesOf(orders: readonly OwnOrder[]): (readonly [string, string, number])[] {
  return orders.map(({ intent, state, evidence }) => [intent.id, state, evidence.length] as const);
}

function bytesIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "latin1")]),
  );
}

function uuid(random: Random): string {
  const hex = Array.from({ length: 12 }, () => Math.floor(random() * 16).toString(16)).join("");
  return `00000000-0000-4000-8000-${hex}`;
}

describe("journals of two versions", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "versions-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  safetyLine(
    32,
    "A journal of 0.1 is read whole; 0.1 leaves newer records alone and names them",
    async (proof) => {
      const old = (await import(oldReader)) as OldVersion;
      const counts = { orders: 0, newer: 0, files: 0 };
      const journals = await proof.each(1_000, ({ random, seed }) => {
        const folder = join(directory, String(seed));
        let now = NOON;
        // Ended processes of two months: both versions merge past months when they open the folder.
        const computer = { ...unsyncedComputer, isRunning: () => false };
        const options = { directory: folder, now: () => now, computer };
        let newer = 0;
        let orders = 0;
        for (let window = 0; window < 4; window++) {
          const isNew = window > 1 || random() < 0.5;
          now = window % 2 === 0 ? NOON : NOON + 31 * 86_400_000;
          const journal = isNew ? openOrderJournal(options) : old.openOrderJournal(options);
          for (let index = 0, many = 1 + Math.floor(random() * 5); index < many; index++) {
            recordOrder(journal, random, now, uuid(random));
            orders += 1;
            if ("orders" in journal) newer += recordPlacedOrder(journal, random, window * 10 + index);
          }
          journal.close();
        }
        now = NOON + 62 * 86_400_000;
        const before = bytesIn(folder);
        const opened = old.openOrderJournal(options);
        const named: readonly SkippedLine[] = opened.skippedLines;
        assert.equal(opened.bids().length, orders, "0.1 lists every order");
        assert.equal(named.filter(({ reason }) => reason === "noRecord").length, newer);
        assert.equal(named.length, newer, "0.1 names every newer line, and no other");
        const states = statesOf(opened.bids());
        opened.close();
        const after = bytesIn(folder);
        for (const [name, bytes] of Object.entries(before))
          if (/"kind":"(report|fill|cancel|cost)"/.test(bytes))
            assert.equal(after[name], bytes, "left alone");
        const read = openOrderJournal(options);
        assert.deepEqual(statesOf(read.orders()), states, "the newer version reads the same");
        assert.deepEqual(read.skippedLines, []);
        const found = [...read.orders(), ...read.elsewhere()];
        for (const { known, isReported } of found)
          if (known && isReported) assert.deepEqual([hasEnded(known), known.contradictions], [true, []]);
        assert.ok(read.elsewhere().every(({ known, cancel }) => known ?? cancel));
        const entered = read.trades.all().find((trades) => trades.entered)?.entered;
        if (entered) assert.ok(entered.cost.gte("0"));
        read.close();
        // The newer version merges the months, and loses nothing by it.
        const again = openOrderJournal(options);
        assert.deepEqual(statesOf(again.orders()), states);
        assert.deepEqual(again.orders().length + again.elsewhere().length, found.length);
        again.close();
        rmSync(folder, { recursive: true });
        counts.orders += orders;
        counts.newer += newer;
        counts.files += Object.keys(before).length;
      });
      return (
        `${journals} journals in ${counts.files} files of both versions: ${counts.orders} orders read the same by both, ` +
        `${counts.newer} newer records named by 0.1 and left as they were, 0 lost`
      );
    },
  );
});
