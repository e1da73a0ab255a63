import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAppendLog } from "../../src/storage/appendLog.ts";
import { openOrderJournal, openLongJournal } from "../../src/storage/orders/orderJournal.ts";
import { bidIntent } from "../support/builders/bidIntent.ts";
import { against, collectGarbage, durationFigure, median, ratioFigure, type Figure } from "./measure.ts";
import { importFigure } from "./orderImport.ts";
import { appendTo, DONE, fillReport, LAST, OPEN, openView, PLACE, writeJournal } from "./orderJournals.ts";

const SIZE = `${(OPEN + DONE).toLocaleString("en")} orders`;
/** Reading a journal, beside parsing its lines and checking their checksums. */
const MOST_RATIO = 5;

/** The orders of a long journal: opening it, the first rows of its view, one event, and the import of a history. */
export async function orderFigures(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), "bidside-orders-bench-"));
  try {
    const folder = join(directory, "orders");
    writeJournal(folder);
    return [
      ...(await openingFigures(folder)),
      ...(await viewFigures(directory)),
      await intentFigure(folder),
      await importFigure(),
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function openingFigures(directory: string): Promise<Figure[]> {
  const options = { directory, now: () => LAST };
  const opening = await against(
    () => {
      const journal = openOrderJournal(options);
      journal.orders();
      journal.close();
    },
    () => readdirSync(directory).map((name) => name.endsWith(".log") && readAppendLog(join(directory, name))),
    { rounds: 15, times: 1, collects: true },
  );
  const pauses: number[] = [];
  for (let round = 0; round < 9; round += 1) pauses.push(await longestPause(options));
  return [
    ratioFigure(
      "orders open",
      `opening the journal of ${SIZE} (floor: its lines parsed and checked)`,
      opening,
      MOST_RATIO,
    ),
    durationFigure("orders pause", `the longest time that this opening stops everything else (floor: none)`, {
      ms: median(pauses),
      most: 100,
    }),
  ];
}

/** The longest time between two turns of the event loop while a journal is opened with pauses and its orders are listed. */
async function longestPause(options: { directory: string; now: () => number }): Promise<number> {
  collectGarbage();
  let [longest, last, isOpen] = [0, performance.now(), false];
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOpen) setImmediate(turn);
  };
  setImmediate(turn);
  const journal = await openLongJournal(options);
  journal.orders();
  isOpen = true;
  turn();
  journal.close();
  return longest;
}

async function viewFigures(storage: string): Promise<Figure[]> {
  const events: unknown[] = [];
  const { desk, venue, treeOf, firstRows, close } = await openView(storage, (changed) =>
    events.push(changed),
  );
  const { orders } = desk;
  try {
    let rows = 0;
    const opening = await against(
      () => {
        const tree = treeOf();
        rows = firstRows(tree);
        tree.dispose();
      },
      () => orders.all.map(({ intent, state }) => `${intent.id} ${intent.at} ${state}`),
      { rounds: 41, times: 1, collects: true },
    );
    const tree = treeOf();
    firstRows(tree);
    let fills = 0;
    const fill = await against(
      async () => {
        events.length = 0;
        fills += 1;
        const told = fillReport(fills);
        if (!(await orders.recordReports([told], venue))) throw new Error("A report was not recorded.");
        const [changed] = events;
        const count = Array.isArray(changed) ? changed.length : undefined;
        if (events.length !== 1 || count !== 1)
          throw new Error(`${events.length} events of ${count} rows instead of one of one row.`);
      },
      appendTo(storage),
      { rounds: 101, times: 1 },
    );
    tree.dispose();
    return [
      durationFigure(
        "orders view",
        `the Orders view's first ${rows} rows, with ${SIZE} in memory (floor: a short text of each order)`,
        { ms: opening.ours, floor: opening.floor, most: 100, ratio: opening.ratio },
      ),
      durationFigure(
        "orders event",
        `a fill, from the report to the journal and one changed row, ${SIZE} (floor: one append)`,
        { ms: fill.ours, floor: fill.floor, most: 10 },
      ),
    ];
  } finally {
    await close();
  }
}

async function intentFigure(directory: string): Promise<Figure> {
  const journal = openOrderJournal({ directory, now: () => LAST });
  journal.orders();
  let count = 0;
  const intent = await against(
    () => {
      count += 1;
      journal.recordIntent(bidIntent({ ...PLACE, at: LAST + count }));
      journal.orders();
    },
    appendTo(directory),
    { rounds: 101, times: 1 },
  );
  journal.close();
  return durationFigure("order intent", `an intent into the journal of ${SIZE} (floor: one append)`, {
    ms: intent.ours,
    floor: intent.floor,
    most: 10,
  });
}
