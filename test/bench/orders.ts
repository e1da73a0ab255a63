import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { thisComputer } from "../../src/files/computer.ts";
import { openAppendLog } from "../../src/storage/appendLog.ts";
import { openOrderJournal } from "../../src/storage/orders/orderJournal.ts";
import { bidIntent, NOON } from "../support/builders/bidIntent.ts";
import { testReport } from "../support/builders/reports.ts";
import { against, durationFigure, type Figure } from "./measure.ts";

const OPEN = 1_000;
const DONE = 50_000;
const ORIGIN = "https://api.example.com";
const PLACE = { venue: "live", origin: ORIGIN } as const;
const NAME = "orders-2026-11-4100000000-0000000000000001.log";

/** Own orders as the journal has them: intent, acceptance, and what the exchange said last. */
function* records(): Generator<unknown> {
  for (let index = 0; index < OPEN + DONE; index += 1) {
    const intent = bidIntent({ ...PLACE, at: NOON + index * 10 });
    const at = intent.at + 1;
    yield { ...intent, kind: "intent" };
    yield { kind: "outcome", id: intent.id, at, state: "accepted", orderId: String(index) };
    const ofOrder = {
      ...PLACE,
      orderId: String(index),
      symbol: "THB_BTC",
      quote: "THB",
      base: "BTC",
      side: "buy",
    };
    const status = index < DONE ? "cancelled" : "open";
    yield { kind: "report", ...ofOrder, at: at + 1, status, askedAt: at + 1 };
  }
}

/** Opening the orders of a long journal, and one event of it: a report, and the intent of a new order. */
export async function orderFigures(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), "bidside-orders-bench-"));
  try {
    const log = openAppendLog({ path: join(directory, NAME), sync: false });
    log.appendAll([...records()]);
    log.close();
    const now = (): number => NOON + 3_600_000;
    const openJournal = () => openOrderJournal({ directory, now });
    const opening = await against(
      () => {
        const journal = openJournal();
        journal.orders();
        journal.close();
      },
      () =>
        readdirSync(directory).map((name) => name.endsWith(".log") && readFileSync(join(directory, name))),
      { rounds: 3, times: 1 },
    );
    const journal = openJournal();
    const bare = openAppendLog({ path: join(directory, "bare"), sync: true, files: thisComputer.files });
    let remaining = 0;
    const append = () => bare.append({ kind: "bare" });
    const report = await against(
      () => {
        remaining += 1;
        const told = testReport({
          orderId: "50001",
          side: "buy",
          status: "open",
          placedAt: NOON - remaining,
        });
        journal.recordReports([told], PLACE);
        journal.orders();
      },
      append,
      { rounds: 20, times: 1 },
    );
    const intent = await against(
      () => {
        journal.recordIntent(bidIntent({ ...PLACE, id: randomUUID(), at: now() }));
        journal.orders();
      },
      append,
      { rounds: 5, times: 1 },
    );
    journal.close();
    bare.close();
    const size = "of 51,000 orders";
    return [
      durationFigure("orders open", `opening the journal ${size} (floor: reading the file)`, {
        ms: opening.ours,
        floor: opening.floor,
        most: 100,
      }),
      durationFigure("order report", `a report into the journal ${size} (floor: one append)`, {
        ms: report.ours,
        floor: report.floor,
        most: 10,
      }),
      durationFigure("order intent", `an intent into the journal ${size} (floor: one append)`, {
        ms: intent.ours,
        floor: intent.floor,
        most: 10,
      }),
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
